package dev.numera.sequences.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.model.ChangeNote;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.Guarantee;
import dev.numera.core.model.Page;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.StoreFailure;
import dev.numera.fixtures.ForwardingStore;
import dev.numera.fixtures.TestClock;
import dev.numera.sequences.TestSequences;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.definition.DefinitionEditor;
import dev.numera.sequences.definition.Precondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The results of a filter over many sequences, and the work for one page. */
class SequenceListTest {
    private static final int MANY = 1_100;

    private final MemoryCounterStore table = new MemoryCounterStore();
    private final TestClock clock = TestClock.alone();
    private final AtomicInteger reads = new AtomicInteger();

    @BeforeEach
    void define() {
        DefinitionEditor owner = TestSequences.over(table).with(clock).start().editor();
        for (int i = 0; i < MANY; i++) {
            DefinitionDraft draft = i == 1_050 ? described("The LAST one") : DefinitionDraft.EMPTY;
            define(owner, "many", String.format("s-%04d", i), draft);
        }
        define(owner, "shop", "credit", DefinitionDraft.EMPTY.with(DefinitionField.GUARANTEE, Guarantee.GAPLESS));
        define(owner, "shop", "invoice", described("Invoices of the web shop"));
        define(owner, "shop", "order", DefinitionDraft.EMPTY);
    }

    private static DefinitionDraft described(String description) {
        return DefinitionDraft.EMPTY.with(DefinitionField.DESCRIPTION, description);
    }

    private static void define(DefinitionEditor owner, String scope, String name, DefinitionDraft draft) {
        owner.put(new SequenceName(scope, name), draft, Precondition.ABSENT, ChangeNote.NONE);
    }

    private SequenceList listing() {
        return listing("", false);
    }

    /** Lists with a sequence whose definition cannot be read, or with reads that take a second each. */
    private SequenceList listing(String unreadable, boolean isSlow) {
        DefinitionStore counted = ForwardingStore.over(DefinitionStore.class, table, request -> {
            if (request.name().equals("find")) {
                reads.incrementAndGet();
                if (isSlow) {
                    clock.pass(Duration.ofSeconds(1));
                }
                if (request.arguments()[0].toString().equals(unreadable)) {
                    throw new StoreFailure("The row cannot be read.", false, null);
                }
            }
            return request.forward();
        });
        return TestSequences.over(table).with(clock).with(counted).start().list();
    }

    private static List<String> names(Page<ListedSequence, String> page) {
        return page.items().stream()
                .map(entry -> entry.scope() + "/" + entry.name())
                .toList();
    }

    private static List<String> all(SequenceList list, String filter, int limit) {
        List<String> found = new ArrayList<>();
        String next = null;
        do {
            Page<ListedSequence, String> page = list.list(
                    new SequenceList.Wanted(null, SequenceList.Wanted.words(filter), false, Set.of()), limit, next);
            assertTrue(page.items().size() <= limit);
            found.addAll(names(page));
            next = page.next();
        } while (next != null);
        return found;
    }

    @Test
    void findsEachWordInNameDescriptionOrGuaranteeInAnyCase() {
        assertEquals(List.of("shop/invoice"), all(listing(), "WEB  invoices", 10));
        assertEquals(List.of("shop/credit"), all(listing(), "shop/ gapless", 10));
        assertEquals(
                List.of("shop/credit", "shop/order"),
                all(listing(), "SHOP r e", 10).stream()
                        .filter(name -> !name.equals("shop/invoice"))
                        .toList());
        assertEquals(List.of("many/s-1050"), all(listing(), "last one", 10));
        assertEquals(List.of(), all(listing(), "nowhere", 10));
    }

    @Test
    void everyMatchIsOnOnePageWhateverThePagesHold() {
        for (int limit : List.of(1, 7, 100)) {
            assertEquals(
                    MANY, all(listing(), "many/s", limit).stream().distinct().count());
        }
    }

    @Test
    void aPageReadsAtMostFiveHundredDefinitions() {
        Page<ListedSequence, String> page = listing()
                .list(new SequenceList.Wanted(null, SequenceList.Wanted.words("last one"), false, Set.of()), 10, null);

        assertEquals(List.of(), page.items());
        assertNotNull(page.next());
        assertEquals(500, reads.get());
    }

    @Test
    void aNameThatMatchesIsNotRead() {
        Page<ListedSequence, String> page = listing()
                .list(new SequenceList.Wanted("shop", SequenceList.Wanted.words("shop"), false, Set.of()), 10, null);

        assertEquals(List.of("shop/credit", "shop/invoice", "shop/order"), names(page));
        assertEquals(0, reads.get());
    }

    @Test
    void aPageEndsAfterHalfOfTheTimeOfACall() {
        Page<ListedSequence, String> page = listing("", true)
                .list(new SequenceList.Wanted("many", SequenceList.Wanted.words("last"), false, Set.of()), 10, null);

        assertEquals("many/s-0015", page.next());
    }

    @Test
    void returnsDetailsOfWhatIsFoundByItsDescription() {
        Page<ListedSequence, String> page = listing()
                .list(
                        new SequenceList.Wanted(
                                "shop",
                                SequenceList.Wanted.words("web"),
                                false,
                                Set.of(SequenceList.Detail.DEFINITION, SequenceList.Detail.STATE)),
                        10,
                        null);
        assertEquals(List.of("shop/invoice"), names(page));
        assertNotNull(page.items().get(0).definition());
        assertNull(listing()
                .list(new SequenceList.Wanted("shop", SequenceList.Wanted.words("web"), false, Set.of()), 10, null)
                .items()
                .get(0)
                .definition());
    }

    @Test
    void whatCannotBeReadIsListedWithItsProblem() {
        Page<ListedSequence, String> page = listing("shop/order", false)
                .list(new SequenceList.Wanted("shop", SequenceList.Wanted.words("web"), false, Set.of()), 10, null);

        assertEquals(List.of("shop/invoice", "shop/order"), names(page));
        ProblemException problem = page.items().get(1).problem();
        assertEquals(ProblemType.STORAGE_UNAVAILABLE, problem == null ? null : problem.type());
    }

    @Test
    void aFilterHasAnEnd() {
        assertThrows(ProblemException.class, () -> SequenceList.Wanted.words("x".repeat(201)));
    }
}
