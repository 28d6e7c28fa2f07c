package dev.numera.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import dev.numera.azure.TableNames;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.Program;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.SharedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@code tools/cost.mjs} and compares its figures with the page. */
class CostIT {
    private static final int KEY_LENGTH = 20;
    private static final String EXAMPLE = "tools/prices.example.json";

    @TempDir
    Path folder;

    @Test
    void pageShowsTheFiguresOfTheScript() throws Exception {
        String page = Files.readString(Path.of("docs/cost.md"));

        assertTrue(
                page.contains("\n" + cost("--prices", EXAMPLE).output() + "\n"),
                () -> "docs/cost.md shows other figures");
        assertTrue(
                page.contains("\n"
                        + cost("--test", "900", "--numbers", "10000", "--prices", EXAMPLE)
                                .output()
                                .lines()
                                .filter(line -> line.startsWith("| at rest"))
                                .findFirst()
                                .orElseThrow()
                        + "\n"),
                () -> "docs/cost.md shows other figures of the availability test");
    }

    @Test
    void moneyIsStatedOnlyWithTheDateOfItsPrices() throws Exception {
        Path prices = folder.resolve("prices.json");
        Files.writeString(
                prices,
                """
                {"date": "2001-02-03", "currency": "XXX", "gbSecond": 1, "millionExecutions": 1000000, "tenThousandRequests": 10000,
                 "gbStored": 0, "gbLogged": 0, "bytesALogLine": 0, "readyGbSecond": 1, "availabilityTest": 1, "freeGbSeconds": 17640, "freeExecutions": 0,
                 "alertRule": {"PT5M": 1, "PT15M": 1, "PT30M": 1, "PT6H": 1}}""");

        Program run = cost("--numbers", "98", "--prices", prices.toString());

        assertEquals(0, run.exit(), run.output());
        assertTrue(
                run.output()
                        .contains(
                                "Prices of 2001-02-03, in XXX; alert rules 10.00, tests from outside 0.00, always ready 0.00."),
                run.output());
        // 17,640 GB-seconds are free, and 2,940 runs and 11,520 requests cost 1 each.
        assertTrue(run.output().contains("| at rest | 2,940 | 17,640 | 11,520 | 11,520 | 0 | 8,820 | 14460.00 |"));
    }

    @Test
    void testsFromOutsideAndInstancesThatAreAlwaysReadyHaveAPrice() throws Exception {
        Path prices = folder.resolve("prices.json");
        Files.writeString(
                prices,
                """
                {"date": "2001-02-03", "currency": "XXX", "gbSecond": 0, "millionExecutions": 0, "tenThousandRequests": 0,
                 "gbStored": 0, "gbLogged": 0, "bytesALogLine": 0, "readyGbSecond": 0.001, "availabilityTest": 0.01,
                 "freeGbSeconds": 0, "freeExecutions": 0, "alertRule": {"PT5M": 0, "PT15M": 0, "PT30M": 0, "PT6H": 0}}""");

        Program run = cost("--numbers", "98", "--ready", "10", "--test", "900", "--prices", prices.toString());

        // Two instances of 2 GB in each of five groups for 30 days, and a test every 900 s from each of five places.
        assertTrue(run.output().contains("\nTests from outside: 14,400.\n"), run.output());
        assertTrue(run.output().contains("\nAlways ready: 10 instances, 51,840,000 GB-seconds "), run.output());
        assertTrue(run.output().contains("tests from outside 144.00, always ready 51840.00."), run.output());
    }

    @ParameterizedTest
    @ValueSource(strings = {"date", "gbSecond", "alertRule", "bytesALogLine", "readyGbSecond", "availabilityTest"})
    void aPriceThatIsMissingIsNamed(String missing) throws Exception {
        Path prices = folder.resolve("prices.json");
        Files.writeString(
                prices,
                """
                {"date": "2001-02-03", "currency": "XXX", "gbSecond": 1, "millionExecutions": 1, "tenThousandRequests": 1,
                 "gbStored": 0, "gbLogged": 0, "bytesALogLine": 0, "readyGbSecond": 1, "availabilityTest": 1, "freeGbSeconds": 0, "freeExecutions": 0, "alertRule": {}}"""
                        .replace("\"" + missing + "\"", "\"another\""));

        Program refused = cost("--prices", prices.toString());

        assertEquals(2, refused.exit());
        assertTrue(refused.output().contains(missing), refused.output());
    }

    @Test
    void aWrongOptionIsNamed() throws Exception {
        assertEquals(2, cost("--hours", "25").exit());
        assertTrue(cost("--numbers", "many").output().startsWith("--numbers must be"));
        assertEquals(2, cost("--nonsense").exit());
    }

    @Test
    void rowsAreAsLargeAsItReckons() throws IOException {
        String sequence = "costs/invoice";
        NumeraClient client = SharedHost.client();
        client.send(
                        "PUT",
                        "/api/sequences/" + sequence,
                        """
                {"guarantee": "gapless", "format": "INV-{yyyy}-{n:6}", "resetEvery": "year", "timeZone": "UTC", "start": 100000}""",
                        "If-None-Match",
                        "*",
                        "Content-Type",
                        "application/json")
                .expect(201);
        client.next(sequence, "", "order-00000000000001").expect(200);

        assertNear(
                constant("KEY_ROW_BYTES") + KEY_LENGTH * constant("KEY_ROW_BYTES_A_CHARACTER"),
                bytesOf(sequence, "key:"));
        assertNear(
                constant("GROUP_ROW_BYTES")
                        + constant("GROUP_ROW_BYTES_A_KEY")
                        + KEY_LENGTH * constant("GROUP_ROW_BYTES_A_CHARACTER"),
                bytesOf(sequence, "number:"));
    }

    /** Requires agreement within one percent. Texts and keys of other lengths make a larger difference. */
    private static void assertNear(long reckoned, long measured) {
        assertTrue(
                Math.abs(reckoned - measured) * 100 <= measured,
                () -> "it reckons with " + reckoned + " bytes, and there are " + measured);
    }

    private static long constant(String name) throws IOException {
        Matcher constant = Pattern.compile("(?m)^const " + name + " = (\\d+);$")
                .matcher(Files.readString(Path.of("tools/cost.mjs")));
        assertTrue(constant.find(), name);
        return Long.parseLong(constant.group(1));
    }

    /**
     * Returns the size by the service's formula: 4 bytes, the keys, and for each property 8 bytes, its name and its
     * value.
     */
    private static long bytesOf(String sequence, String rowKey) {
        TableEntity row = new TableClientBuilder()
                        .connectionString(SharedAzurite.connectionString())
                        .tableName(TableNames.COUNTERS)
                        .buildClient()
                        .listEntities(
                                new ListEntitiesOptions()
                                        .setFilter("PartitionKey eq '" + sequence.replace('/', ':')
                                                + "' and RowKey ge '" + rowKey + "' and RowKey lt '" + rowKey + "~'"),
                                null,
                                null)
                        .stream()
                        .findFirst()
                        .orElseThrow();
        long properties = row.getProperties().entrySet().stream()
                .filter(property -> !isOfTheWire(property.getKey()))
                .mapToLong(property -> 8 + 2L * property.getKey().length() + sizeOf(property.getValue()))
                .sum();
        return 4 + 2L * (row.getPartitionKey().length() + row.getRowKey().length()) + properties;
    }

    private static boolean isOfTheWire(String property) {
        return property.contains("odata.") || property.equals("PartitionKey") || property.equals("RowKey");
    }

    private static long sizeOf(Object value) {
        if (value instanceof String text) {
            return 4 + 2L * text.length();
        }
        if (value instanceof Integer) {
            return Integer.BYTES;
        }
        return value instanceof Boolean ? 1 : Long.BYTES;
    }

    private static Program cost(String... options) throws IOException, InterruptedException {
        return Program.node(Path.of("tools/cost.mjs"), List.of(options));
    }
}
