package dev.numera.operations;

import dev.numera.execution.Backoff;
import dev.numera.execution.Clock;
import dev.numera.execution.Limits;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.SequenceName;
import dev.numera.model.Suspension;
import dev.numera.operations.prove.CannotProve;
import dev.numera.operations.prove.Prove;
import dev.numera.operations.restore.BackupReader;
import dev.numera.operations.restore.TableRestore;
import dev.numera.sequence.AutoCreate;
import dev.numera.sequence.Maintenance;
import dev.numera.sequence.Sequences;
import dev.numera.storage.BackupBlobs;
import dev.numera.storage.StorageAccount;
import dev.numera.storage.StorageConnection;
import dev.numera.storage.TableExport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Backup and restore from the command line: {@code java -jar numera-maintain.jar}. The storage account is that of the
 * environment's {@code NumeraStorage}, by the same names as the app settings.
 */
public final class Maintain {
    private static final String HELP =
            """
            java -jar numera-maintain.jar COMMAND

              export PLACE               write a backup of all tables
              check PLACE                read a backup to its end, and say whether it is whole
              suspend --all              suspend every sequence; when this is done, no instance allocates
              resume --all               resume what 'suspend --all' or a restore suspended, but the sequences
                                         that 'advance' did not move after a restore
              resume --accept-restored NAME  resume one of these: your word that it allocated nothing
                                         beyond its counters since the backup
              restore PLACE              put a backup into tables without rows; its sequences are suspended
              restore PLACE --over-rows  the same once more, after a restore of this backup that broke off
              advance MARGIN             after a restore: move every sequence on by so many numbers (1 to 1,000,000);
                                         periods that have no counter open beyond their start by as many, from now on
              forget-margin --all        let such periods open at their start again
              close-creation             let calls for numbers create no sequences, after a failover that may have lost some
              allow-creation             let them again, also after a restore without an index
              reindex                    write the missing rows of the index, where its table alone was lost
              list                       the names of the backups in the container %s
              prove URL...               call a deployment, on scratch sequences of its own, and check what it answered

            PLACE is the path of a file, or blob:NAME for a backup in the container.
            The environment says which storage account: NumeraStorage=<connection string>, or
            NumeraStorage__accountName=<name> for the user of 'az login'.
            Exit code 0: done. 1: failed, and the message says why. 2: the command is none of these.

            prove needs no storage account, but the function keys NUMERA_KEY (numbers, statuses, ledger) and
            NUMERA_DEFINITIONS_KEY (PUT, advance, DELETE), where the app requires keys. A URL is such as
            https://HOST/api; several must be of one deployment. It writes history.json and history.html.
              --seconds N (1 to 3,600; 10), --callers N (1 to 64; 8), --numbers N (at most; 10 to 100,000; 10,000)
              --faults PORT              lose and repeat calls by a proxy on that port (0 for any) before a local app
              --out FOLDER               for the two files, which it replaces; the current one by default
            Exit code 0: no promise was broken. 1: one was. 2: it could not be checked, and the message says why."""
                    .formatted(BackupBlobs.CONTAINER);

    private static final String OVER_ROWS = "--over-rows";
    private static final String ALL = "--all";
    private static final String ACCEPT_RESTORED = "--accept-restored";
    private static final Pattern MARGIN = Pattern.compile("[1-9]\\d{0,6}");

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Limits LIMITS = new Limits(
            50,
            Duration.ofMinutes(1),
            new Backoff.FullJitter(Duration.ofMillis(10), Duration.ofSeconds(1)),
            Duration.ofMillis(30),
            Limits.LOSSES_BEFORE_PEER_REQUEST,
            1,
            100,
            0,
            0);

    /** The arguments are no command. */
    static final class NoCommand extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private NoCommand(String message) {
            super(message);
        }
    }

    /** The command did all that it could; an operator decides about the remaining sequences. */
    static final class LeftToDecide extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private LeftToDecide(String message) {
            super(message);
        }
    }

    private Maintain() {}

    /** Runs one command, and ends the process by its exit code. */
    public static void main(String... arguments) {
        System.exit(exitCode(arguments));
    }

    private static int exitCode(String... arguments) {
        try {
            if (arguments.length > 0 && arguments[0].equals("prove")) {
                return prove(System.getenv(), List.of(arguments).subList(1, arguments.length));
            }
            run(System.getenv(), arguments).forEach(System.out::println);
            return 0;
        } catch (NoCommand e) {
            System.err.println(e.getMessage() + "\n\n" + HELP);
            return 2;
        } catch (IOException | RuntimeException | LinkageError e) {
            tell(e);
            return 1;
        }
    }

    /** Whatever it is, the operator reads why, of each sequence and counter where it failed. */
    private static void tell(Throwable failure) {
        System.err.println("Failed: " + (failure.getMessage() == null ? failure : failure.getMessage()));
        Stream.of(failure.getSuppressed()).forEach(Maintain::tell);
    }

    /** Only a broken promise is 1. */
    static int prove(Map<String, String> environment, List<String> arguments) {
        try {
            return Prove.run(environment, arguments, System.out::println) ? 0 : 1;
        } catch (CannotProve e) {
            System.err.println(e.getMessage());
            return 2;
        } catch (RuntimeException | LinkageError e) {
            tell(e);
            return 2;
        }
    }

    /**
     * Runs one command other than {@code prove}; returns what there is to say.
     *
     * @param environment where the storage account is; a file is checked without one
     * @throws IOException a file could not be read or written, or is no whole backup
     * @throws IllegalArgumentException the arguments are no command
     */
    public static List<String> run(Map<String, String> environment, String... arguments) throws IOException {
        return run(environment, Clock.SYSTEM, arguments);
    }

    /** @param time for the time in which instances may still work by what they have read */
    static List<String> run(Map<String, String> environment, Clock time, String... arguments) throws IOException {
        List<String> values = List.of(arguments);
        String command = values.isEmpty() ? "" : values.get(0);
        if (List.of("help", "--help", "-h").contains(command)) {
            return List.of(HELP);
        }
        boolean isOver =
                command.equals("restore") && values.size() == 3 && values.get(2).equals(OVER_ROWS);
        boolean isAccepting =
                command.equals("resume") && values.size() == 3 && values.get(1).equals(ACCEPT_RESTORED);
        requireCommand(command, isOver || isAccepting ? 1 : Math.max(0, values.size() - 1));
        String value = values.size() > 1 ? values.get(1) : "";
        if (isAccepting) {
            SequenceName name = sequence(values.get(2));
            return accept(name, maintenance(StorageConnection.of(environment)));
        }
        if (List.of("suspend", "resume", "forget-margin").contains(command) && !value.equals(ALL)) {
            throw new NoCommand("The command " + command + " takes " + ALL
                    + (command.equals("resume") ? " or " + ACCEPT_RESTORED + " NAME" : "") + ", not " + value
                    + ": a single sequence is suspended and resumed over HTTP.");
        }
        return switch (command) {
            case "list" -> new BackupBlobs(StorageConnection.of(environment)).names();
            case "advance" -> advance(margin(value), maintenance(StorageConnection.of(environment)));
            case "export" -> export(Place.of(value, environment), StorageConnection.of(environment));
            case "check" -> check(Place.of(value, environment));
            case "suspend" -> suspend(maintenance(StorageConnection.of(environment)), time);
            case "resume" -> resume(maintenance(StorageConnection.of(environment)));
            case "forget-margin" -> forgetMargins(maintenance(StorageConnection.of(environment)));
            case "close-creation" -> closeCreation(maintenance(StorageConnection.of(environment)));
            case "allow-creation" -> allowCreation(maintenance(StorageConnection.of(environment)));
            case "reindex" -> reindex(StorageConnection.of(environment));
            default -> restore(Place.of(value, environment), isOver, StorageConnection.of(environment), time);
        };
    }

    private static void requireCommand(String command, int values) {
        int needed =
                switch (command) {
                    case "list", "close-creation", "allow-creation", "reindex" -> 0;
                    case "export", "check", "restore", "suspend", "resume", "advance", "forget-margin" -> 1;
                    default ->
                        throw new NoCommand(
                                command.isEmpty() ? "Say what to do." : "There is no command " + command + ".");
                };
        if (values != needed) {
            throw new NoCommand("The command " + command + " takes "
                    + List.of("nothing", "one value").get(needed) + " more, not " + values + ".");
        }
    }

    private static List<String> export(Place place, StorageConnection connection) throws IOException {
        long rows = place.export(new TableExport(connection));
        return List.of(rows + " rows exported to " + place + ".");
    }

    private static List<String> check(Place place) throws IOException {
        BackupReader.Contents backup = TableRestore.check(place.toString(), place::open);
        return List.of(place + " is whole: " + backup.rows() + " rows, started at " + backup.startedAt() + ".");
    }

    private static List<String> restore(Place place, boolean isOver, StorageConnection connection, Clock time)
            throws IOException {
        BackupReader.Contents backup =
                new TableRestore(connection).importFrom(place.toString(), place::open, isOver, time);
        return List.of(
                backup.rows() + " rows restored from " + place + ".",
                "Now advance every sequence by a margin, while all are suspended: advance MARGIN. The backup was started at "
                        + backup.startedAt() + ": the margin must be larger than the count of numbers that any sequence"
                        + " allocated since. Then resume them: resume " + ALL + ". See docs/operations.md.");
    }

    private static List<String> suspend(Maintenance maintenance, Clock time) {
        int suspended = maintenance.suspendAll().size();
        time.pause(Maintenance.HONORED_WITHIN);
        return List.of(
                suspended + " sequences are suspended. No call that starts from now on allocates a number, and no"
                        + " sequence is created, until you run: resume " + ALL + ".");
    }

    private static List<String> resume(Maintenance maintenance) {
        List<String> left = new ArrayList<>();
        List<SequenceName> suspended;
        try {
            suspended = maintenance.resumeAll((name, periods) -> left.add(left(name, periods)));
        } catch (RuntimeException e) {
            left.forEach(System.out::println);
            throw e;
        }
        List<String> byOwner = suspended.stream()
                .map(name -> name + " stays suspended by its owner.")
                .toList();
        requireNoneLeft(
                Stream.concat(byOwner.stream(), left.stream()).toList(),
                left.size(),
                "sequences stay suspended: a restore put them back, and they were not advanced since. All others are"
                        + " resumed.");
        return Stream.concat(Stream.of("The service is resumed."), byOwner.stream())
                .toList();
    }

    private static String left(SequenceName name, Set<String> periods) {
        String all = periods.stream().filter(period -> !period.isEmpty()).collect(Collectors.joining(", "));
        return name + (all.isEmpty() ? "" : " (" + all + ")")
                + ": advance MARGIN and then resume " + ALL
                + "; or, if nothing was allocated beyond its counters since the backup: resume "
                + ACCEPT_RESTORED + " " + name;
    }

    private static void requireNoneLeft(List<String> lines, int left, String what) {
        if (left > 0) {
            throw new LeftToDecide(left + " " + what + "\n" + String.join("\n", lines));
        }
    }

    private static List<String> accept(SequenceName name, Maintenance maintenance) {
        Suspension left = maintenance.acceptRestored(name);
        String accepted = "The restored counters of " + name + " are accepted as they are. ";
        if (left.isMaintenance()) {
            return List.of(accepted + "It is resumed by: resume " + ALL + ".");
        }
        return List.of(accepted + (left.isByOwner() ? "It stays suspended by its owner." : "It is resumed."));
    }

    private static SequenceName sequence(String value) {
        String[] parts = value.split("/", -1);
        if (parts.length != 2) {
            throw new NoCommand("A sequence is named SCOPE/NAME, not " + value + ".");
        }
        return new SequenceName(parts[0], parts[1]);
    }

    private static List<String> forgetMargins(Maintenance maintenance) {
        maintenance.forgetMargins();
        return List.of("Periods open at their start again.");
    }

    private static List<String> closeCreation(Maintenance maintenance) {
        maintenance.closeCreation();
        return List.of("Calls for numbers create no sequences, until allow-creation.");
    }

    private static List<String> allowCreation(Maintenance maintenance) {
        maintenance.allowCreation();
        return List.of("Calls for numbers may create sequences again, as Numera_AutoCreate says.");
    }

    private static List<String> reindex(StorageConnection connection) {
        StorageAccount account = new StorageAccount(connection, REQUEST_TIMEOUT);
        account.createIndex();
        Set<SequenceName> missing = maintenance(account).reindex();
        return Stream.concat(
                        Stream.of(missing.size() + " rows of the index were missing, and are written."),
                        missing.stream().map(SequenceName::toString))
                .toList();
    }

    private static Maintenance maintenance(StorageConnection connection) {
        return maintenance(new StorageAccount(connection, REQUEST_TIMEOUT));
    }

    private static Maintenance maintenance(StorageAccount account) {
        return Sequences.over(account.stores(), AutoCreate.NEVER, LIMITS).maintenance();
    }

    /** Also when some sequences cannot be moved, the others are listed. */
    private static List<String> advance(long margin, Maintenance maintenance) {
        ChangeNote note = new ChangeNote(null, "after a restore, by the margin " + margin);
        List<String> moved = new ArrayList<>();
        List<String> left = new ArrayList<>();
        try {
            maintenance.skipAll(margin, note, (name, move) -> {
                if (move.isNone()) {
                    maintenance.suspendForMaintenance(name);
                    left.add(left(name, move));
                } else {
                    moved.add(moved(name, move));
                }
            });
        } catch (RuntimeException e) {
            Stream.of(moved, left).flatMap(List::stream).forEach(System.out::println);
            throw e;
        }
        if (!left.isEmpty()) {
            moved.forEach(System.out::println);
        }
        requireNoneLeft(
                left,
                left.size(),
                "counters have less than twice the margin left, and were not moved: their sequences stay suspended. All"
                        + " others were.");
        return moved;
    }

    private static String moved(SequenceName name, Change.Move move) {
        return counter(name, move) + ": from " + move.previousNext() + " to " + move.next();
    }

    private static String left(SequenceName name, Change.Move move) {
        return counter(name, move) + " stays at " + move.next()
                + ": widen its range or take a smaller margin, and advance again; or advance it over HTTP by the margin"
                + " at least; or, if nothing was allocated beyond it since the backup: resume " + ACCEPT_RESTORED + " "
                + name;
    }

    private static String counter(SequenceName name, Change.Move move) {
        return name + (move.period().isEmpty() ? "" : " " + move.period());
    }

    private static long margin(String value) {
        if (MARGIN.matcher(value).matches() && Long.parseLong(value) <= Maintenance.MAX_MARGIN) {
            return Long.parseLong(value);
        }
        throw new NoCommand("The margin must be a whole number from 1 to 1,000,000, not " + value + ".");
    }
}
