package dev.numera.functions;

import dev.numera.model.ChangeNote;
import dev.numera.problem.InvalidRequest;
import dev.numera.problem.PrintableText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The header {@code Numera-Actor}: who does it, by the caller's word. It proves nothing and opens nothing. */
public final class Actor {
    private static final String HEADER = "Numera-Actor";

    private Actor() {}

    /**
     * What is kept with a change.
     *
     * @throws dev.numera.problem.ProblemException as {@link #from}
     */
    public static ChangeNote note(Map<String, String> headers) {
        return ChangeNote.by(from(headers));
    }

    /**
     * Null without the header.
     *
     * @param headers by their names in lower case, as the host gives them
     * @throws dev.numera.problem.ProblemException {@code invalid-request}
     */
    public static @Nullable String from(Map<String, String> headers) {
        String actor = headers.get("numera-actor");
        if (actor != null) {
            if (!actor.chars().allMatch(unit -> unit >= ' ' && unit <= '~')) {
                throw InvalidRequest.because(HEADER, "must have printable ASCII characters only");
            }
            PrintableText.ACTOR.require(HEADER, actor);
        }
        return actor;
    }
}
