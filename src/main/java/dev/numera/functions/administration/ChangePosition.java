package dev.numera.functions.administration;

import dev.numera.definition.Change;
import dev.numera.functions.Continuation;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A position among changes, of whatever sequence, as a continuation holds it. */
final class ChangePosition {
    private static final char BEFORE_ID = ';';
    /** Years of four digits stand in the order of texts. */
    private static final Instant END_OF_TIMES = Instant.parse("9999-12-31T23:59:59Z");

    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,100}");

    private ChangePosition() {}

    static @Nullable String text(Change.@Nullable Position position) {
        return position == null ? null : position.at().toString() + BEFORE_ID + position.id();
    }

    /** Null on the first page. */
    static Change.@Nullable Position read(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int end = text.indexOf(BEFORE_ID);
        if (end < 0 || !ID.matcher(text.substring(end + 1)).matches()) {
            throw Continuation.refused();
        }
        try {
            Instant at = Instant.parse(text.substring(0, end));
            if (!at.isBefore(Instant.EPOCH) && at.isBefore(END_OF_TIMES)) {
                return new Change.Position(at, text.substring(end + 1));
            }
        } catch (DateTimeException e) {
            // Falls through: no time is as forged as one of another age.
        }
        throw Continuation.refused();
    }
}
