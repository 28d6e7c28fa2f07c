package dev.numera.maintain;

import dev.numera.azure.StorageConnection;
import dev.numera.azure.backup.BackupTables;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.Clock;
import dev.numera.maintain.restore.Recovery;
import dev.numera.maintain.restore.RecoveryReport;
import dev.numera.sequences.catalog.Maintenance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code recover}: everything from the suspension to the last resumed sequence, and a list of what is left
 * to decide.
 *
 * @param fromAccount the account that the backup may come from; null for the account that is recovered
 */
record RecoverCommand(String place, long margin, boolean isDryRun, @Nullable String fromAccount) {
    static final String NAME = "recover";
    private static final String MARGIN = "--margin";
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[1-9]\\d{0,6}");
    private static final String DRY_RUN = "--dry-run";
    private static final String FROM_ACCOUNT = "--from-account";

    /**
     * Reads the arguments that follow the name of the command.
     *
     * @throws NoCommand the place or the margin is missing, or an option is unknown, repeated or without its value
     */
    static RecoverCommand of(List<String> arguments) {
        String place = null;
        String margin = null;
        String fromAccount = null;
        boolean isDryRun = false;
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith("--") && !seen.add(argument)) {
                throw new NoCommand("The option " + argument + " appears twice: name it once.");
            }
            if (argument.equals(DRY_RUN)) {
                isDryRun = true;
            } else if (argument.equals(MARGIN)) {
                margin = value(arguments, ++i, "a number, for example 100000");
            } else if (argument.equals(FROM_ACCOUNT)) {
                fromAccount = value(arguments, ++i, "the name of a storage account");
            } else if (place == null && !argument.startsWith("--")) {
                place = argument;
            } else {
                throw new NoCommand("The command " + NAME + " takes PLACE, --margin N, --dry-run and --from-account"
                        + " NAME, not " + argument + ".");
            }
        }
        if (place == null || margin == null) {
            throw new NoCommand("The command " + NAME + " needs "
                    + (place == null ? "the PLACE of a backup: list shows those in the container" : "--margin N")
                    + ".");
        }
        return new RecoverCommand(place, margin(margin), isDryRun, fromAccount);
    }

    private static String value(List<String> arguments, int at, String what) {
        if (at == arguments.size() || arguments.get(at).startsWith("--")) {
            throw new NoCommand(arguments.get(at - 1) + " needs a value: " + what + ".");
        }
        return arguments.get(at);
    }

    /**
     * Runs the command; returns its summary.
     *
     * @throws LeftToDecide the recovery is complete, and an operator decides about the sequences that the message lists
     */
    List<String> run(Map<String, String> environment, Clock time) throws IOException {
        StorageConnection connection = StorageConnection.of(environment);
        BackupLocation location = BackupLocation.of(place, environment);
        ServiceCommands service = new ServiceCommands(connection);
        Recovery recovery = new Recovery(
                new BackupTables(connection),
                service.maintenance(),
                service.workers(),
                time,
                line -> System.err.println(line));
        Recovery.Request request = new Recovery.Request(place, location::open, margin, fromAccount);
        if (isDryRun) {
            return recovery.preview(request);
        }
        RecoveryReport report = recovery.run(request);
        List<String> lines = lines(report);
        if (report.isLeftToDecide()) {
            throw new LeftToDecide(String.join("\n", lines));
        }
        return lines;
    }

    private List<String> lines(RecoveryReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("Recovered from " + place + ": " + report.sequences() + " sequences, " + report.counters()
                + " counters, with the margin " + margin + ". The backup was started at "
                + report.backup().startedAt() + ".");
        report.suspendedByOwner().forEach(name -> lines.add(name + " stays suspended by its owner."));
        report.retired().forEach(name -> lines.add(name + " stays retired."));
        if (report.isLeftToDecide()) {
            lines.add("Left to decide:");
        }
        report.tooFew()
                .forEach((name, moves) -> lines.add(name + " stays suspended: "
                        + moves.stream()
                                .map(move ->
                                        (move.period().isEmpty() ? "its counter" : "the counter of " + move.period())
                                                + " is at " + move.next())
                                .collect(Collectors.joining(", "))
                        + " and has fewer numbers left than twice the margin. Widen its range (PATCH) and run this command"
                        + " again; or, if it allocated nothing since the backup: " + accept(name)));
        report.notResumed()
                .forEach((name, periods) -> lines.add(name + " stays suspended: run this command again; or,"
                        + " if it allocated nothing since the backup: " + accept(name)));
        report.failed()
                .forEach((name, problem) -> lines.add(
                        name + " stays suspended: " + problem.getMessage() + " Then run this command again."));
        report.lost()
                .forEach(name -> lines.add(name + " is not in the backup: its calls answer rolled-back until you"
                        + " define it by PUT with If-None-Match: * and a start beyond its last number."));
        if (report.isCreationClosed()) {
            lines.add("Calls for numbers create no sequences, because the index was lost. Define the sequences that are"
                    + " missing, each with a start beyond its last number. Then: allow-creation");
        }
        lines.add(
                "Periods without a counter open beyond their start by the margin. When no period of the time before the"
                        + " recovery can open any more: forget-margin " + ServiceCommands.ALL);
        return lines;
    }

    private static String accept(SequenceName name) {
        return "resume " + ServiceCommands.ACCEPT_RESTORED + " " + name;
    }

    /** @throws NoCommand the margin is no whole number from 1 to {@value Maintenance#MAX_MARGIN} */
    static long margin(String value) {
        if (WHOLE_NUMBER.matcher(value).matches() && Long.parseLong(value) <= Maintenance.MAX_MARGIN) {
            return Long.parseLong(value);
        }
        throw new NoCommand("The margin must be a whole number from 1 to 1,000,000, not " + value + ".");
    }
}
