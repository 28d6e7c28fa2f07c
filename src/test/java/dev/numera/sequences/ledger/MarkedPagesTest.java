package dev.numera.sequences.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.AutoCreate;
import dev.numera.sequences.definition.Precondition;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A call for the reserved numbers of a day does not read those of years. */
class MarkedPagesTest {
    private static final SequenceName NAME = new SequenceName("shop", "order");
    private static final LocalDate EARLIER = LocalDate.of(2026, 2, 3);
    private static final LocalDate DAY = LocalDate.of(2026, 3, 1);
    private static final int ENTRIES = 100;

    private final Sequences sequences = TestSequences.over(new MemoryCounterStore())
            .with(AutoCreate.NEVER)
            .with(TestClock.standing(Instant.parse("2026-03-01T12:00:00Z")))
            .start();

    @Test
    void aPageEndsAfterAThousandReservedNumbers() {
        sequences.editor().put(NAME, DefinitionDraft.EMPTY, Precondition.ABSENT, ChangeNote.NONE);
        IntStream.range(0, 11).forEach(hundred -> reserve("old-" + hundred, EARLIER));
        reserve("new", DAY);

        Page<LedgerLine, LedgerPosition> first = read(null);
        assertEquals(List.of(), first.items());
        Page<LedgerLine, LedgerPosition> second = read(Objects.requireNonNull(first.next()));
        assertEquals(ENTRIES, second.items().size());
        assertEquals(1_101, second.items().get(0).first());
    }

    private void reserve(String prefix, LocalDate date) {
        List<NumberRequest> requests = new ArrayList<>();
        for (int own = 0; own < ENTRIES; own++) {
            requests.add(new NumberRequest(prefix + "-" + own, 1, date, true));
        }
        sequences.allocator().next(NAME, requests.subList(0, ENTRIES / 2));
        sequences.allocator().next(NAME, requests.subList(ENTRIES / 2, ENTRIES));
    }

    private Page<LedgerLine, LedgerPosition> read(LedgerPosition position) {
        LedgerFilter wanted = new LedgerFilter(-Series.LARGEST_VALUE, Series.LARGEST_VALUE, DAY, DAY, null);
        return sequences.ledger().read(NAME, wanted.with(Status.Kind.RESERVED), null, position, ENTRIES);
    }
}
