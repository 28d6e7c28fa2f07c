package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ledgers and results as CSV in each form. {@code SpreadsheetRoundTripIT} opens them in a spreadsheet. */
class CsvFormsOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String[] CSV = {"Content-Type", "text/csv"};
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final String YEARLY =
            "{\"guarantee\": \"gapless\", \"resetEvery\": \"year\", \"timeZone\": \"Europe/Berlin\"}";

    private final NumeraClient client = SharedHost.client();

    @Test
    void aLedgerForASpreadsheetHasLocalTimesToTheSecond() {
        String path = "/api/sequences/forms/ledger";
        client.send("PUT", path, YEARLY, CREATE).expect(201);
        imported(path, "key;number;date;status;reason\n0047;4700120000000;2024-07-05;void;1/2\n");

        String csv =
                csv(path + "/ledger?date=2024-01-01&for=spreadsheet&separator=semicolon&bom=true&dateFormat=d.M.yyyy");

        List<String> lines = csv.lines().toList();
        assertEquals(
                "\uFEFFkind;number;to;text;key;period;date;allocatedAt;allocatedAtLocal;status;reason;statusAt;statusAtLocal;actor;statusActor;actorId;statusActorId",
                lines.get(0));
        assertEquals("advance;1;'4700119999999;;;2024;;T;L;;before the import;;;;;;", withoutTimes(lines.get(1)));
        assertEquals("import;'4700120000000;;;'0047;2024;'5.7.2024;T;L;void;'1/2;T;L;;;;", withoutTimes(lines.get(2)));
        String plain = csv(path + "/ledger?date=2024-01-01&limit=1&separator=tab");
        assertTrue(plain.startsWith("kind\tnumber\tto\ttext\tkey\tperiod\tdate\tallocatedAt\tstatus\t"), plain);
        String found = csv(path + "/ledger?key=0047&dateFormat=dd.MM.yy&century=1950");
        assertTrue(found.contains(",,0047,2024,05.07.24,"), found);
    }

    private static String withoutTimes(String line) {
        return line.replaceAll("'\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "T")
                .replaceAll("'\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "L");
    }

    /** The result has the date in the ledger, which may differ from the dates in the file. */
    @Test
    void resultsShowTheDateThatWasUsed() {
        String path = "/api/sequences/forms/results";
        client.send("PUT", path, YEARLY, CREATE).expect(201);
        String location = client.send(
                        "POST", path + "/batches?dateColumn=day", "key,day\n0047,2026-03-31\n1-2,2025-03-31\n", CSV)
                .expect(202)
                .location();
        client.awaitUpload(location, TIMEOUT, SharedHost.process()::output);

        assertEquals(
                "key,day,number,text,problem,stored_date\r\n"
                        + "0047,2026-03-31,1,,,31.03.2026\r\n"
                        + "1-2,2025-03-31,1,,,31.03.2025\r\n",
                csv(location + "?dateFormat=dd.MM.yyyy"));
        String sheet = csv(location + "?for=spreadsheet");
        assertTrue(sheet.contains("\r\n'0047,'2026-03-31,1,,,'2026-03-31\r\n"), sheet);
        JsonNode rows = client.get(location).expect(200).body().get("allocations");
        assertEquals("2026-03-31", rows.get(0).get("date").textValue());
        String again = client.send("POST", path + "/batches?dateColumn=day", sheet, CSV)
                .expect(202)
                .location();
        client.awaitUpload(again, TIMEOUT, SharedHost.process()::output);
        assertEquals(
                "key,day,number,text,problem,numera_number,numera_text,numera_problem,stored_date",
                csv(again).lines().findFirst().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "for=excel, for",
        "for=, for",
        "bom=yes, bom",
        "separator=pipe, separator",
        "dateFormat=yyyy, dateFormat",
        "dateFormat=dd.MM.yy, century",
        "century=1950, century"
    })
    void anotherFormIsRefusedByName(String query, String field) {
        String path = "/api/sequences/forms/refused";
        client.send("PUT", path, YEARLY, CREATE);

        JsonNode problem = client.send("GET", path + "/ledger?" + query, null, "Accept", "text/csv")
                .expectProblem(400, "invalid-request")
                .body();

        assertEquals(field, problem.at("/errors/0/field").textValue());
    }

    @Test
    void jsonHasNoForm() {
        String path = "/api/sequences/forms/json";
        client.send("PUT", path, YEARLY, CREATE);

        for (String query : List.of("for=spreadsheet", "bom=false", "separator=tab", "dateFormat=d.M.yyyy")) {
            client.get(path + "/ledger?" + query).expectProblem(400, "invalid-request");
        }
    }

    @Test
    void filesHaveNamesThatSort() {
        String path = "/api/sequences/forms/named";
        client.send("PUT", path, YEARLY, CREATE).expect(201);
        String location = imported(path, "key,number,date\r\nN-1,1,2026-11-21\r\n");
        String today = LocalDate.now(ZoneOffset.UTC).toString();
        String id = location.substring(location.lastIndexOf('/') + 1);

        assertTrue(nameOf(path + "/ledger").matches("forms-named-ledger-\\d{4}-\\d\\d-\\d\\d\\.csv"));
        assertEquals(
                "forms-named-ledger-void-2026-11-01-2026-11-30.csv",
                nameOf(path + "/ledger?status=void&dateFrom=2026-11-01&dateTo=2026-11-30"));
        assertEquals("forms-named-import-" + today + "-" + id + ".csv", nameOf(location));
        assertEquals("forms-named-refused-" + today + "-" + id + ".csv", nameOf(location + "?outcome=refused"));
    }

    private String nameOf(String path) {
        String disposition = client.send("GET", path, null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .headers()
                .firstValue("Content-Disposition")
                .orElseThrow();
        return disposition.replaceFirst("^attachment; filename=\"(.*)\"$", "$1");
    }

    private String imported(String path, String file) {
        String location =
                client.send("POST", path + "/imports", file, CSV).expect(202).location();
        client.awaitUpload(location, TIMEOUT, SharedHost.process()::output);
        return location;
    }

    private String csv(String path) {
        return client.send("GET", path, null, "Accept", "text/csv")
                .expect(200)
                .raw()
                .body();
    }
}
