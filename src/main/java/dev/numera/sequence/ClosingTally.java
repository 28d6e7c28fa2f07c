package dev.numera.sequence;

import dev.numera.model.Change.FieldChange;
import dev.numera.model.Sha256;
import dev.numera.model.Status;
import dev.numera.problem.Word;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the ledger says of numbers, by period and then ascending, however it is stored. Not thread-safe. */
final class ClosingTally {
    private final Sha256 lines = new Sha256();
    private final Instant recentFrom;
    private final List<FieldChange> recent = new ArrayList<>();
    private long allocated;
    private long voided;
    private long reserved;

    /** @param recentFrom what changed since then, by the clocks of the instances, is noted one by one */
    ClosingTally(Instant recentFrom) {
        this.recentFrom = recentFrom;
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

    void add(Ledger.Entry entry) {
        Status status = entry.status();
        allocated += entry.count();
        voided += status.isVoid() ? entry.count() : 0;
        reserved += status.kind() == Status.Kind.RESERVED ? entry.count() : 0;
        if (isRecent(entry) && recent.size() < Closing.MAX_LISTED) {
            recent.add(Closing.seen(status, entry.period(), entry.first()));
        }
        long step = entry.count() == 1 ? 0 : (entry.last() - entry.first()) / (entry.count() - 1);
        for (int i = 0; i < entry.count(); i++) {
            int index = step < 0 ? entry.count() - 1 - i : i;
            lines.add(line(entry, index, entry.first() + index * step));
        }
    }

    private boolean isRecent(Ledger.Entry entry) {
        return Stream.of(
                        entry.allocatedAt(),
                        Objects.requireNonNullElse(entry.status().at(), Instant.MIN))
                .anyMatch(at -> !at.isBefore(recentFrom));
    }

    /** None of the parts contains a tab or a line feed: keys, texts, reasons and actors are printable. */
    private static String line(Ledger.Entry entry, int index, long number) {
        Status status = entry.status();
        return Stream.of(
                        number,
                        entry.texts() == null ? null : entry.texts().get(index),
                        entry.key(),
                        entry.date(),
                        Word.of(status.kind()),
                        status.reason(),
                        entry.actor(),
                        status.actor())
                .map(value -> Objects.toString(value, ""))
                .collect(Collectors.joining("\t", "", "\n"));
    }
}
