package dev.numera.sequences.ledger;

import dev.numera.core.model.Change.FieldChange;
import dev.numera.core.model.Sha256;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A hash, the counts and the runs of ledger entries, which callers add by period and in ascending order. The hash does
 * not depend on how the entries are stored. Not thread-safe.
 */
final class ClosingDigest {
    private final Sha256 lines = new Sha256();
    private final Instant recentFrom;
    private final List<FieldChange> recent = new ArrayList<>();
    private final long step;
    private final @Nullable ClosedRuns earlier;
    private final ClosedRuns runs = new ClosedRuns();
    private final List<Closing.Changed> changed = new ArrayList<>();
    private long changedCount;
    private long allocated;
    private long voided;
    private long reserved;

    /**
     * @param recentFrom the time from which each change is noted individually, by the clocks of the instances
     * @param increment the increment of the series
     * @param earlier the numbers of the earlier closing; null to compare with none
     */
    ClosingDigest(Instant recentFrom, long increment, @Nullable ClosedRuns earlier) {
        this.recentFrom = recentFrom;
        this.step = Math.abs(increment);
        this.earlier = earlier;
    }

    long allocated() {
        return allocated;
    }

    String sha256() {
        return lines.hex();
    }

    List<FieldChange> counts() {
        return List.of(
                Closing.field("allocated", allocated),
                Closing.field("void", voided),
                Closing.field("reserved", reserved));
    }

    List<FieldChange> recent() {
        return recent;
    }

    /** Returns the counted numbers with their status, for the next closing of the same dates. */
    List<FieldChange> runs() {
        return runs.fields();
    }

    /** Returns the number of numbers that the earlier closing did not have, or had with another status. */
    long changedCount() {
        return changedCount;
    }

    /** Returns the first allocations with such numbers. */
    List<Closing.Changed> changed() {
        return changed;
    }

    void add(LedgerLine entry) {
        Status status = entry.status();
        allocated += entry.count();
        voided += status.isVoid() ? entry.count() : 0;
        reserved += status.kind() == Status.Kind.RESERVED ? entry.count() : 0;
        if (isRecent(entry) && recent.size() < Closing.MAX_LISTED) {
            recent.add(Closing.seen(status, entry.period(), entry.first()));
        }
        runs.add(
                entry.period(),
                Math.min(entry.first(), entry.last()),
                Math.max(entry.first(), entry.last()),
                step,
                status.kind());
        compare(entry);
        long increment = increment(entry);
        for (int i = 0; i < entry.count(); i++) {
            int index = increment < 0 ? entry.count() - 1 - i : i;
            lines.add(line(entry, index, entry.first() + index * increment));
        }
    }

    private static long increment(LedgerLine entry) {
        return entry.count() == 1 ? 0 : (entry.last() - entry.first()) / (entry.count() - 1);
    }

    private void compare(LedgerLine entry) {
        if (earlier == null) {
            return;
        }
        long increment = increment(entry);
        long others = 0;
        for (int i = 0; i < entry.count(); i++) {
            long number = entry.first() + i * increment;
            others += earlier.isOther(entry.period(), number, entry.status().kind()) ? 1 : 0;
        }
        changedCount += others;
        if (others > 0 && changed.size() < Closing.MAX_LISTED) {
            changed.add(Closing.Changed.of(entry));
        }
    }

    private boolean isRecent(LedgerLine entry) {
        return Stream.of(
                        entry.allocatedAt(),
                        Objects.requireNonNullElse(entry.status().at(), Instant.MIN))
                .anyMatch(at -> !at.isBefore(recentFrom));
    }

    /**
     * Returns a line with the fields of a number, separated by tabs. No field contains a tab or a line feed: keys,
     * texts, reasons and actors are printable.
     */
    private static String line(LedgerLine entry, int index, long number) {
        Status status = entry.status();
        return Stream.of(
                        number,
                        entry.texts() == null ? null : entry.texts().get(index),
                        entry.key(),
                        entry.date(),
                        EnumWord.of(status.kind()),
                        status.reason(),
                        entry.actor(),
                        status.actor())
                .map(value -> Objects.toString(value, ""))
                .collect(Collectors.joining("\t", "", "\n"));
    }
}
