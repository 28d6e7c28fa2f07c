package dev.numera.sequence;

import dev.numera.counter.Outcome;
import dev.numera.counter.SequenceName;
import dev.numera.counter.Timekeeper;
import dev.numera.counter.WriteResult;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the owner of a sequence does: define, change, retire, revive, advance. Thread-safe; calls block for storage requests, and fail with a
 * {@link ProblemException} or a {@link dev.numera.counter.StoreFailure}.
 *
 * <p>A definition is one row, changed by conditional writes. Retiring and reviving also give every counter a new epoch, so that an
 * instance that still holds the old definition reads the new one before it writes again.
 */
public final class Administration {
    private static final int SEQUENCES_AT_ONCE = 100;

    private final DefinitionStore store;
    private final Definitions definitions;
    private final Numbering numbering;
    private final Timekeeper time;

    Administration(DefinitionStore store, Definitions definitions, Numbering numbering, Timekeeper time) {
        this.store = store;
        this.definitions = definitions;
        this.numbering = numbering;
        this.time = time;
    }

    /** @param isNew whether there was none before, or only a retired one */
    public record Put(StoredDefinition definition, boolean isNew) {}

    /** The definition, pinned fields as they are pinned. */
    public StoredDefinition get(SequenceName name) {
        return definitions.reload(name).stored();
    }

    /** Creates, replaces or revives a definition. */
    public Put put(SequenceName name, DefinitionDraft draft, Precondition precondition) {
        Optional<KnownDefinition> known = definitions.reloadIfPresent(name);
        boolean creates = precondition instanceof Precondition.Absent;
        if (known.isEmpty() && creates) {
            return create(name, draft);
        }
        StoredDefinition existing = require(known, name, precondition);
        if (creates) {
            return new Put(revive(existing, draft, known.orElseThrow().terms().isPinned()), true);
        }
        if (existing.isRetired()) {
            throw new ProblemException(ProblemType.RETIRED, "The sequence " + name + " is retired. Revive it with If-None-Match: *.");
        }
        StoredDefinition changed = change(existing, draft, known.orElseThrow().terms().isPinned());
        replace(changed);
        numbering.forget(name);
        return new Put(get(name), false);
    }

    /** Retires a sequence: it gives no new numbers, but all that it gave stays. Doing it again is no error. */
    public void retire(SequenceName name, Precondition precondition) {
        StoredDefinition existing = require(definitions.reloadIfPresent(name), name, precondition);
        if (!existing.isRetired()) {
            replace(existing.changedTo(existing.definition(), time.now()));
        }
        renew(name);
    }

    /**
     * Moves the next number to the first one at or beyond this in the increment's direction, never back.
     *
     * @param date chooses the period; null for today
     */
    public Outcome.Advanced advance(SequenceName name, long nextAtLeast, LocalDate date) {
        return numbering.advance(name, nextAtLeast, date);
    }

    /** A counter that was moved on. */
    public record Skipped(SequenceName name, String period, Outcome.Advanced advanced) {}

    /**
     * Moves every counter of every sequence on by a margin, retired ones too. For after a restore: numbers that were handed out since the
     * copy was made are then not handed out again, as long as the margin is larger than their count.
     *
     * @param numbers how many to pass over in each counter; where fewer are left, all of them
     */
    public List<Skipped> skipEverywhere(long numbers) {
        List<Skipped> all = new ArrayList<>();
        String continuation = null;
        do {
            DefinitionStore.Page page = store.list(null, SEQUENCES_AT_ONCE, continuation);
            for (StoredDefinition definition : page.definitions()) {
                for (String period : store.periods(definition.name())) {
                    all.add(new Skipped(definition.name(), period, numbering.skip(definition.name(), period, numbers)));
                }
            }
            continuation = page.continuation();
        } while (continuation != null);
        return all;
    }

    /** A page of definitions, pinned fields as they stand in the definition's row. */
    public DefinitionStore.Page list(String scope, int limit, String continuation) {
        return store.list(scope, limit, continuation);
    }

    private Put create(SequenceName name, DefinitionDraft draft) {
        Optional<Definition> pinned = store.pinned(name).map(Definition.DEFAULT::with);
        DefinitionDraft kept = pinned.map(draft::keepingFixed).orElse(draft);
        StoredDefinition created = StoredDefinition.first(name, kept.complete(name, today()));
        pinned.ifPresent(definition -> requireAllowed(definition, created.definition(), List.of(), true));
        requireWon(store.insert(created), name);
        definitions.forget(name);
        return new Put(get(name), true);
    }

    private StoredDefinition revive(StoredDefinition retired, DefinitionDraft draft, boolean isPinned) {
        StoredDefinition revived = change(retired, draft, isPinned);
        replace(revived);
        renew(retired.name());
        return get(retired.name());
    }

    private StoredDefinition change(StoredDefinition existing, DefinitionDraft draft, boolean isPinned) {
        DefinitionDraft kept = isPinned ? draft.keepingFixed(existing.definition()) : draft;
        Definition changed = kept.complete(existing.name(), today());
        requireAllowed(existing.definition(), changed, existing.formats(), isPinned);
        return existing.changedTo(changed, null);
    }

    /** From the first number on, what would make other numbers of the same requests stays as it is. */
    private static void requireAllowed(Definition before, Definition after, List<String> formats, boolean isPinned) {
        if (!isPinned) {
            return;
        }
        List<String> fields = new ArrayList<>();
        addIf(fields, "guarantee", before.guarantee() != after.guarantee());
        addIf(fields, "start", before.start() != after.start());
        addIf(fields, "increment", before.increment() != after.increment());
        addIf(fields, "cycle", before.cycle() != after.cycle());
        addIf(fields, "resetEvery", before.resetEvery() != after.resetEvery());
        addIf(fields, "timeZone", !before.timeZone().equals(after.timeZone()));
        addIf(fields, "fiscalYearStart", before.fiscalYearStart() != after.fiscalYearStart());
        boolean isReversed = formats.stream().anyMatch(format -> Format.compile(format).isReversed());
        addIf(fields, "minValue", after.minValue() > before.minValue() || isReversed && after.minValue() != before.minValue());
        addIf(fields, "maxValue", after.maxValue() < before.maxValue() || isReversed && after.maxValue() != before.maxValue());
        if (!fields.isEmpty()) {
            throw new ProblemException(ProblemType.IMMUTABLE_FIELD, "Fixed since the first number: " + String.join(", ", fields)
                    + ". Only maxValue may rise and minValue fall, and neither once a format had {r}. Leave them out or as they are, or"
                    + " define another sequence.",
                    Map.of("fields", fields));
        }
    }

    private static void addIf(List<String> fields, String field, boolean hasChanged) {
        if (hasChanged) {
            fields.add(field);
        }
    }

    private StoredDefinition require(Optional<KnownDefinition> known, SequenceName name, Precondition precondition) {
        StoredDefinition existing = known.map(KnownDefinition::stored).orElse(null);
        if (precondition instanceof Precondition.Absent) {
            if (existing.isRetired()) {
                return existing;
            }
            throw precondition(name, "there is one already. Send its ETag as If-Match to replace it");
        }
        if (existing == null) {
            throw precondition(name, "there is none. Create it with If-None-Match: *");
        }
        if (precondition instanceof Precondition.Tagged tagged && !tagged.tags().contains(existing.tag())) {
            throw precondition(name, "it was changed since. Get it again and look at the change");
        }
        return existing;
    }

    private void replace(StoredDefinition changed) {
        requireWon(store.replace(changed), changed.name());
        definitions.forget(changed.name());
    }

    private void requireWon(WriteResult result, SequenceName name) {
        if (result instanceof WriteResult.Lost) {
            throw precondition(name, "another change came between. Get it again and look at the change");
        }
        if (result instanceof WriteResult.Unknown unknown) {
            throw new ProblemException(ProblemType.OUTCOME_UNKNOWN,
                    "The storage did not say whether the definition of " + name + " was written: " + unknown.cause().getMessage()
                            + " Get it, and send the change again if it is not there.");
        }
    }

    private void renew(SequenceName name) {
        store.periods(name).forEach(period -> numbering.renew(name, period));
        numbering.forget(name);
    }

    private static ProblemException precondition(SequenceName name, String why) {
        return new ProblemException(ProblemType.PRECONDITION_FAILED, "The definition of " + name + " was left as it is: " + why + ".");
    }

    private LocalDate today() {
        return LocalDate.ofInstant(time.now(), ZoneOffset.UTC);
    }
}
