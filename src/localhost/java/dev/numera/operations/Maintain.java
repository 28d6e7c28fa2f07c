package dev.numera.operations;

import dev.numera.counter.Backoff;
import dev.numera.counter.ChangeNote;
import dev.numera.counter.CounterLimits;
import dev.numera.sequence.Administration;
import dev.numera.sequence.AutoCreate;
import dev.numera.sequence.SequenceLimits;
import dev.numera.sequence.Sequences;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Backup and restore from the command line: {@code mvn -q -Pmaintain -Dexport=FILE}, {@code -Dimport=FILE} or
 * {@code -DskipNumbers=MARGIN}. The storage account is that of the environment's {@code NumeraStorage}, by the same
 * names as the app settings.
 */
public final class Maintain {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final CounterLimits RETRIES = new CounterLimits(
            50,
            Duration.ofMinutes(1),
            new Backoff.FullJitter(Duration.ofMillis(10), Duration.ofSeconds(1)),
            Duration.ofMillis(30),
            1);
    private static final SequenceLimits LIMITS = new SequenceLimits(RETRIES, 100, 0);

    private Maintain() {}

    /**
     * @param arguments what to do: {@code export}, {@code import} or {@code skip}, each with its value; empty values
     *     are left out
     */
    public static void main(String... arguments) throws IOException {
        run(System.getenv(), arguments).forEach(System.out::println);
    }

    public static List<String> run(Map<String, String> environment, String... arguments) throws IOException {
        StorageConnection connection = StorageConnection.of(environment);
        for (int at = 0; at + 1 < arguments.length; at += 2) {
            String value = arguments[at + 1];
            if (value != null && !value.isEmpty()) {
                return run(connection, arguments[at], value);
            }
        }
        throw new IllegalArgumentException("Say what to do: -Dexport=FILE, -Dimport=FILE or -DskipNumbers=MARGIN.");
    }

    private static List<String> run(StorageConnection connection, String what, String value) throws IOException {
        return switch (what) {
            case "export" ->
                List.of(new TableCopy(connection).exportTo(Path.of(value)) + " rows exported to " + value + ".");
            case "import" ->
                List.of(new TableCopy(connection).importFrom(Path.of(value)) + " rows imported from " + value + ".");
            default -> skip(connection, margin(value));
        };
    }

    private static List<String> skip(StorageConnection connection, long margin) {
        StorageAccount account = new StorageAccount(connection, REQUEST_TIMEOUT);
        Sequences sequences = Sequences.over(account.stores(), AutoCreate.NEVER, LIMITS);
        return sequences.administration().skipEverywhere(margin, new ChangeNote(null, "skipNumbers=" + margin)).stream()
                .map(Maintain::line)
                .toList();
    }

    private static String line(Administration.Skipped skipped) {
        String period = skipped.period().isEmpty() ? "" : " " + skipped.period();
        return skipped.name() + period + ": from " + skipped.advanced().previousNext() + " to "
                + skipped.advanced().next();
    }

    private static long margin(String value) {
        if (value.matches("[1-9]\\d{0,17}")) {
            return Long.parseLong(value);
        }
        throw new IllegalArgumentException("skipNumbers must be a whole number from 1 on, not " + value + ".");
    }
}
