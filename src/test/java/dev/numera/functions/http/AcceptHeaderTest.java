package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.core.retry.CharacterBudget;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of an answer's format: JSON, unless the caller prefers CSV. */
class AcceptHeaderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/csv                                       | true",
                "TEXT/CSV                                       | true",
                "text/csv; charset=utf-8                        | true",
                "text/csv, application/problem+json             | true",
                "text/csv, application/json;q=0.1               | true",
                "application/json;q=0.1, text/csv               | true",
                "text/csv;q=0.2, application/json;q=0.1         | true",
                "text/csv;header=present;q=0.2, */*; q=0.1      | true",
                "text/csv, */*                                  | true",
                "text/csv, */*;q=0.5                            | true",
                "text/*, */*;q=0.1                              | true",
                "text/*                                         | true",
                "*/*, application/json;q=0                      | true",
                ",, text/csv ,,                                 | true",
                "text/csv;note=\",\\\",application/json\"       | true",
                "text/csv, application/json                     | false",
                "text/csv;q=0.1, application/json               | false",
                "text/csv;q=0.9, application/json;q=0.900       | false",
                "text/csv;q=0.1, */*                            | false",
                "text/csv;q=0, */*                              | false",
                "text/csv;q=0                                   | false",
                "text/csv ; q=0.000                             | false",
                "text/csv;q=0, text/*                           | false",
                "text/csv;q=much                                | false",
                "text/csv;q=2                                   | false",
                "text                                           | false",
                "*/*                                            | false",
                "text/html, */*;q=0.8                           | false",
                "text/html                                      | false",
                "''                                             | false",
                ";q=1,\"                                        | false",
            })
    void csv(String accept, boolean isWanted) {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            HttpCall call = Requests.call(Requests.of("/api", null, Map.of("accept", accept)), share);
            assertEquals(isWanted, call.wantsCsv(), accept);
        }
    }
}
