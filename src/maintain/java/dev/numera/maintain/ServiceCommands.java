package dev.numera.maintain;

import dev.numera.azure.StorageAccount;
import dev.numera.azure.StorageConnection;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Suspension;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.Backoff;
import dev.numera.core.retry.Clock;
import dev.numera.core.retry.Limits;
import dev.numera.core.snowflake.WorkerStore;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.catalog.Maintenance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The commands that maintain the whole service. Each returns the lines to print. A command that fails halfway first
 * prints what it did to standard output. Not thread-safe.
 */
final class ServiceCommands {
    static final String ALL = "--all";
    static final String ACCEPT_RESTORED = "--accept-restored";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    /** More than the maintenance ever makes of one sequence. */
    private static final int CALLS_AT_ONCE = 100;

    private static final Limits LIMITS = new Limits(
            50,
            Duration.ofMinutes(1),
            new Backoff.FullJitter(Duration.ofMillis(10), Duration.ofSeconds(1)),
            Duration.ofMillis(30),
            Limits.LOSSES_BEFORE_PEER_REQUEST,
            CALLS_AT_ONCE,
            100,
            0,
            0);

    private final StorageAccount account;
    private final Maintenance maintenance;

    /** @throws ProblemException {@code misconfigured}: the connection is unusable */
    ServiceCommands(StorageConnection connection) {
        this.account = new StorageAccount(connection, REQUEST_TIMEOUT);
        this.maintenance =
                Sequences.over(account.stores(), AutoCreate.NEVER, LIMITS).maintenance();
    }

    Maintenance maintenance() {
        return maintenance;
    }

    WorkerStore workers() {
        return account.stores().workers().get();
    }

    List<String> suspend(Clock time) {
        int suspended = maintenance.suspendAll().size();
        time.pause(Maintenance.HONORED_WITHIN);
        return List.of(
                suspended + " sequences are suspended. No call that starts from now on allocates a number, and no"
                        + " sequence is created, until you run: resume " + ALL + ".");
    }

    List<String> resume() {
        List<String> left = Collections.synchronizedList(new ArrayList<>());
        List<SequenceName> suspended;
        try {
            suspended = maintenance.resumeAll((name, periods) -> left.add(left(name, periods)));
        } catch (RuntimeException e) {
            sorted(left).forEach(System.out::println);
            throw e;
        }
        List<String> byOwner = sorted(suspended.stream()
                .map(name -> name + " stays suspended by its owner.")
                .toList());
        requireNoneLeft(
                Stream.concat(byOwner.stream(), sorted(left).stream()).toList(),
                left.size(),
                "sequences stay suspended, because they were restored and not advanced since. All others are"
                        + " resumed.");
        return Stream.concat(Stream.of("The service is resumed."), byOwner.stream())
                .toList();
    }

    /** Several sequences are worked on at once, in no order. */
    private static List<String> sorted(List<String> lines) {
        return lines.stream().sorted().toList();
    }

    private static String left(SequenceName name, Set<String> periods) {
        String all = periods.stream().filter(period -> !period.isEmpty()).collect(Collectors.joining(", "));
        return name + (all.isEmpty() ? "" : " (" + all + ")")
                + ": advance it by POST .../advance beyond every number that it allocated since the backup, if any, then"
                + " run: resume " + ACCEPT_RESTORED + " " + name
                + ". If you have not run advance MARGIN since the restore, which advances every sequence of the service,"
                + " run it first.";
    }

    private static void requireNoneLeft(List<String> lines, int left, String what) {
        if (left > 0) {
            throw new LeftToDecide(left + " " + what + "\n" + String.join("\n", lines));
        }
    }

    List<String> accept(SequenceName name) {
        Suspension left = maintenance.acceptRestored(name);
        String accepted = "The restored counters of " + name + " are accepted as they are. ";
        if (left.isMaintenance()) {
            return List.of(accepted + "To resume it, run: resume " + ALL + ".");
        }
        return List.of(accepted + (left.isByOwner() ? "It stays suspended by its owner." : "It is resumed."));
    }

    List<String> forgetMargins() {
        maintenance.forgetMargins();
        return List.of("Periods without a counter will start at their first number again.");
    }

    List<String> closeCreation() {
        maintenance.closeCreation();
        return List.of("Calls for numbers create no sequences until you run: allow-creation.");
    }

    List<String> allowCreation() {
        maintenance.allowCreation();
        return List.of("Calls for numbers may create sequences again, as Numera_AutoCreate says.");
    }

    /**
     * Writes the missing rows of the index while the service is suspended, so that no instance creates a sequence
     * meanwhile. Resumes the service, unless it was suspended before.
     */
    List<String> reindex(Clock time) {
        account.createIndex();
        boolean wasSuspended = maintenance.isSuspended();
        // Suspending a sequence writes its index row too, so the missing rows are found before.
        Set<SequenceName> written = new HashSet<>(maintenance.reindex());
        if (!wasSuspended) {
            suspend(time);
            written.addAll(maintenance.reindex());
        }
        List<String> missing =
                sorted(written.stream().map(SequenceName::toString).toList());
        List<String> lines = new ArrayList<>();
        lines.add(missing.size() + " missing rows of the index were written.");
        lines.addAll(missing);
        lines.add("A sequence whose definition was lost too is unknown: define it by PUT with a start beyond its last"
                + " number.");
        if (wasSuspended) {
            lines.add("The service was suspended before, and stays so until you run: resume " + ALL);
            return lines;
        }
        try {
            lines.addAll(resume());
        } catch (RuntimeException e) {
            lines.forEach(System.out::println);
            throw e;
        }
        return lines;
    }

    /**
     * Advances every counter and returns one line for each. When some cannot be advanced, prints the lines of the
     * others before it fails.
     */
    List<String> advance(long margin) {
        ChangeNote note = new ChangeNote(null, "after a restore, by the margin " + margin);
        List<String> moved = Collections.synchronizedList(new ArrayList<>());
        List<String> left = Collections.synchronizedList(new ArrayList<>());
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
            Stream.of(sorted(moved), sorted(left)).flatMap(List::stream).forEach(System.out::println);
            throw e;
        }
        if (!left.isEmpty()) {
            sorted(moved).forEach(System.out::println);
        }
        requireNoneLeft(
                sorted(left),
                left.size(),
                "counters were not advanced, because less than twice the margin is left: their sequences stay suspended."
                        + " All other counters were advanced.");
        return sorted(moved);
    }

    private static String moved(SequenceName name, Change.Move move) {
        return counter(name, move) + ": from " + move.previousNext() + " to " + move.next();
    }

    private static String left(SequenceName name, Change.Move move) {
        return counter(name, move) + " stays at " + move.next()
                + ". Either widen its range or choose a smaller margin, and advance again; or advance it over HTTP by at"
                + " least the margin; or, if it allocated nothing beyond it after the backup, run: resume "
                + ACCEPT_RESTORED + " " + name;
    }

    private static String counter(SequenceName name, Change.Move move) {
        return name + (move.period().isEmpty() ? "" : " " + move.period());
    }
}
