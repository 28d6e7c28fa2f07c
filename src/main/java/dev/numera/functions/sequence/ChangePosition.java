package dev.numera.functions.sequence;

import dev.numera.functions.Continuation;
import dev.numera.model.Change;
import java.time.Instant;
import java.util.regex.Pattern;

/** A position among changes, of whatever sequence, as a continuation contains it. */
final class ChangePosition {
    private static final char BEFORE_ID = ';';
    /** Years of four digits stand in the order of texts. */
    private static final Instant END_OF_TIMES = Instant.parse("9999-12-31T23:59:59Z");

    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,100}");

    private ChangePosition() {}

    static Continuation<Change.Position> pages(String pagesOf) {
        return new Continuation<>(pagesOf, ChangePosition::write, ChangePosition::read);
    }

    private static String write(Change.Position position) {
        return position.at().toString() + BEFORE_ID + position.id();
    }

    private static Change.Position read(String text) {
        int end = text.indexOf(BEFORE_ID);
        Instant at = Instant.parse(text.substring(0, end));
        String id = text.substring(end + 1);
        if (at.isBefore(Instant.EPOCH)
                || !at.isBefore(END_OF_TIMES)
                || !ID.matcher(id).matches()) {
            throw new IllegalArgumentException("No change has the position " + text);
        }
        return new Change.Position(at, id);
    }
}
