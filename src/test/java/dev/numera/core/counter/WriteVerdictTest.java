package dev.numera.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.Allocations;
import dev.numera.core.counter.GroupState.Last;
import dev.numera.core.counter.GroupState.Pending;
import dev.numera.core.counter.WriteVerdict.Evidence;
import dev.numera.core.counter.WriteVerdict.Missing;
import dev.numera.core.counter.WriteVerdict.Proved;
import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.CounterState;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.LedgerRow;
import dev.numera.core.model.NumberRequest;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.Series;
import dev.numera.core.model.Status;
import dev.numera.core.model.Versioned;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * All possible evidence about a write, checked against the rules of model/counter.als and those for definitions, peer
 * requests and restored tables. The rules are written independently of the code, as one condition for each verdict:
 * exactly one of them must hold, and the verdict must be that one.
 */
class WriteVerdictTest {
    private static final Series NUMBERS = new Series(1, 1, 1, 1_000, false);
    private static final Sequence IN_USE = StaleDefinition.of(Guarantee.GAPLESS, NUMBERS);
    private static final String OWN = "own";
    private static final String BASE = "base";

    private enum WriteKind {
        /** An allocation under a key of the group. */
        KEYED,
        KEYLESS,
        /** An allocation without a key that answers a peer request with a key. */
        PEERS_KEY,
        ADVANCE,
        IMPORT
    }

    /** The ledger's rows under the keys of the write. */
    private enum KeyRow {
        NONE,
        OTHERS,
        UNREADABLE,
        OWN
    }

    /** The version at which the counter was found. */
    private enum CounterPlace {
        AT_BASE,
        /** A later version whose ids still include the id of the state before the write. */
        BEYOND,
        /** A later version whose ids no longer include the id of the state before the write. */
        FAR_BEYOND,
        /** A version older than the base, as in a restored table. */
        BEFORE
    }

    /** One combination of all facts that the verdict may depend on. */
    private record WriteCase(
            WriteKind kind,
            Last last,
            boolean everUnknown,
            CounterPlace place,
            boolean hasOwnId,
            boolean isDefinitionChanged,
            boolean isPeerGone,
            KeyRow row,
            boolean isNumberTaken) {
        boolean hasOwnKeys() {
            return kind == WriteKind.KEYED || kind == WriteKind.IMPORT;
        }

        boolean hasKeys() {
            return hasOwnKeys() || kind == WriteKind.PEERS_KEY;
        }

        boolean isClashed() {
            return last == Last.CLASHED;
        }

        /** Conditional: no write of the plan can land any more. */
        boolean isOver() {
            return place != CounterPlace.AT_BASE || isDefinitionChanged || isPeerGone;
        }

        /**
         * ListReaches: an id that is missing from the list proves a loss. A counter that no write has changed proves
         * it, too.
         */
        boolean listReaches() {
            return place == CounterPlace.AT_BASE
                    || place == CounterPlace.BEYOND
                    || place == CounterPlace.BEFORE && kind == WriteKind.ADVANCE;
        }

        /** Inserted: a row under the group's own keys conflicts with the write. */
        boolean isKeyInTheWay() {
            return isClashed() && hasOwnKeys() && row != KeyRow.NONE;
        }

        /** Whether only the rows under the keys can show the outcome of the write. */
        boolean decideRows() {
            return isKeyInTheWay() || isOver() && !listReaches() && everUnknown && hasKeys();
        }

        /** Whether only another row of the ledger keeps the write from landing. */
        boolean isForeignRowInTheWay() {
            return isClashed() && !isKeyInTheWay() && !isOver();
        }

        boolean isForOthersToDecide() {
            return kind == WriteKind.PEERS_KEY || kind == WriteKind.IMPORT;
        }

        boolean holds(Proved verdict) {
            if (hasOwnId) {
                // LookForId
                return verdict == Proved.WON;
            }
            return switch (verdict) {
                // OwnRow
                case WON -> decideRows() && row == KeyRow.OWN;
                case LOST -> decideRows() && row != KeyRow.OWN || !isKeyInTheWay() && isOver() && listReaches();
                // ReadAfterRefusal
                case PROBABLY_LOST -> !isKeyInTheWay() && isOver() && !listReaches() && !everUnknown;
                case UNRESOLVABLE -> isOver() && !listReaches() && everUnknown && !hasKeys();
                case MAY_STILL_WIN -> !isOver() && !isClashed();
                case NOT_OURS_TO_DECIDE -> isForeignRowInTheWay() && isForOthersToDecide();
                case BEHIND_LEDGER -> isForeignRowInTheWay() && !isForOthersToDecide() && isNumberTaken;
                case SPURIOUS_REFUSAL -> isForeignRowInTheWay() && !isForOthersToDecide() && !isNumberTaken;
            };
        }

        /** The rows that the verdict has to read; it must read no others. */
        Set<Missing> reads() {
            Set<Missing> reads = EnumSet.noneOf(Missing.class);
            if (hasOwnId) {
                return reads;
            }
            if (isClashed()) {
                reads.add(Missing.OWN_KEYS);
            }
            if (decideRows() && !isKeyInTheWay()) {
                reads.add(Missing.ALL_KEYS);
            }
            if (isForeignRowInTheWay() && !isForOthersToDecide()) {
                reads.add(Missing.NUMBER);
            }
            return reads;
        }
    }

    @Test
    void everyCombinationOfEvidenceHasTheVerdictOfTheRules() {
        int cases = 0;
        Map<Proved, Integer> verdicts = new EnumMap<>(Proved.class);
        for (WriteCase each : cases()) {
            List<Proved> expected =
                    EnumSet.allOf(Proved.class).stream().filter(each::holds).toList();
            assertEquals(1, expected.size(), () -> "The rules say " + expected + " of " + each);
            Set<Missing> reads = EnumSet.noneOf(Missing.class);
            assertEquals(expected.get(0), verdict(each, reads), each::toString);
            assertEquals(each.reads(), reads, each::toString);
            cases++;
            verdicts.merge(expected.get(0), 1, Integer::sum);
        }
        assertEquals(1_528, cases);
        assertEquals(EnumSet.allOf(Proved.class), verdicts.keySet(), verdicts::toString);
    }

    /** Checks the verdicts themselves against the promises behind the rules. */
    @Test
    void noVerdictClaimsMoreThanTheEvidenceShows() {
        for (WriteCase each : cases()) {
            Proved verdict = verdict(each, EnumSet.noneOf(Missing.class));
            if (verdict == Proved.WON) {
                assertTrue(each.hasOwnId || each.row == KeyRow.OWN, each::toString);
            }
            if (verdict == Proved.LOST) {
                assertTrue(!each.hasOwnId, each::toString);
                assertTrue(each.isOver() || each.isKeyInTheWay(), "It may still land: " + each);
            }
            if (verdict == Proved.PROBABLY_LOST) {
                assertTrue(!each.everUnknown && each.isOver(), each::toString);
            }
            if (verdict == Proved.MAY_STILL_WIN) {
                assertEquals(CounterPlace.AT_BASE, each.place, each::toString);
            }
        }
    }

    /** A row that cannot be read does not count as a row of this write, even if it is the only row. */
    @Test
    void unreadableRowIsNoProof() {
        WriteCase unreadable = new WriteCase(
                WriteKind.KEYED,
                Last.UNKNOWN,
                true,
                CounterPlace.FAR_BEYOND,
                false,
                false,
                false,
                KeyRow.UNREADABLE,
                false);
        assertEquals(Proved.LOST, verdict(unreadable, EnumSet.noneOf(Missing.class)));
    }

    private static List<WriteCase> cases() {
        List<WriteCase> cases = new ArrayList<>();
        for (WriteKind kind : WriteKind.values()) {
            for (Last last : Last.values()) {
                for (boolean everUnknown : last == Last.UNKNOWN ? new boolean[] {true} : new boolean[] {false, true}) {
                    for (CounterPlace place : CounterPlace.values()) {
                        for (int flags = 0; flags < 16; flags++) {
                            for (KeyRow row : KeyRow.values()) {
                                WriteCase each = new WriteCase(
                                        kind,
                                        last,
                                        everUnknown,
                                        place,
                                        (flags & 1) != 0,
                                        (flags & 2) != 0,
                                        (flags & 4) != 0,
                                        row,
                                        (flags & 8) != 0);
                                if (isPossible(each)) {
                                    cases.add(each);
                                }
                            }
                        }
                    }
                }
            }
        }
        return cases;
    }

    /** Whether the case can occur: evidence about keys, for example, needs a write with keys. */
    private static boolean isPossible(WriteCase each) {
        boolean isMarking = each.kind == WriteKind.ADVANCE || each.kind == WriteKind.IMPORT;
        return (each.row == KeyRow.NONE || each.hasKeys())
                && (!each.isDefinitionChanged || isMarking)
                && (!each.isPeerGone || each.kind == WriteKind.PEERS_KEY)
                && (!each.isNumberTaken || each.isClashed() && each.kind != WriteKind.PEERS_KEY);
    }

    /** @param reads receives the evidence that the verdict requested */
    private static Proved verdict(WriteCase each, Set<Missing> reads) {
        Pending pending = new Pending(plan(each.kind), OWN, EnlistedCalls.NONE, each.last, each.everUnknown);
        Sequence definition = each.isDefinitionChanged ? IN_USE.at("changed") : IN_USE;
        Evidence evidence = new Evidence(definition, counter(each), each.isPeerGone, null, null, null);
        WriteVerdict verdict = WriteVerdict.on(pending, evidence, IN_USE.fixed());
        while (verdict instanceof Missing missing) {
            assertTrue(reads.add(missing), () -> missing + " is read twice for " + each);
            evidence = switch (missing) {
                case OWN_KEYS -> evidence.withOwnKeys(each.hasOwnKeys() ? ledger(each) : Map.of());
                case ALL_KEYS -> evidence.withAllKeys(ledger(each));
                case NUMBER -> evidence.withNumber(each.isNumberTaken);
            };
            verdict = WriteVerdict.on(pending, evidence, IN_USE.fixed());
        }
        return (Proved) verdict;
    }

    private static Map<String, Result<Allocation>> ledger(WriteCase each) {
        return switch (each.row) {
            case NONE -> Map.of();
            case OTHERS -> Map.of("key", Result.of(Allocations.by(allocation(), "another")));
            case UNREADABLE ->
                Map.of("key", Result.refused(new ProblemException(ProblemType.TEXT_UNREADABLE, "Unreadable.")));
            case OWN -> Map.of("key", Result.of(Allocations.by(allocation(), OWN)));
        };
    }

    private static Versioned<CounterState> counter(WriteCase each) {
        List<String> ids = new ArrayList<>();
        ids.add(each.place == CounterPlace.AT_BASE ? BASE : "later");
        if (each.place == CounterPlace.BEYOND) {
            ids.add(BASE);
        }
        if (each.hasOwnId) {
            ids.add(0, OWN);
        }
        long next = each.place == CounterPlace.BEFORE ? 4 : each.place == CounterPlace.AT_BASE ? 5 : 9;
        String version = each.place == CounterPlace.AT_BASE ? "v1" : "v2";
        return new Versioned<>(state(next, ids), version);
    }

    private static CounterState state(long next, List<String> ids) {
        return new CounterState(next, next - 1, 0, 0, ids, Instant.EPOCH, null, null, null, null);
    }

    private static Plan plan(WriteKind kind) {
        Versioned<CounterState> base = new Versioned<>(state(5, List.of(BASE)), "v1");
        CounterState after = state(6, List.of(OWN, BASE));
        LedgerRow row = LedgerRow.of(List.of(allocation()), Instant.EPOCH, null);
        LedgerRow passed = LedgerRow.passed(5, 5, Instant.EPOCH, ChangeNote.NONE, null);
        return switch (kind) {
            case KEYED -> plan(base, after, List.of(row), null, List.of());
            case KEYLESS -> plan(base, after, List.of(), null, List.of());
            case PEERS_KEY -> plan(base, after, List.of(row), null, List.of(peerRequest()));
            case ADVANCE ->
                plan(
                        base,
                        after,
                        List.of(passed),
                        Change.advanced(new Change.Move("", 5, 6), ChangeNote.NONE, after),
                        List.of());
            case IMPORT -> plan(base, after, List.of(row), Change.imported("i1", Instant.EPOCH, null), List.of());
        };
    }

    private static Plan plan(
            Versioned<CounterState> base,
            CounterState after,
            List<LedgerRow> rows,
            Change change,
            List<PeerRequest> answered) {
        Transaction write = Transaction.on(CounterFixture.ID, base, IN_USE, after, rows, List.of(), change, answered);
        return new Plan(base, IN_USE, write, List.of(), List.of(), List.of());
    }

    private static PeerRequest peerRequest() {
        return new PeerRequest("other", "request", List.of(new NumberRequest("key", 1, null).on(LocalDate.EPOCH)))
                .at("r1");
    }

    private static Allocation allocation() {
        return Allocations.of("key", 5, 5, 1, "", LocalDate.EPOCH, null, 0, Instant.EPOCH, false, Status.SIMPLY_ISSUED);
    }
}
