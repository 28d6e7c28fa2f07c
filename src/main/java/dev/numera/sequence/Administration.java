package dev.numera.sequence;

import dev.numera.execution.Clock;
import dev.numera.execution.WriteResult;
import dev.numera.format.Format;
import dev.numera.model.Change;
import dev.numera.model.ChangeNote;
import dev.numera.model.CounterState;
import dev.numera.model.Definition;
import dev.numera.model.DefinitionDraft;
import dev.numera.model.DefinitionField;
import dev.numera.model.Guarantee;
import dev.numera.model.Page;
import dev.numera.model.Request;
import dev.numera.model.Sequence;
import dev.numera.model.SequenceName;
import dev.numera.model.Series;
import dev.numera.model.Suspension;
import dev.numera.model.Versioned;
import dev.numera.problem.Answer;
import dev.numera.problem.PrintableText;
import dev.numera.problem.ProblemException;
import dev.numera.problem.ProblemType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a sequence does: define, change, retire, revive, advance. Thread-safe; calls block for storage
 * requests, and fail with a {@link ProblemException}.
 *
 * <p>A definition is one row beside its counters, changed by conditional writes. Whatever takes the first number marks
 * that row, so a change that loses to a mark is looked at again by the rules for a definition in use.
 */
public final class Administration {
    private final SequenceAccess access;
    private final DefinitionStore store;
    private final Definitions definitions;
    private final Numbering numbering;
    private final States states;
    private final Clock time;

    Administration(
            SequenceAccess access,
            DefinitionStore store,
            Definitions definitions,
            Numbering numbering,
            States states,
            Clock time) {
        this.access = access;
        this.store = store;
        this.definitions = definitions;
        this.numbering = numbering;
        this.states = states;
        this.time = time;
    }

    public Sequence get(SequenceName name) {
        return access.at(name, visit -> visit.reloaded());
    }

    /**
     * Creates, replaces or revives a definition. Replacing loses nothing silently: what was declared and is neither
     * sent nor reset is refused, but for fixed fields, which keep their values.
     *
     * @param note is kept with the change
     * @return what this call stored, whatever others have stored since
     */
    public Sequence put(SequenceName name, DefinitionDraft draft, Precondition precondition, ChangeNote note) {
        boolean isNew = precondition.isAbsence();
        return access.at(
                name,
                visit -> untilWon(visit, registered -> {
                    if (isNew) {
                        return begin(visit, registered, draft, note);
                    }
                    Sequence existing = required(registered, name, precondition);
                    requireNotRetired(existing);
                    return replace(existing, draft, note);
                }));
    }

    /**
     * Changes the fields that were sent, and keeps the others.
     *
     * @param note is kept with the change, if anything is changed
     * @return as of {@link #put}; where nothing is changed, what there is
     */
    public Sequence patch(SequenceName name, DefinitionDraft draft, Precondition precondition, ChangeNote note) {
        return access.at(
                name,
                visit -> untilWon(visit, registered -> {
                    if (registered.stored().isEmpty() && !registered.isLost()) {
                        throw RegisteredSequence.unknown(name);
                    }
                    Sequence existing = required(registered, name, precondition);
                    return change(existing, patched(existing, draft), note);
                }));
    }

    /**
     * What a definition, or a change of the one that is there, would allocate; refused as {@link #put} or
     * {@link #patch} would refuse it. Nothing is stored or consumed.
     *
     * @param date null for today
     */
    public Preview preview(SequenceName name, DefinitionDraft draft, @Nullable LocalDate date) {
        return access.at(
                name,
                visit -> visit.retry(() -> {
                    RegisteredSequence registered = definitions.registered(name);
                    registered.requireNotLost();
                    Sequence previewed = registered
                            .stored()
                            .map(existing -> changedTo(existing, patched(existing, draft)))
                            .orElseGet(() -> first(name, draft.complete(name, time.now())));
                    // A template allocates numbers in other scopes only.
                    Sequence shown =
                            name.isTemplate() ? first(DefinitionDraft.sample(name), previewed.definition()) : previewed;
                    return states.preview(shown, date);
                }));
    }

    private Sequence first(SequenceName name, Definition definition) {
        return Sequence.first(name, definition, definition.fixed().day(time.now()));
    }

    private Definition patched(Sequence existing, DefinitionDraft draft) {
        requireNotRetired(existing);
        return draft.over(existing.definition()).complete(existing.name(), existing.definition(), time.now());
    }

    /**
     * Retires a sequence: it allocates no new numbers, but all that it allocated stay. One that was never used is left
     * out of lists, too, and its name is free for another definition. Doing it again is no error.
     *
     * @param note is kept with the change
     */
    public void retire(SequenceName name, Precondition precondition, ChangeNote note) {
        untilWon(name, registered -> {
            Optional<Sequence> retired = registered.stored().filter(precondition::allowedToRetire);
            if (!registered.isLost() && retired.isPresent()) {
                return retired;
            }
            Sequence existing = required(registered, name, precondition);
            Instant now = time.now();
            if (existing.isNeverUsed() && !noteUnused(registered)) {
                return Optional.empty();
            }
            return existing.isRetired()
                    ? Optional.of(existing)
                    : ifWon(existing.retired(now), after -> store.replace(after, Change.retired(note, now)));
        });
    }

    /** Notes a sequence that was retired without a number in its index row, which was made again. */
    void noteIfUnused(SequenceName name) {
        untilWon(name, registered -> {
            Sequence present = registered.present();
            boolean isNoted = !present.isRetired() || !present.isNeverUsed() || noteUnused(registered);
            return isNoted ? Optional.of(present) : Optional.empty();
        });
    }

    /** Before it is retired: alone the note hides nothing, so a crash in between leaves what there was. */
    private boolean noteUnused(RegisteredSequence registered) {
        Optional<Versioned<String>> row = registered.indexed();
        return row.isEmpty()
                || isWon(
                        store.noteUnused(
                                registered.name(),
                                Objects.requireNonNull(row.get().version())),
                        registered.name());
    }

    /**
     * Stops a sequence for a while: it allocates nothing new, and known keys keep their numbers. Other instances honor
     * it within 30 s. To suspend it again is no error and keeps the first time and reason.
     *
     * @param note is kept with the change; its reason is shown to callers
     */
    public Sequence suspend(SequenceName name, ChangeNote note) {
        requireReason(note);
        return changeByOwner(
                name, note, (suspension, now) -> suspension.isByOwner() ? suspension : suspension.byOwner(now, note));
    }

    /**
     * Lets a sequence allocate again. The sequence stays suspended if the whole service is suspended for maintenance,
     * or if a restored counter was not advanced. Resuming an active sequence is no error.
     *
     * @param note is kept with the change
     */
    public Sequence resume(SequenceName name, ChangeNote note) {
        requireReason(note);
        return changeByOwner(name, note, (suspension, now) -> suspension.liftedByOwner());
    }

    /** Returns the reason a sequence is still suspended after its owner resumed it; empty if it is active. */
    public Optional<String> whyStillSuspended(Sequence resumed) {
        if (!resumed.suspension().isMaintenance()) {
            return Optional.empty();
        }
        SequenceName name = resumed.name();
        return Optional.of(
                access.at(name, visit -> visit.retry(() -> store.restored(name)))
                                .isEmpty()
                        ? Suspension.MAINTENANCE
                        : Suspension.RESTORED);
    }

    private static void requireReason(ChangeNote note) {
        String reason = note.reason();
        if (reason != null) {
            PrintableText.REASON.require("reason", reason);
        }
    }

    private Sequence changeByOwner(
            SequenceName name, ChangeNote note, BiFunction<Suspension, Instant, Suspension> change) {
        name.requireNoTemplate();
        return access.at(
                name,
                visit -> untilWon(visit, registered -> {
                    registered.requireNotLost();
                    requireNotRetired(registered.present());
                    return changeSuspension(registered.present(), note, change);
                }));
    }

    /** Whatever state the sequence is in. */
    void changeSuspension(SequenceName name, ChangeNote note, BiFunction<Suspension, Instant, Suspension> change) {
        untilWon(name, registered -> changeSuspension(registered.present(), note, change));
    }

    /**
     * Ends the maintenance of a sequence whose counters an operator has looked at, unless the whole service is
     * suspended.
     */
    void endMaintenance(SequenceName name, ChangeNote note) {
        untilWon(name, registered -> liftUnlessMarked(registered.present(), note));
    }

    /** What changes nothing is not written, and not kept as a change. */
    private Optional<Sequence> changeSuspension(
            Sequence existing, ChangeNote note, BiFunction<Suspension, Instant, Suspension> change) {
        Instant now = time.now();
        Suspension after = unlessRestored(existing, change.apply(existing.suspension(), now), now);
        if (after.equals(existing.suspension())) {
            return Optional.of(existing);
        }
        boolean isMore = after.isByOwner() && !existing.suspension().isByOwner()
                || after.isMaintenance() && !existing.suspension().isMaintenance();
        return ifWon(
                existing.suspended(after),
                changed -> store.replace(changed, isMore ? Change.suspended(note, now) : Change.resumed(note, now)));
    }

    /**
     * Nothing resumes a sequence that would allocate the numbers again which it allocated after the backup. Its
     * definition was read before its counters, and a restore puts it back after them.
     */
    private Suspension unlessRestored(Sequence existing, Suspension wanted, Instant now) {
        Suspension before = existing.suspension();
        if (before.isNone()
                || !wanted.isNone()
                || store.restored(existing.name()).isEmpty()) {
            return wanted;
        }
        return wanted.maintenance(Objects.requireNonNullElse(before.maintenanceAt(), now));
    }

    /**
     * Moves the next number to the first one at or beyond this in the increment's direction, never back.
     *
     * @param date chooses the period; null for today
     * @param note is kept with the change; its reason, too, with the numbers that are passed over
     */
    public Change.Move advance(SequenceName name, long nextAtLeast, @Nullable LocalDate date, ChangeNote note) {
        requireReason(note);
        return numbering.advance(name, date, new Request.Advance(nextAtLeast, note));
    }

    /**
     * The changes of a sequence in the order of time, as far as the clocks of the instances that made them agree.
     *
     * @param first where the page starts; null for the first page
     * @param limit 1 to 1,000
     * @throws ProblemException {@code unknown-sequence}
     */
    public Page<Answer<Change>, Change.Position> changes(
            SequenceName name, Change.@Nullable Position first, int limit) {
        return access.at(name, visit -> {
            visit.definition();
            return visit.retry(() -> store.changesFrom(name, first, limit));
        });
    }

    private Optional<Sequence> begin(
            SequenceAccess.Visit visit, RegisteredSequence registered, DefinitionDraft draft, ChangeNote note) {
        SequenceName name = registered.name();
        if (registered.isLost()
                || registered.stored().filter(existing -> !existing.isRetired()).isEmpty()) {
            visit.retry(() -> {
                definitions.requireNoMaintenance(name);
                return name;
            });
        }
        if (registered.isLost()) {
            return beginAgain(visit, registered, draft, note);
        }
        if (registered.stored().isEmpty()) {
            Optional<Sequence> created = insert(visit, newborn(visit, draft, note), note);
            created.ifPresent(definitions::index);
            return created;
        }
        Sequence existing = registered.stored().get();
        if (!existing.isRetired()) {
            throw precondition(existing, "there is one already. Change it by PATCH with its ETag as If-Match");
        }
        Sequence known = withCounters(visit, existing);
        return known.isNeverUsed()
                ? change(known, draft.complete(name, known.definition(), time.now()), note)
                : replace(known, draft, note);
    }

    /** A counter that its definition does not know is one that a restore left, and its numbers stay taken. */
    private Sequence withCounters(SequenceAccess.Visit visit, Sequence retired) {
        return retired.isInUse() || firstCounter(visit).isEmpty() ? retired : retired.inUse();
    }

    /**
     * One in use begins suspended: {@link Maintenance#suspendAll} may have gone by since the mark of the service was
     * read, and its next number does not read the mark, as a first one does.
     */
    private Optional<Sequence> insert(SequenceAccess.Visit visit, Sequence created, ChangeNote note) {
        Sequence arriving =
                created.isInUse() ? created.suspended(created.suspension().maintenance(time.now())) : created;
        Optional<Sequence> inserted =
                ifWon(arriving, stored -> store.insert(stored, Change.created(created.definition(), note, time.now())));
        return created.isInUse() ? inserted.map(stored -> lifted(visit, stored, note)) : inserted;
    }

    /**
     * Lifts the suspension of a new sequence. Returns the definition that its creator sent, because another owner may
     * have changed the stored definition meanwhile.
     */
    private Sequence lifted(SequenceAccess.Visit visit, Sequence inserted, ChangeNote note) {
        Sequence present = untilWon(visit, registered -> liftUnlessMarked(registered.present(), note));
        return inserted.suspended(present.suspension());
    }

    /**
     * The mark is read after the row, so a maintenance that has not marked it yet finds the row changed, or changes it.
     */
    private Optional<Sequence> liftUnlessMarked(Sequence existing, ChangeNote note) {
        return store.serviceMark().suspendedAt() != null
                ? Optional.of(existing)
                : changeSuspension(existing, note, (suspension, now) -> suspension.maintenance(null));
    }

    /** A table was lost, and its owner says from where on the sequence shall count. */
    private Optional<Sequence> beginAgain(
            SequenceAccess.Visit visit, RegisteredSequence lost, DefinitionDraft draft, ChangeNote note) {
        SequenceName name = lost.name();
        if (draft.get(DefinitionField.START) == null && draft.get(DefinitionField.GUARANTEE) != Guarantee.SNOWFLAKE) {
            throw RegisteredSequence.lost(name);
        }
        Optional<Sequence> stored = lost.stored();
        Sequence begun = stored.isPresent()
                ? continued(
                        changedTo(stored.get(), replaced(stored.get(), draft)).recreated(), note)
                : newborn(visit, draft, note);
        // First, so that of two that start it again, or after a crash, no definition has the id of an earlier index
        // row.
        boolean isIndexed = isWon(
                store.reindex(
                        name,
                        begun.id(),
                        Objects.requireNonNull(lost.indexed().orElseThrow().version())),
                name);
        if (!isIndexed) {
            return Optional.empty();
        }
        return stored.isPresent()
                ? ifWon(
                        begun,
                        after -> store.replace(
                                after, Change.changed(stored.get(), after.definition(), note, time.now())))
                : insert(visit, begun, note);
    }

    /** Where the definition alone was lost, numbers were taken already. */
    private Sequence newborn(SequenceAccess.Visit visit, DefinitionDraft draft, ChangeNote note) {
        SequenceName name = visit.name();
        Sequence first = first(name, draft.complete(name, time.now()));
        NavigableMap<String, Answer<CounterState>> counters = firstCounter(visit);
        if (counters.isEmpty()) {
            return first;
        }
        requireLeadsTo(first, counters.firstEntry().getValue().orThrow());
        return continued(first.inUse(), note);
    }

    private NavigableMap<String, Answer<CounterState>> firstCounter(SequenceAccess.Visit visit) {
        return visit.retry(() -> store.counters(visit.name(), "", 1));
    }

    /** Its counter may be older than its last numbers: it allocates none until its owner has advanced it. */
    private Sequence continued(Sequence begun, ChangeNote note) {
        return begun.isInUse() && !begun.suspension().isByOwner()
                ? begun.suspended(begun.suspension()
                        .byOwner(time.now(), new ChangeNote(note.actor(), "defined again: advance it, then resume")))
                : begun;
    }

    /** The counter continues with its next number, whatever the start is: in another series it would repeat numbers. */
    private static void requireLeadsTo(Sequence begun, CounterState counter) {
        Series series = begun.series();
        boolean isOfSeries = !begun.fixed().isCounted()
                || series.cycle()
                || series.isWholeIncrementsAway(counter.next())
                        && !series.isBefore(counter.next(), series.start())
                        && (counter.firstAllocated() == null
                                || !series.isBefore(counter.next(), counter.firstAllocated()));
        if (!isOfSeries) {
            throw new ProblemException(
                    ProblemType.IMMUTABLE_FIELD,
                    "The counter of " + begun.name() + " is still there, and its next number is " + counter.next()
                            + ". Send the start and the increment that it had; then advance it beyond every number that"
                            + " was allocated, and resume it.",
                    Map.of("fields", List.of("start", "increment")));
        }
    }

    private static void requireNotRetired(Sequence existing) {
        if (existing.isRetired()) {
            throw new ProblemException(
                    ProblemType.RETIRED,
                    "The sequence " + existing.name() + " is retired. Revive it with If-None-Match: *.");
        }
    }

    private Optional<Sequence> replace(Sequence existing, DefinitionDraft draft, ChangeNote note) {
        return change(existing, replaced(existing, draft), note);
    }

    private Definition replaced(Sequence existing, DefinitionDraft draft) {
        Definition before = existing.definition();
        Definition changed =
                (existing.isInUse() ? draft.keepingFixed(before) : draft).complete(existing.name(), before, time.now());
        draft.requireNothingLost(before, changed);
        return changed;
    }

    /** What changes nothing is not written, and not kept as a change. */
    private Optional<Sequence> change(Sequence existing, Definition changed, ChangeNote note) {
        if (changed.equals(existing.definition()) && !existing.isRetired()) {
            return Optional.of(existing);
        }
        Change change = Change.changed(existing, changed, note, time.now());
        return ifWon(changedTo(existing, changed), after -> store.replace(after, change));
    }

    private Sequence changedTo(Sequence existing, Definition changed) {
        if (existing.isInUse()) {
            requireAllowed(existing.definition(), changed);
        }
        Sequence after = existing.changedTo(changed);
        if (!after.formats().equals(existing.formats())) {
            after.formats().requireDistinctTexts(existing.name(), changed);
        }
        return after;
    }

    /** From the first number on, what would make other numbers of the same requests stays as it is. */
    private static void requireAllowed(Definition before, Definition after) {
        List<String> fields = new ArrayList<>();
        if (!before.fixed().equals(after.fixed())) {
            DefinitionField.ALL.stream()
                    .filter(field -> field.isFixedBy(before) && field.isOf(after))
                    .filter(field -> field.differs(before, after))
                    .forEach(field -> fields.add(field.name()));
        }
        if (before.fixed().isCounted() && after.fixed().isCounted()) {
            addIfTurnedBack(fields, before, after);
        }
        if (!fields.isEmpty()) {
            throw new ProblemException(
                    ProblemType.IMMUTABLE_FIELD,
                    "Fixed since the first number: " + String.join(", ", fields)
                            + ". Only a higher maxValue, a lower minValue (neither while the format has {r}) and"
                            + " dateOrder none are allowed. Change the other fields alone, by PATCH, or define another"
                            + " sequence.",
                    Map.of("fields", fields));
        }
    }

    private static void addIfTurnedBack(List<String> fields, Definition before, Definition after) {
        boolean isReversed = !before.hasRangeOf(after) && (isReversed(before) || isReversed(after));
        addIf(
                fields,
                "minValue",
                after.minValue() > before.minValue() || isReversed && after.minValue() != before.minValue());
        addIf(
                fields,
                "maxValue",
                after.maxValue() < before.maxValue() || isReversed && after.maxValue() != before.maxValue());
        addIf(fields, "dateOrder", after.isDateOrdered() && !before.isDateOrdered());
    }

    private static boolean isReversed(Definition definition) {
        return definition.format() != null
                && Format.compile(definition.format()).isReversed();
    }

    private static void addIf(List<String> fields, String field, boolean hasChanged) {
        if (hasChanged) {
            fields.add(field);
        }
    }

    private static Sequence required(RegisteredSequence registered, SequenceName name, Precondition precondition) {
        registered.requireNotLost();
        Sequence existing = registered
                .stored()
                .orElseThrow(() -> precondition(name, "there is none. Create it with If-None-Match: *"));
        if (!precondition.allows(existing)) {
            throw precondition(
                    existing,
                    precondition.hasWeakTag()
                            ? "If-Match has a weak tag, which never matches. Send the ETag without W/; where it came with"
                                    + " one, an intermediary made it weak"
                            : "it was changed since. Get it again and look at the change");
        }
        return existing;
    }

    /**
     * Attempts a change until it is won, each time on the rows as they are then: another change, or a mark, may have
     * come between.
     *
     * @param change what is stored then; empty where it was lost
     * @return what the attempt that was won stored: what is read now may be another's
     */
    private Sequence untilWon(SequenceAccess.Visit visit, Function<RegisteredSequence, Optional<Sequence>> change) {
        Sequence stored = visit.untilWon("The definition", () -> change.apply(visit.registered()));
        numbering.forget(visit.name());
        return stored;
    }

    /** As the other, in a call of its own. */
    Sequence untilWon(SequenceName name, Function<RegisteredSequence, Optional<Sequence>> change) {
        return access.at(name, visit -> untilWon(visit, change));
    }

    /** Writes the definition and returns it as stored; empty if the write was lost. */
    static Optional<Sequence> ifWon(Sequence after, Function<Sequence, WriteResult> write) {
        return isWon(write.apply(after), after.name()) ? Optional.of(after.at(null)) : Optional.empty();
    }

    private static boolean isWon(WriteResult result, SequenceName name) {
        if (result instanceof WriteResult.Unknown unknown) {
            throw new ProblemException(
                    ProblemType.OUTCOME_UNKNOWN,
                    "The storage did not say whether the definition of " + name + " was written: "
                            + unknown.cause().getMessage() + " Get it, and send the change again if it is not there.");
        }
        return result instanceof WriteResult.Won;
    }

    private static ProblemException precondition(SequenceName name, String why) {
        return new ProblemException(ProblemType.PRECONDITION_FAILED, notChanged(name, why));
    }

    private static ProblemException precondition(Sequence existing, String why) {
        return new ProblemException(
                ProblemType.PRECONDITION_FAILED, notChanged(existing.name(), why), Map.of("etag", existing.tag()));
    }

    private static String notChanged(SequenceName name, String why) {
        return "The definition of " + name + " was left as it is: " + why + ".";
    }
}
