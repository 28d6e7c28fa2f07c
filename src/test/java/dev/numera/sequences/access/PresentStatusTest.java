package dev.numera.sequences.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.format.ResetEvery;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Status;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.Sequences;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.definition.Precondition;
import dev.numera.sequences.ledger.LedgerStore;
import dev.numera.sequences.ledger.UnsentStatusChanges;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stored answers get the present status of their numbers with few queries. */
class PresentStatusTest {
    private static final SequenceName NAME = new SequenceName("shop", "ticket");
    private static final LocalDate THIS_YEAR = LocalDate.of(2026, 11, 21);
    private static final LocalDate LAST_YEAR = LocalDate.of(2025, 11, 21);

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final List<String> queries = new ArrayList<>();
    private final Sequences sequences = TestSequences.over(memory)
            .with(ForwardingStore.over(LedgerStore.class, memory, request -> {
                if (request.name().equals("marked")) {
                    queries.add(
                            request.arguments()[0] + " " + request.arguments()[1] + " to " + request.arguments()[2]);
                }
                return request.forward();
            }))
            .with(TestClock.standing(Instant.parse("2026-11-21T10:00:00Z")))
            .start();

    private PrintedAllocation reserved(String key, LocalDate date) {
        return sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest(key, 1, date, true, null)))
                .results()
                .get(0)
                .orThrow();
    }

    /** A key from a Mac's file is often in NFD, and the ledger stores it in NFC. */
    @Test
    void theStatusIsFoundUnderAnyUnicodeFormOfTheKey() {
        reserved("M\u00FCller", THIS_YEAR);
        UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, "M\u00FCller", "spoilt", null);
        PrintedAllocation asSent = sequences
                .allocator()
                .next(NAME, List.of(new NumberRequest("other", 1, THIS_YEAR, true, null)))
                .results()
                .get(0)
                .orThrow();

        List<Status.Kind> present = sequences
                .ledger()
                .present(NAME, List.of(asSent.part(1, 1, 1, List.of("1")).with("Mu\u0308ller", null), asSent))
                .stream()
                .map(printed -> printed.status().kind())
                .toList();

        assertEquals(List.of(Status.Kind.VOID, Status.Kind.RESERVED), present);
    }

    @Test
    void theStatusIsThatOfTheLedger() {
        sequences
                .editor()
                .put(
                        NAME,
                        DefinitionDraft.EMPTY
                                .with(DefinitionField.RESET_EVERY, ResetEvery.YEAR)
                                .with(DefinitionField.TIME_ZONE, "UTC"),
                        Precondition.ABSENT,
                        ChangeNote.NONE);
        PrintedAllocation issued = reserved("issued", THIS_YEAR);
        PrintedAllocation voided = reserved("void", THIS_YEAR);
        PrintedAllocation ofLastYear = reserved("last year", LAST_YEAR);
        sequences.moves().advance(NAME, 1_000_000, THIS_YEAR, ChangeNote.NONE);
        PrintedAllocation farAway = reserved("far away", THIS_YEAR);
        UnsentStatusChanges.issue(sequences.statusChanges(), NAME, "issued", null);
        UnsentStatusChanges.makeVoid(sequences.statusChanges(), NAME, "void", "spoilt", null);

        List<PrintedAllocation> present =
                sequences.ledger().present(NAME, List.of(farAway, voided, ofLastYear, issued));

        assertEquals(
                List.of(Status.Kind.RESERVED, Status.Kind.VOID, Status.Kind.RESERVED, Status.Kind.ISSUED),
                present.stream().map(printed -> printed.status().kind()).toList());
        assertEquals(
                List.of("far away", "void", "last year", "issued"),
                present.stream().map(PrintedAllocation::key).toList());
        assertEquals(
                List.of("shop/ticket 2025 1 to 1", "shop/ticket 2026 1 to 2", "shop/ticket 2026 1000000 to 1000000"),
                queries);
    }
}
