package dev.numera.maintain;

import dev.numera.azure.StorageConnection;
import dev.numera.azure.backup.BackupBlobs;
import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.Clock;
import dev.numera.maintain.prove.CannotProve;
import dev.numera.maintain.prove.Prove;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The command line program for backup, restore and maintenance: {@code java -jar numera-maintain.jar}. It finds the
 * storage account in the environment variables {@code NumeraStorage} and {@code NumeraStorage__accountName}, which have
 * the same meaning as the app settings.
 */
public final class Maintain {
    private static final String HELP =
            """
            java -jar numera-maintain.jar COMMAND

            Back up and recover:
              list                       list the backups in the container %s
              export PLACE               write a backup of all tables
              check PLACE                read a backup to its end and check that it is complete
              recover PLACE --margin N   recover the service from a backup in one command: suspend everything, restore
                                         the rows, advance every counter by N (1 to 1,000,000), resume, and list what
                                         is left to decide. If it is interrupted, the same command continues.
                --dry-run                only print what it would do
                --from-account NAME      accept a backup of another storage account
              reindex                    write the missing rows of the index, if only the index table was lost
              prove URL...               call a deployment on scratch sequences of its own and check its answers
              attention URL              list what needs a person; for a key set NUMERA_KEY (may call ListAttention)

            Single steps, which recover does for you:
              suspend --all              suspend every sequence; afterwards no instance allocates numbers
              restore PLACE              restore a backup into empty tables; its sequences are suspended
              restore PLACE --over-rows  continue an interrupted restore of the same backup
              close-creation             let calls for numbers create no sequences, after a failover that may have lost
                                         some
              advance MARGIN             after a restore: advance every counter by MARGIN (1 to 1,000,000);
                                         periods without a counter will start later by MARGIN, too
              resume --all               resume the sequences that 'suspend --all' or a restore suspended, except those
                                         that were restored and not advanced since

            Decisions, which recover leaves to you:
              resume --accept-restored NAME  resume a restored sequence without an advance: you state that it allocated
                                         nothing beyond its counters after the backup
              forget-margin --all        let periods without a counter start at their first number again
              allow-creation             let calls for numbers create sequences again, also after a recovery without an
                                         index

            PLACE is the path of a file, or blob:NAME for a backup in the container. NAME of resume is SCOPE/NAME.
            The environment names the storage account: NumeraStorage=<connection string>, or
            NumeraStorage__accountName=<name> for the user of 'az login'.
            Exit code 0: done. 1: failed; the message says why. 2: the command or its arguments are wrong.
            3: done, except for the sequences that the output lists: you decide about them.
            Exit code of attention: 0: nothing needs a person. 1: the output lists what does. 2: it could not be read.

            prove needs no storage account. If the app requires keys, set the function keys NUMERA_KEY (numbers, statuses,
            ledger) and NUMERA_DEFINITIONS_KEY (PUT, advance, DELETE). A URL looks like https://HOST/api; several URLs
            must belong to one deployment. prove writes history.json and history.html.
              --seconds N (1 to 3,600; default 10), --callers N (1 to 64; default 8)
              --numbers N (the most numbers to request, 10 to 100,000; default 10,000)
              --faults PORT              lose and repeat calls with a proxy on this port (0: any port) before a local app
              --out FOLDER               write the two files here and replace existing ones; default: the current folder
            Exit code 0: every promise was kept. 1: a promise was broken. 2: it could not be checked, and the message says why."""
                    .formatted(BackupBlobs.CONTAINER);

    private static final String OVER_ROWS = "--over-rows";
    private static final Set<String> STEPS_OF_RECOVERY =
            Set.of("suspend", "restore", "close-creation", "advance", "resume");

    private Maintain() {}

    /** Runs one command, then ends the process with the command's exit code. */
    public static void main(String... arguments) {
        System.exit(exitCode(arguments));
    }

    private static int exitCode(String... arguments) {
        try {
            if (arguments.length > 0 && arguments[0].equals("prove")) {
                return prove(System.getenv(), List.of(arguments).subList(1, arguments.length));
            }
            if (arguments.length > 0 && arguments[0].equals(AttentionCommand.NAME)) {
                return attention(System.getenv(), List.of(arguments).subList(1, arguments.length));
            }
            hint(List.of(arguments)).ifPresent(System.err::println);
            run(System.getenv(), arguments).forEach(System.out::println);
            return 0;
        } catch (LeftToDecide e) {
            System.out.println(e.getMessage());
            return 3;
        } catch (NoCommand e) {
            System.err.println(e.getMessage() + "\n\n" + usage(arguments));
            return 2;
        } catch (IOException | RuntimeException | LinkageError e) {
            tell(e);
            return 1;
        }
    }

    /** Returns the sentence that names {@code recover} if the command is one of its steps; empty for other commands. */
    static Optional<String> hint(List<String> arguments) {
        boolean isStep = !arguments.isEmpty()
                && STEPS_OF_RECOVERY.contains(arguments.get(0))
                && !arguments.contains(ServiceCommands.ACCEPT_RESTORED);
        return isStep
                ? Optional.of("After a loss, the command recover does this step and all others of a recovery.")
                : Optional.empty();
    }

    /** Returns the lines of the help for the command of these arguments; all lines if it is no command. */
    static String usage(String... arguments) {
        if (arguments.length == 0) {
            return HELP;
        }
        List<String> lines = new ArrayList<>();
        boolean isOfCommand = false;
        for (String line : HELP.lines().toList()) {
            boolean isContinued = line.startsWith("    ");
            isOfCommand = isContinued ? isOfCommand : (line + " ").startsWith("  " + arguments[0] + " ");
            if (isOfCommand) {
                lines.add(line);
            }
        }
        return lines.isEmpty() ? HELP : String.join("\n", lines);
    }

    /** Prints why the command failed, then the failure of each sequence or counter that it could not process. */
    private static void tell(Throwable failure) {
        // The message of a failure of a file system may be the name of the file alone.
        boolean saysWhy = failure.getMessage() != null && !(failure instanceof FileSystemException);
        System.err.println("Failed: " + (saysWhy ? failure.getMessage() : failure));
        Stream.of(failure.getSuppressed()).forEach(Maintain::tell);
    }

    /** Returns exit code 1 only if something needs a person, and 2 when the deployment could not be read. */
    static int attention(Map<String, String> environment, List<String> arguments) {
        try {
            List<String> lines = AttentionCommand.run(environment, arguments);
            lines.forEach(System.out::println);
            return lines.isEmpty() ? 0 : 1;
        } catch (IOException | RuntimeException | LinkageError e) {
            tell(e);
            return 2;
        }
    }

    /** Returns exit code 1 only for a broken promise, and 2 when the run could not be checked. */
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
     * Runs one command other than {@code prove} and returns the lines to print.
     *
     * @param environment the environment variables that name the storage account; checking a file needs none
     * @throws IOException a file cannot be read or written, or is not a complete backup
     * @throws IllegalArgumentException the arguments are not a command
     */
    public static List<String> run(Map<String, String> environment, String... arguments) throws IOException {
        return run(environment, Clock.SYSTEM, arguments);
    }

    /** @param time the clock for the pause until all instances have noticed a suspension */
    static List<String> run(Map<String, String> environment, Clock time, String... arguments) throws IOException {
        List<String> values = List.of(arguments);
        String command = values.isEmpty() ? "" : values.get(0);
        if (List.of("help", "--help", "-h").contains(command)) {
            return List.of(HELP);
        }
        if (values.contains("--help")) {
            return List.of(usage(arguments));
        }
        if (command.equals(RecoverCommand.NAME)) {
            return RecoverCommand.of(values.subList(1, values.size())).run(environment, time);
        }
        boolean isOver =
                command.equals("restore") && values.size() == 3 && values.get(2).equals(OVER_ROWS);
        boolean isAccepting =
                command.equals("resume") && values.size() == 3 && values.get(1).equals(ServiceCommands.ACCEPT_RESTORED);
        requireCommand(command, isOver || isAccepting ? 1 : Math.max(0, values.size() - 1));
        String value = values.size() > 1 ? values.get(1) : "";
        if (isAccepting) {
            SequenceName name = sequence(values.get(2));
            return new ServiceCommands(StorageConnection.of(environment)).accept(name);
        }
        if (List.of("suspend", "resume", "forget-margin").contains(command) && !value.equals(ServiceCommands.ALL)) {
            throw new NoCommand("The command " + command + " takes " + ServiceCommands.ALL
                    + (command.equals("resume") ? " or " + ServiceCommands.ACCEPT_RESTORED + " NAME" : "") + ", not "
                    + value
                    + ": a single sequence is suspended and resumed over HTTP.");
        }
        return switch (command) {
            case "list" -> new BackupBlobs(StorageConnection.of(environment)).names();
            case "advance" -> {
                long margin = RecoverCommand.margin(value);
                yield new ServiceCommands(StorageConnection.of(environment)).advance(margin);
            }
            case "export" ->
                BackupCommands.export(BackupLocation.of(value, environment), StorageConnection.of(environment));
            case "check" -> BackupCommands.check(BackupLocation.of(value, environment));
            case "suspend" -> new ServiceCommands(StorageConnection.of(environment)).suspend(time);
            case "resume" -> new ServiceCommands(StorageConnection.of(environment)).resume();
            case "forget-margin" -> new ServiceCommands(StorageConnection.of(environment)).forgetMargins();
            case "close-creation" -> new ServiceCommands(StorageConnection.of(environment)).closeCreation();
            case "allow-creation" -> new ServiceCommands(StorageConnection.of(environment)).allowCreation();
            case "reindex" -> new ServiceCommands(StorageConnection.of(environment)).reindex(time);
            default ->
                BackupCommands.restore(
                        BackupLocation.of(value, environment), isOver, StorageConnection.of(environment), time);
        };
    }

    private static void requireCommand(String command, int values) {
        int needed =
                switch (command) {
                    case "list", "close-creation", "allow-creation", "reindex" -> 0;
                    case "export", "check", "restore", "suspend", "resume", "advance", "forget-margin" -> 1;
                    default ->
                        throw new NoCommand(
                                command.isEmpty() ? "A command is missing." : "Unknown command: " + command + ".");
                };
        if (values != needed) {
            throw new NoCommand("The command " + command + " takes "
                    + List.of("no argument", "1 argument").get(needed) + ", not " + values + ".");
        }
    }

    private static SequenceName sequence(String value) {
        String[] parts = value.split("/", -1);
        if (parts.length != 2) {
            throw new NoCommand("A sequence is named SCOPE/NAME, not " + value + ".");
        }
        return new SequenceName(parts[0], parts[1]);
    }
}
