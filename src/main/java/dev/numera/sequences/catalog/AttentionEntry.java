package dev.numera.sequences.catalog;

import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Suspension;
import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.lists.Upload;
import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * Something that a person should look at.
 *
 * @param scope as stored in the index, like {@code name}; null for what concerns no sequence
 * @param since when it began; null if unknown
 * @param until when the upload with refused rows is removed, which ends its entry; null for other kinds
 * @param count how many numbers, rows or messages; null if the kind counts nothing
 * @param used the used share of the range, from 0 to 1; null unless it is nearly used
 * @param left how many numbers are left; null unless the range is nearly used
 * @param upload the list with the rows; null for other kinds
 * @param month null unless it concerns a month
 * @param note why the sequence is suspended, or the key that has been reserved longest; null if unknown
 * @param problem why the sequence or list cannot be read; null for other kinds
 * @param action what to do, as a sentence
 */
public record AttentionEntry(
        Kind kind,
        @Nullable String scope,
        @Nullable String name,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable Long count,
        @Nullable Double used,
        @Nullable Long left,
        Upload.@Nullable Id upload,
        @Nullable YearMonth month,
        @Nullable String note,
        @Nullable ProblemException problem,
        String action) {
    private static final String LEFT_BY_MAINTENANCE =
            "Ask the operator, who alone can resume it: docs/operations.md, \"Left to decide\".";

    /** The kinds of entries, each with what to do. */
    public enum Kind {
        FAILED_MESSAGES("Requeue or drop each message: GET /poison shows why it failed."),
        SUSPENDED("Resume the sequence when the reason is gone."),
        NEARLY_USED("Widen the range: raise maxValue, or lower minValue if the sequence counts down."),
        RESERVED("Confirm or void each reserved number."),
        REFUSED_ROWS("Correct the refused rows and send them again."),
        STANDING_STILL("Send the same request again. If the sequence is suspended, resume it."),
        MONTH_OPEN("Check the month and record the result."),
        MONTH_CHANGED("Check the month again and record the result."),
        MONTH_NOT_JUDGED("Check the month: too many rows were written since its result was recorded."),
        UNREADABLE("Ask the operator: the problem names the row, or says when to try again.");

        private final String action;

        Kind(String action) {
            this.action = action;
        }
    }

    private AttentionEntry(
            Kind kind,
            @Nullable String scope,
            @Nullable String name,
            @Nullable Instant since,
            @Nullable Long count,
            @Nullable Double used,
            @Nullable Long left,
            @Nullable ProblemException problem) {
        this(kind, scope, name, since, null, count, used, left, null, null, null, problem, kind.action);
    }

    /** Returns the entry for messages that failed, which may belong to any sequence. */
    public static AttentionEntry ofMessages(long count) {
        return new AttentionEntry(Kind.FAILED_MESSAGES, null, null, null, count, null, null, null);
    }

    static AttentionEntry of(Kind kind, SequenceName name, @Nullable Instant since, @Nullable Long count) {
        return new AttentionEntry(kind, name.scope(), name.name(), since, count, null, null, null);
    }

    /** @param suspension by the owner, by a maintenance, or by both */
    static AttentionEntry suspended(SequenceName name, Suspension suspension) {
        AttentionEntry entry = of(Kind.SUSPENDED, name, suspension.since(), null);
        return suspension.isMaintenance()
                ? entry.with(Suspension.MAINTENANCE).toDo(LEFT_BY_MAINTENANCE)
                : entry.with(suspension.reason());
    }

    static AttentionEntry unreadable(String scope, String name, ProblemException problem) {
        return new AttentionEntry(Kind.UNREADABLE, scope, name, null, null, null, null, problem);
    }

    static AttentionEntry nearlyUsed(SequenceName name, double used, long left) {
        return new AttentionEntry(Kind.NEARLY_USED, name.scope(), name.name(), null, null, used, left, null);
    }

    AttentionEntry of(Upload.Id id) {
        Copy copy = new Copy();
        copy.upload = id;
        return copy.entry();
    }

    AttentionEntry of(YearMonth judged) {
        Copy copy = new Copy();
        copy.month = judged;
        return copy.entry();
    }

    AttentionEntry until(Instant end) {
        Copy copy = new Copy();
        copy.until = end;
        return copy.entry();
    }

    AttentionEntry with(@Nullable String words) {
        Copy copy = new Copy();
        copy.note = words;
        return copy.entry();
    }

    private AttentionEntry toDo(String words) {
        Copy copy = new Copy();
        copy.action = words;
        return copy.entry();
    }

    /** Returns the most characters of the entry in an answer, apart from its constant words. */
    public long characters() {
        return (note == null ? 0 : note.length())
                + (problem == null
                        ? 0
                        : 2L * String.valueOf(problem.getMessage()).length());
    }

    /** The components that change after an entry was made. */
    private final class Copy {
        private @Nullable Instant until = AttentionEntry.this.until;
        private Upload.@Nullable Id upload = AttentionEntry.this.upload;
        private @Nullable YearMonth month = AttentionEntry.this.month;
        private @Nullable String note = AttentionEntry.this.note;
        private String action = AttentionEntry.this.action;

        AttentionEntry entry() {
            return new AttentionEntry(
                    kind, scope, name, since, until, count, used, left, upload, month, note, problem, action);
        }
    }
}
