package dev.numera.functions.http.lists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.microsoft.azure.functions.HttpRequestMessage;
import dev.numera.contract.Defined;
import dev.numera.core.model.Definition;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Query;
import dev.numera.functions.http.Requests;
import dev.numera.sequences.lists.ListColumns;
import dev.numera.sequences.lists.ListColumns.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The meaning of an import's columns. A date or a status that is overlooked stays wrong in the ledger forever. */
class ImportColumnsTest {
    private static final Sequence SEQUENCE =
            Defined.stored(new SequenceName("a", "b"), Definition.DEFAULT, false, null, "1");
    private static final Map<Field, Integer> KEY_AND_NUMBER = Map.of(Field.KEY, 0, Field.NUMBER, 1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key,number,date,status,reason",
                "key,number,Date,Status,Reason",
                " Key , NUMBER,DATE  ,\u00A0status,reason "
            })
    void columnsAreFoundInAnyCaseAndWithBlanksAroundThem(String header) {
        ListColumns columns = layout("", header + "\na,1,2024-01-02,void,Wrong address\n");

        assertEquals(
                Map.of(Field.KEY, 0, Field.NUMBER, 1, Field.DATE, 2, Field.STATUS, 3, Field.REASON, 4),
                columns.places());
        assertEquals(List.of(header.split(",")), columns.columns());
    }

    @Test
    void parametersNameColumnsInAnyCaseToo() {
        String query = "?keyColumn=AUFTRAG&numberColumn=nummer&dateColumn=%20tag";

        assertEquals(
                Map.of(Field.KEY, 1, Field.NUMBER, 2, Field.DATE, 0),
                layout(query, "Tag,Auftrag,Nummer\n2024-01-02,a,1\n").places());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'key,Key ,number\na,b,1\n'      | '' | keyColumn",
                "'key,number,Date,date\na,1,,\n' | '' | dateColumn",
                "'k,K,number\na,b,1\n'           | ?keyColumn=k | keyColumn",
            })
    void twoColumnsOfOneNameAreRefused(String file, String query, String field) {
        assertEquals(List.of(field), fields(refusal(query, file)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-01-02",
                "2024/1/2",
                "20240102",
                "02.01.2024",
                "2.1.24",
                "1/31/2024",
                "31/01/2024",
                "31-01-2024",
                "2024-01-02T10:30:00Z",
                "2024-01-02 10:30",
                "1/2/2024 10:30:00 PM",
                "2 Jan 2024",
                "02-Mar-24",
                "2. März 2024",
                "March 2, 2024",
                "2025-03-02 17:05:57 -0500",
                "2025-03-02 17:05:57 UTC",
                "02. Mrz 2024",
                "5 M\u00E4r 2026",
                "03 septiembre 2026",
                "3/2/2025 5:05\u202FPM",
            })
    void aColumnOfDatesIsNamedOrIgnored(String date) {
        String file = "key;number;Tag\na;1;" + date + "\nb;2;\n";

        ProblemException problem = refusal("", file);

        assertEquals(List.of("dateColumn"), fields(problem));
        assertEquals(
                "dateColumn is required, or ignore with the column 'Tag', which has dates such as " + date
                        + ": otherwise every document has the day of the import.",
                problem.getMessage());
        assertEquals(KEY_AND_NUMBER, layout("?ignore=tag", file).places());
        String named = "key;number;Tag\na;1;2024-01-02\nb;2;\n";
        assertEquals(2, layout("?dateColumn=tag", named).places().get(Field.DATE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void linesBeforeTheHeaderEndLikeAllOthers(String end) {
        String file = String.join(end, "Report", "key;number", "a;1", "");

        assertEquals(KEY_AND_NUMBER, layout("?headerLine=2", file).places());
        assertEquals(List.of("headerLine"), fields(refusal("?headerLine=9", file)));
        for (String line : List.of("4", "9")) {
            assertEquals(
                    "headerLine must be a line of the file, which has 3 lines.",
                    refusal("?headerLine=" + line, file).getMessage());
        }
    }

    @Test
    void noBreakSpacesHideNoColumnOfDates() {
        String file = "key;number;Tag\na;1;\u00A002. Mrz 2024\u00A0\nb;2;03. Apr 2024\nc;3;\u00A0\n";

        assertEquals(List.of("dateColumn"), fields(refusal("", file)));
    }

    @Test
    void aColumnThatIsNotOneNotationOfDatesIsAnother() {
        for (String second : List.of("2024-01-03", "13.01.2024x", "7", "2024-02-30", "1.2.2024.5")) {
            String file = "key;number;note\na;1;31.01.2024\nb;2;" + second + "\n";
            assertEquals(KEY_AND_NUMBER, layout("", file).places(), second);
        }
        assertEquals(KEY_AND_NUMBER, layout("", "key;number;note\na;1;\n").places());
        assertEquals(
                KEY_AND_NUMBER, layout("", "key;number;note\na;1;10293847\n").places());
    }

    @Test
    void datesBesideTheNamedOnesAreNoMatter() {
        String file = "key;number;date;due\na;1;2024-01-02;2024-02-02\n";

        assertEquals(2, layout("", file).places().get(Field.DATE));
    }

    @Test
    void anEmptyColumnHidesNoneThatIsFilled() {
        String file = "key;number;date;status;Rechnungsdatum;Storno\na;1;;;31.01.2024;x\nb;2; ;;01.02.2024;\n";

        ProblemException problem = refusal("", file);

        assertEquals(List.of("dateColumn", "statusColumn"), fields(problem));
        assertEquals(
                "dateColumn is required, or ignore with the column 'Rechnungsdatum', which has dates such as"
                        + " 31.01.2024: otherwise every document has the day of the import.",
                refusal("?ignore=Storno", file).getMessage());
        assertEquals(
                4,
                layout("?dateColumn=Rechnungsdatum&ignore=Storno&dateFormat=dd.MM.yyyy", file)
                        .places()
                        .get(Field.DATE));
        assertEquals(
                2, layout("?dateColumn=date&statusColumn=status", file).places().get(Field.DATE));
        assertEquals(
                2,
                layout("", "key;number;date;status;Storno\na;1;;;\n").places().get(Field.DATE),
                "Empty columns say nothing.");
    }

    @ParameterizedTest
    @CsvSource({
        "Storno, x",
        "STORNO, 17",
        "Void?, Yes",
        "annulée, 1",
        "Estado, emitida",
        "Zustand, storniert",
        "Zustand, Ja",
        "Zustand, VOID",
        "Zustand, X",
        "Zustand, anulada"
    })
    void aColumnOfStatusesIsNamedOrIgnored(String header, String word) {
        String file = "key;number;" + header + "\na;1;" + word + "\nb;2;\n";

        assertEquals(List.of("statusColumn"), fields(refusal("", file)));
        assertEquals(
                KEY_AND_NUMBER,
                layout("?ignore=" + header.replace("?", "%3F"), file).places());
    }

    @Test
    void aStatusIsPointedOutByItsHeaderAndItsWords() {
        assertEquals(
                "statusColumn is required, or ignore with the column 'Storno', which has values that look like a"
                        + " status, such as x: otherwise every number is issued.",
                refusal("", "key,number,Storno\na,1,\nb,2,x\n").getMessage());
        assertEquals(
                "statusColumn is required, or ignore with the column 'Storno', which has a name that suggests a"
                        + " status: otherwise every number is issued.",
                refusal("", "key,number,Storno\na,1,\n").getMessage());
    }

    @Test
    void aWordAmongOthersIsNoStatus() {
        assertEquals(
                KEY_AND_NUMBER,
                layout("", "key,number,note\na,1,x\nb,2,urgent\n").places());
        assertEquals(
                KEY_AND_NUMBER, layout("", "key,number,note\na,1,no\nb,2,no\n").places());
    }

    @Test
    void bothAreReportedAtOnceWithAllTheirColumns() {
        ProblemException problem =
                refusal("", "key,number,day,due,Storno\na,1,2024-01-02,2024-02-02,x\nb,2,2024-01-03,,\n");

        assertEquals(List.of("dateColumn", "dateColumn", "statusColumn"), fields(problem));
    }

    @Test
    void ignoredColumnsHaveNoMeaning() {
        String file = "key,number,text,date,\"a,b\"\na,1,T1,2024-01-02,2024-01-02\n";

        assertEquals(
                Map.of(Field.KEY, 0, Field.TEXT, 2, Field.DATE, 3),
                layout("?ignore=Number", file).places());
        assertEquals(
                Map.of(Field.KEY, 0, Field.NUMBER, 1),
                layout("?ignore=DATE,text&ignore=a,b", file).places());
        assertEquals(
                "ignore must have names of columns only, separated by commas, and 'x' is none; it has 5 columns: key |"
                        + " number | text | date | a,b.",
                refusal("?ignore=date,x", file).getMessage());
        assertEquals(
                "ignore must not name the column 'date', which another parameter names: leave it out of one of them.",
                refusal("?dateColumn=date&ignore=Date", file).getMessage());
        assertEquals(List.of("keyColumn"), fields(refusal("?ignore=key", file)));
    }

    @Test
    void onlyCsvHasColumnsToIgnore() {
        assertEquals(
                "ignore is for text/csv only.",
                assertThrows(ProblemException.class, () -> read("?ignore=a", "application/json", "{\"rows\": []}"))
                        .getMessage());
    }

    private static ListColumns layout(String query, String csv) {
        return read(query, "text/csv", csv).rows().layout();
    }

    private static ProblemException refusal(String query, String csv) {
        return assertThrows(ProblemException.class, () -> read(query, "text/csv", csv));
    }

    private static List<String> fields(ProblemException problem) {
        return Stream.of(problem.members().get("errors"))
                .flatMap(errors -> ((List<?>) errors).stream())
                .map(error -> String.valueOf(((Map<?, ?>) error).get("field")))
                .toList();
    }

    private static ListBody read(String query, String type, String body) {
        HttpRequestMessage<Optional<String>> request =
                Requests.of("/api/sequences/a/b/imports" + query, body, Map.of("content-type", type));
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            HttpCall call = Requests.call(request, share);
            Query parameters = call.query(ListParameters.ofImport().toArray(String[]::new));
            return ListBody.ofImport(call, parameters, () -> Optional.of(SEQUENCE));
        }
    }
}
