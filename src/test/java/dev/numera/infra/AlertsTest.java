package dev.numera.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.numera.functions.BackupFunction;
import dev.numera.functions.http.lists.PoisonFunctions;
import dev.numera.sequences.numbering.Alarms;
import dev.numera.sequences.numbering.Telemetry;
import java.time.Duration;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs each alert of {@code infra/app/alerts.json} over sample rows of the log, and checks which rows make it fire. The
 * rows are in {@code alert-rows.json}, with {@code minutesAgo} in place of a time. How Azure reads the queries, and
 * which columns its tables have, is not tested here.
 */
class AlertsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNode ALERTS = json("infra/app/alerts.json");
    private static final JsonNode ROWS = json("src/test/resources/dev/numera/infra/alert-rows.json");

    private static JsonNode json(String file) {
        try {
            return JSON.readTree(DeploymentFile.read(file).text());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(file + " is no JSON.", e);
        }
    }

    private record Alert(JsonNode rule) {
        static Alert named(String name) {
            return stream(ALERTS)
                    .filter(rule -> rule.path("name").asText().equals(name))
                    .map(Alert::new)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("There is no alert " + name + "."));
        }

        /** Whether enough of the last windows violate the rule, counted or summed as in Azure Monitor. */
        boolean firesOn(List<ObjectNode> rows) {
            long violated = IntStream.range(0, rule.path("periods").intValue())
                    .filter(window -> isViolated(rows, window))
                    .count();
            return violated >= rule.path("failing").intValue();
        }

        private boolean isViolated(List<ObjectNode> rows, int window) {
            LogQuery query = LogQuery.parse(rule.path("query").textValue());
            List<ObjectNode> found = rows.stream()
                    .filter(row -> row.path("table").textValue().equals(query.table()))
                    .filter(row -> row.path("minutesAgo").intValue() / windowMinutes() == window)
                    .filter(query.where())
                    .toList();
            int threshold = rule.path("threshold").intValue();
            if (rule.path("operator").textValue().equals("LessThan")) {
                return found.size() < threshold;
            }
            long sum = found.stream()
                    .mapToLong(row -> row.required("ItemCount").longValue())
                    .sum();
            return sum > threshold;
        }

        private long windowMinutes() {
            return minutes(rule.path("window").textValue());
        }
    }

    private static long minutes(String duration) {
        return duration.startsWith("PT")
                ? Duration.parse(duration).toMinutes()
                : Duration.ofDays(Period.parse(duration).getDays()).toMinutes();
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    static Set<String> names() {
        Set<String> names = new TreeSet<>();
        ALERTS.forEach(rule -> names.add(rule.path("name").textValue()));
        return names;
    }

    /** Completes each sample row with the columns that all rows of its table have. */
    private static List<ObjectNode> rows(JsonNode recorded) {
        List<ObjectNode> rows = new ArrayList<>();
        recorded.forEach(row -> rows.add(((ObjectNode)
                        ROWS.path("columns").path(row.path("table").asText()).deepCopy())
                .setAll((ObjectNode) row)));
        return rows;
    }

    @ParameterizedTest
    @MethodSource("names")
    void firesOnMatchingRows(String alert) {
        JsonNode cases = ROWS.path(alert).path("fires");

        assertFalse(cases.isEmpty(), () -> "there is no case on which " + alert + " fires");
        cases.forEach(rows -> assertTrue(Alert.named(alert).firesOn(rows(rows)), rows::toString));
    }

    @ParameterizedTest
    @MethodSource("names")
    void isSilentOnOtherRows(String alert) {
        JsonNode cases = ROWS.path(alert).path("silent");

        assertFalse(cases.isEmpty(), () -> "there is no case on which " + alert + " is silent");
        cases.forEach(rows -> assertFalse(Alert.named(alert).firesOn(rows(rows)), rows::toString));
    }

    @Test
    void alertsSumItemCountAndOnlySilenceCountsRows() {
        ALERTS.forEach(rule -> assertEquals(
                rule.path("operator").textValue().equals("LessThan") ? "Count" : "Total",
                rule.path("aggregation").textValue(),
                rule::toString));
    }

    /**
     * The windows that Azure accepts, at most two days:
     * https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-types
     */
    private static final Set<String> WINDOWS = Set.of(
            "PT1M", "PT5M", "PT10M", "PT15M", "PT30M", "PT45M", "PT1H", "PT2H", "PT3H", "PT4H", "PT5H", "PT6H", "P1D",
            "P2D");

    private static final Set<String> FREQUENCIES = Set.of(
            "PT1M", "PT5M", "PT10M", "PT15M", "PT30M", "PT45M", "PT1H", "PT2H", "PT3H", "PT4H", "PT5H", "PT6H", "P1D");

    static Stream<Snapshot> profiles() {
        return Snapshot.PROFILES.stream().map(Snapshot::of);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void eachProfileHasThemAsTheFileSays(Snapshot profile) {
        Map<String, JsonNode> rules = profile.ofType("Microsoft.Insights/scheduledQueryRules").stream()
                .collect(Collectors.toMap(
                        rule -> rule.required("name").textValue().replaceFirst("-[a-z0-9]{13}$", ""),
                        rule -> rule.required("properties")));
        Set<String> expected = names();
        if (profile.profile().equals("smallest")) {
            expected.remove("no-backup");
        }

        assertEquals(expected, rules.keySet());
        rules.forEach((name, rule) -> assertRule(Alert.named(name).rule(), rule));
    }

    private static void assertRule(JsonNode alert, JsonNode rule) {
        JsonNode criterion = rule.at("/criteria/allOf/0");
        boolean isTotal = alert.required("aggregation").textValue().equals("Total");

        assertEquals(alert.required("query"), criterion.required("query"));
        assertTrue(criterion.required("query").textValue().matches("(AppRequests|AppTraces) \\| .*"), rule::toString);
        assertEquals(alert.required("aggregation"), criterion.required("timeAggregation"));
        assertEquals(
                isTotal ? "ItemCount" : null,
                criterion.path("metricMeasureColumn").textValue());
        assertEquals(alert.required("operator"), criterion.required("operator"));
        assertEquals(alert.required("threshold"), criterion.required("threshold"));
        assertEquals(alert.required("periods"), criterion.at("/failingPeriods/numberOfEvaluationPeriods"));
        assertEquals(alert.required("failing"), criterion.at("/failingPeriods/minFailingPeriodsToAlert"));
        assertEquals(alert.required("severity"), rule.required("severity"));
        assertEquals(alert.required("window"), rule.required("windowSize"));
        assertEquals(alert.required("frequency"), rule.required("evaluationFrequency"));
        assertEquals(alert.required("resolves"), rule.required("autoMitigate"));
        assertTrue(rule.required("enabled").booleanValue());
        assertTrue(WINDOWS.contains(rule.required("windowSize").textValue()), rule::toString);
        assertTrue(FREQUENCIES.contains(rule.required("evaluationFrequency").textValue()), rule::toString);
    }

    /** A rule covers at most two days, and no event between two evaluations may fall outside its window. */
    @Test
    void everyWindowCoversTheFrequencyOfItsRule() {
        ALERTS.forEach(rule -> {
            long window = minutes(rule.path("window").textValue());
            assertTrue(minutes(rule.path("frequency").textValue()) <= window, rule::toString);
            assertTrue(
                    window * rule.path("periods").intValue()
                            <= Duration.ofDays(2).toMinutes(),
                    rule::toString);
        });
    }

    @Test
    void queriesMatchTheLoggedTexts() {
        assertEquals(looksFor(Telemetry.RANGE_WARNING), query("range-nearly-used"));
        assertEquals(looksFor(Alarms.EXHAUSTED), query("exhausted"));
        assertEquals(looksFor(Alarms.ROLLED_BACK), query("rolled-back"));
        assertEquals(looksFor(PoisonFunctions.FOUND), query("poison-queue-not-empty"));
        assertEquals(looksFor(BackupFunction.WRITTEN + ": "), query("no-backup"));
        assertEquals(looksFor(BackupFunction.FAILED + ": "), query("backup-failed"));
    }

    private static String looksFor(String text) {
        return "AppTraces | where Message contains \"" + text + "\"";
    }

    private static String query(String alert) {
        return Alert.named(alert).rule.path("query").textValue();
    }

    /**
     * A call is logged by method and route, by method and path if the host does not know the route, or by its function.
     */
    @ParameterizedTest
    @CsvSource({
        "POST api/sequences/{scope}/{name}/next, true",
        "POST /api/sequences/App1/invoice/next, true",
        "Allocate, true",
        "GET api/sequences/{scope}/{name}, false",
        "GET /api/sequences/App1/next, false",
        "POST api/sequences/{scope}/{name}/preview, false",
        "NumberBatch, false"
    })
    void availabilityIsMeasuredOnCallsForNumbers(String name, boolean isCallForNumbers) {
        Set<String> queries =
                DeploymentFile.read("docs/operations.md").all("```kusto\\R(AppRequests\\R\\| where Name .*)");
        ObjectNode row = ROWS.path("columns").path("AppRequests").deepCopy();

        assertEquals(1, queries.size(), queries::toString);
        assertEquals(
                isCallForNumbers,
                LogQuery.parse(queries.iterator().next()).where().test(row.put("Name", name)));
    }

    @Test
    void operationsPageHasASectionForEachAlert() {
        DeploymentFile page = DeploymentFile.read("docs/operations.md");
        Set<String> listed = page.all("(?m)^\\| ([a-z-]+) \\| [1-4] \\|");
        ALERTS.forEach(rule -> assertTrue(
                page.text()
                        .contains("\n| " + rule.path("name").textValue() + " | "
                                + rule.path("severity").intValue() + " |"),
                rule::toString));

        listed.remove("availability");
        assertEquals(names(), listed);
        names().forEach(name -> assertTrue(page.text().contains("\n### " + name + "\n"), name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AppTraces",
                "AppTraces | take 5",
                "AppTraces | where Message matches \"x\"",
                "AppTraces | where Message contains \"x\" | take 5",
                "AppTraces | where (Message contains \"x\"",
                "AppTraces | where Message contains",
                "AppTraces | where Message contains \"x",
            })
    void aQueryOfAnotherKindIsNotGuessedAt(String query) {
        assertThrows(IllegalArgumentException.class, () -> LogQuery.parse(query));
    }
}
