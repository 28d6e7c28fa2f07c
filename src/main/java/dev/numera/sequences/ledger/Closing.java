package dev.numera.sequences.ledger;

import dev.numera.core.model.Allocation;
import dev.numera.core.model.Change;
import dev.numera.core.model.Change.FieldChange;
import dev.numera.core.model.Status;
import dev.numera.core.problem.EnumWord;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A closing, stored as a change of the sequence. Each result is a field of the change; names with a colon belong to
 * gaps and numbers. Another program may have written the change, so values may have the wrong type. Immutable.
 */
public record Closing(Change change) {
    /**
     * The most gaps, and the most changed allocations, that a closing lists. It only counts the rest, because a row of
     * a table has no room for them.
     */
    public static final int MAX_LISTED = 100;

    static final String CHECKED_AT = "checkedAt";
    static final String CHANGED_COUNT = "changedCount";
    static final String CHANGED_EXACT = "changedExact";
    private static final String DATE_FROM = "dateFrom";
    private static final String DATE_TO = "dateTo";
    private static final String GAP = "gap:";
    private static final String GAP_PERIOD = "period:gap";
    private static final String GAP_REASON = "reason:gap";
    private static final String CHANGED = "changed:";
    private static final String CHANGED_LAST = "last:changed";
    private static final String CHANGED_TEXT = "text:changed";
    private static final String CHANGED_AT = "at:changed";
    private static final String CHANGED_ACTOR = "actor:changed";
    private static final String CHANGED_REASON = "reason:changed";
    private static final Set<String> DETAILS =
            Set.of(CHANGED_LAST, CHANGED_TEXT, CHANGED_AT, CHANGED_ACTOR, CHANGED_REASON);
    private static final String RECENT = "recent:";
    /** The limit for the keys, texts, actors and reasons of changed numbers. It leaves room in the row for the runs. */
    private static final int MAX_CHANGED_UNITS = 60_000;
    /** The limit for the reasons of gaps. A property holds 32,000 characters, and a character may take two of them. */
    private static final int MAX_TEXT_UNITS = 3_000;
    /** The room that a period takes in its field. */
    private static final int UNITS_OF_A_PERIOD = 17;

    /**
     * A gap that the closing found.
     *
     * @param numbers the range: the first number in {@code before}, the last number in {@code after}
     * @param period null if the sequence is never reset, or if an earlier version did not store it
     * @param reason why an advance passed over the numbers; null if not stated, or if the row had no room for it
     */
    public record Gap(FieldChange numbers, @Nullable Object period, @Nullable Object reason) {
        /** Returns the kind of the gap, as in a check. */
        public String kind() {
            return word(numbers);
        }
    }

    static FieldChange field(String name, Object value) {
        return new FieldChange(name, null, value);
    }

    static List<FieldChange> dates(LocalDate dateFrom, LocalDate dateTo) {
        return List.of(field(DATE_FROM, dateFrom.toString()), field(DATE_TO, dateTo.toString()));
    }

    /** Returns the fields of the first gaps: each period, followed by its gaps, each gap followed by its reason. */
    static List<FieldChange> gaps(Map<String, List<LedgerGap>> byPeriod) {
        List<FieldChange> fields = new ArrayList<>();
        int listed = 0;
        int left = MAX_TEXT_UNITS;
        for (Map.Entry<String, List<LedgerGap>> period : byPeriod.entrySet()) {
            List<LedgerGap> gaps =
                    period.getValue().stream().limit(MAX_LISTED - listed).toList();
            if (!gaps.isEmpty() && !period.getKey().isEmpty()) {
                fields.add(field(GAP_PERIOD, period.getKey()));
                left -= UNITS_OF_A_PERIOD;
            }
            for (LedgerGap gap : gaps) {
                fields.add(new FieldChange(GAP + EnumWord.of(gap.kind()), gap.first(), gap.last()));
                String reason = gap.reason();
                left -= reason == null ? 0 : reason.length();
                if (reason != null && left >= 0) {
                    fields.add(field(GAP_REASON, reason));
                }
            }
            listed += gaps.size();
        }
        return fields;
    }

    /**
     * An allocation whose numbers were added, or changed status, since the earlier closing.
     *
     * @param last null if an earlier version did not store it, like the next five
     * @param period empty if the sequence is never reset
     * @param text the text of the first number; null if the sequence has no format
     * @param at when the status was set, or the numbers were allocated
     * @param actor the person or system that set the status or requested the numbers, as the caller stated
     * @param reason why the numbers are void
     */
    public record Changed(
            Object key,
            Object first,
            String status,
            @Nullable Object last,
            @Nullable Object period,
            @Nullable Object text,
            @Nullable Object at,
            @Nullable Object actor,
            @Nullable Object reason) {
        static Changed of(LedgerLine entry) {
            return of(
                    entry.status(),
                    String.valueOf(entry.key()),
                    entry.first(),
                    entry.last(),
                    entry.period(),
                    entry.texts() == null ? null : entry.texts().get(0),
                    entry.allocatedAt(),
                    entry.actor());
        }

        static Changed of(Allocation allocation) {
            return of(
                    allocation.status(),
                    String.valueOf(allocation.key()),
                    allocation.first(),
                    allocation.last(),
                    allocation.period(),
                    allocation.firstText(),
                    allocation.allocatedAt(),
                    allocation.actor());
        }

        private static Changed of(
                Status status,
                String key,
                long first,
                long last,
                String period,
                @Nullable String text,
                Instant allocatedAt,
                @Nullable String allocatedBy) {
            boolean isSet = status.at() != null;
            return new Changed(
                    key,
                    first,
                    EnumWord.of(status.kind()),
                    last,
                    period,
                    text,
                    String.valueOf(isSet ? status.at() : allocatedAt),
                    isSet ? status.actor() : allocatedBy,
                    status.reason());
        }

        private int units() {
            return Stream.of(key, text, actor, reason)
                    .mapToInt(value -> value == null ? 0 : value.toString().length())
                    .sum();
        }

        private List<FieldChange> details() {
            List<FieldChange> details = new ArrayList<>();
            details.add(new FieldChange(CHANGED_LAST, period, last));
            details.add(new FieldChange(CHANGED_TEXT, null, text));
            details.add(new FieldChange(CHANGED_AT, null, at));
            details.add(new FieldChange(CHANGED_ACTOR, null, actor));
            details.add(new FieldChange(CHANGED_REASON, null, reason));
            return details;
        }
    }

    /**
     * Returns the fields of the first allocations, as many as fit the row: first all of them in the form that earlier
     * versions read, and then their details in the same order.
     */
    static List<FieldChange> changed(Iterable<Changed> allocations) {
        List<FieldChange> fields = new ArrayList<>();
        List<FieldChange> details = new ArrayList<>();
        int left = MAX_CHANGED_UNITS;
        for (Changed allocation : allocations) {
            left -= allocation.units();
            if (left < 0) {
                break;
            }
            fields.add(new FieldChange(CHANGED + allocation.status(), allocation.key(), allocation.first()));
            details.addAll(allocation.details());
        }
        fields.addAll(details);
        return fields;
    }

    /** Returns the field that notes the status of an allocation when the closing counted it. */
    static FieldChange seen(Status status, String period, long first) {
        return new FieldChange(RECENT + EnumWord.of(status.kind()), period, first);
    }

    boolean hasSeen(Status status, String period, long first) {
        return change.fields().contains(seen(status, period, first));
    }

    static FieldChange hash(String sha256) {
        return field("sha256", sha256);
    }

    boolean hasHash(String sha256) {
        return change.fields().contains(hash(sha256));
    }

    boolean isOf(LocalDate dateFrom, LocalDate dateTo) {
        return change.fields().containsAll(dates(dateFrom, dateTo));
    }

    /** Whether the closing has every date from the first to the last one. False if its dates cannot be read. */
    boolean covers(LocalDate first, LocalDate last) {
        try {
            return !date(DATE_FROM).isAfter(first) && !date(DATE_TO).isBefore(last);
        } catch (DateTimeException e) {
            return false;
        }
    }

    private LocalDate date(String name) {
        return LocalDate.parse(named(name).stream()
                .findFirst()
                .map(field -> String.valueOf(field.after()))
                .orElse(""));
    }

    /**
     * Returns when the closing began to read, by the table service's clock; empty if the time is missing or invalid.
     */
    Optional<Instant> checkedAt() {
        try {
            return change.fields().stream()
                    .filter(field -> field.field().equals(CHECKED_AT))
                    .findFirst()
                    .map(field -> Instant.parse(String.valueOf(field.after())));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the most characters that an answer with this closing has. Answers omit the fields that are meant for the
     * next closing.
     */
    public long characters() {
        return change.characters()
                - change.fields().stream()
                        .filter(field -> field.field().startsWith(RECENT) || isForNext(field))
                        .mapToLong(FieldChange::characters)
                        .sum();
    }

    /**
     * Returns the fields for the list of all changes, without the details of numbers and the fields for the next
     * closing.
     */
    public static List<FieldChange> shown(Change change) {
        return change.fields().stream()
                .filter(field -> !isHidden(change, field))
                .toList();
    }

    /** Returns the most characters that a change has in the list of all changes. */
    public static long charactersOf(Change change) {
        return change.characters()
                - change.fields().stream()
                        .filter(field -> isHidden(change, field))
                        .mapToLong(FieldChange::characters)
                        .sum();
    }

    private static boolean isHidden(Change change, FieldChange field) {
        return change.kind() == Change.Kind.CLOSED && (isForNext(field) || DETAILS.contains(field.field()));
    }

    private static boolean isForNext(FieldChange field) {
        return field.field().startsWith(ClosedRuns.RUN)
                || field.field().equals(ClosedRuns.PERIOD)
                || field.field().equals(ClosedRuns.COUNT);
    }

    /** Returns the results, without gaps and numbers. */
    public List<FieldChange> results() {
        return change.fields().stream()
                .filter(field -> field.field().indexOf(':') < 0)
                .toList();
    }

    public List<Gap> gaps() {
        List<Gap> gaps = new ArrayList<>();
        Object period = null;
        for (FieldChange field : change.fields()) {
            if (field.field().equals(GAP_PERIOD)) {
                period = field.after();
            } else if (field.field().startsWith(GAP)) {
                gaps.add(new Gap(field, period, null));
            } else if (field.field().equals(GAP_REASON) && !gaps.isEmpty()) {
                Gap latest = gaps.remove(gaps.size() - 1);
                gaps.add(new Gap(latest.numbers(), latest.period(), field.after()));
            }
        }
        return gaps;
    }

    /** Whether this closing was compared with an earlier closing of the same dates. */
    public boolean isCompared() {
        return change.fields().stream().anyMatch(field -> field.field().equals(CHANGED_COUNT));
    }

    /** Whether every listed number differs from the earlier closing. If false, some may be unchanged. */
    public boolean isChangedExact() {
        return change.fields().contains(field(CHANGED_EXACT, true))
                || change.fields().contains(field(CHANGED_COUNT, 0L));
    }

    /** Returns the numbers that the closing found, with their status; empty if they are not stored. */
    Optional<ClosedRuns> runs() {
        return ClosedRuns.of(change.fields());
    }

    /** Returns the first allocations that changed since the earlier closing. */
    public List<Changed> changed() {
        List<FieldChange> listed = starting(CHANGED);
        List<FieldChange> lasts = named(CHANGED_LAST);
        List<FieldChange> texts = named(CHANGED_TEXT);
        List<FieldChange> times = named(CHANGED_AT);
        List<FieldChange> actors = named(CHANGED_ACTOR);
        List<FieldChange> reasons = named(CHANGED_REASON);
        boolean isDetailed =
                Stream.of(lasts, texts, times, actors, reasons).allMatch(all -> all.size() == listed.size());
        return IntStream.range(0, listed.size())
                .mapToObj(index -> new Changed(
                        String.valueOf(listed.get(index).before()),
                        Objects.requireNonNullElse(listed.get(index).after(), 0L),
                        word(listed.get(index)),
                        isDetailed ? lasts.get(index).after() : null,
                        isDetailed ? lasts.get(index).before() : null,
                        isDetailed ? texts.get(index).after() : null,
                        isDetailed ? times.get(index).after() : null,
                        isDetailed ? actors.get(index).after() : null,
                        isDetailed ? reasons.get(index).after() : null))
                .toList();
    }

    private List<FieldChange> starting(String prefix) {
        return change.fields().stream()
                .filter(field -> field.field().startsWith(prefix))
                .toList();
    }

    private List<FieldChange> named(String name) {
        return change.fields().stream()
                .filter(field -> field.field().equals(name))
                .toList();
    }

    /**
     * Returns the kind of a gap or the status of numbers from the name of a field, for example {@code void} from
     * {@code changed:void}.
     */
    public static String word(FieldChange field) {
        return field.field().substring(field.field().indexOf(':') + 1);
    }
}
