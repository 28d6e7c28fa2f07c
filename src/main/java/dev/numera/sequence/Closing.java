package dev.numera.sequence;

import dev.numera.model.Allocation;
import dev.numera.model.Change;
import dev.numera.model.Change.FieldChange;
import dev.numera.model.Status;
import dev.numera.problem.Word;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A closing as the change that keeps it: its fields are what was found, and those with a colon in their names are of
 * gaps and of numbers. Another program may have written it, so no value need be of its type. Immutable.
 */
public record Closing(Change change) {
    /** More gaps, or changed allocations, than these are counted only: a row of a table holds no more. */
    public static final int MAX_LISTED = 100;

    static final String CHECKED_AT = "checkedAt";
    static final String CHANGED_COUNT = "changedCount";
    private static final String DATE_FROM = "dateFrom";
    private static final String DATE_TO = "dateTo";
    private static final String GAP = "gap:";
    private static final String GAP_PERIOD = "period:gap";
    private static final String GAP_REASON = "reason:gap";
    private static final String CHANGED = "changed:";
    private static final String RECENT = "recent:";
    /** For reasons, and for keys: a property holds 32,000 characters, and each of these may take two of them. */
    private static final int MAX_TEXT_UNITS = 3_000;
    /** As many characters as one of these in its field. */
    private static final int UNITS_OF_A_PERIOD = 17;

    /**
     * A gap that was found.
     *
     * @param numbers from its value before to its value after
     * @param period null where the sequence is never reset, and where an earlier version did not keep it
     * @param reason why an advance passed over them; null where none was stated, or where the row had no room for it
     */
    public record Gap(FieldChange numbers, @Nullable Object period, @Nullable Object reason) {
        /** As a check has it. */
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

    /** The first gaps, those of a period after it, each before its reason. */
    static List<FieldChange> gaps(Map<String, List<LedgerCheck.Gap>> byPeriod) {
        List<FieldChange> fields = new ArrayList<>();
        int listed = 0;
        int left = MAX_TEXT_UNITS;
        for (Map.Entry<String, List<LedgerCheck.Gap>> period : byPeriod.entrySet()) {
            List<LedgerCheck.Gap> gaps =
                    period.getValue().stream().limit(MAX_LISTED - listed).toList();
            if (!gaps.isEmpty() && !period.getKey().isEmpty()) {
                fields.add(field(GAP_PERIOD, period.getKey()));
                left -= UNITS_OF_A_PERIOD;
            }
            for (LedgerCheck.Gap gap : gaps) {
                fields.add(new FieldChange(GAP + Word.of(gap.kind()), gap.first(), gap.last()));
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

    /** The first of these, as many as there is room for. */
    static List<FieldChange> changed(Iterable<Allocation> allocations) {
        List<FieldChange> fields = new ArrayList<>();
        int left = MAX_TEXT_UNITS;
        for (Allocation allocation : allocations) {
            String key = String.valueOf(allocation.key());
            left -= key.length();
            if (left < 0) {
                return fields;
            }
            fields.add(new FieldChange(CHANGED + Word.of(allocation.status().kind()), key, allocation.first()));
        }
        return fields;
    }

    /** That an allocation had its status when the closing counted it. */
    static FieldChange seen(Status status, String period, long first) {
        return new FieldChange(RECENT + Word.of(status.kind()), period, first);
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

    /** When it began to read, by the table service's own time; empty where it does not say. */
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

    /** The most characters that an answer with it has: what it noted for the next closing is in none. */
    public long characters() {
        return change.characters()
                - change.fields().stream()
                        .filter(field -> field.field().startsWith(RECENT))
                        .mapToLong(FieldChange::characters)
                        .sum();
    }

    /** What was found, but for gaps and numbers. */
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

    /** Whether an earlier closing of the same dates was compared with it. */
    public boolean isCompared() {
        return change.fields().stream().anyMatch(field -> field.field().equals(CHANGED_COUNT));
    }

    /** The first allocations that changed since the earlier closing: the key before, the first number after. */
    public List<FieldChange> changed() {
        return change.fields().stream()
                .filter(field -> field.field().startsWith(CHANGED))
                .toList();
    }

    /** The kind of a gap, or the status of numbers. */
    public static String word(FieldChange field) {
        return field.field().substring(field.field().indexOf(':') + 1);
    }
}
