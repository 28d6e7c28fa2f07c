package dev.numera.core.problem;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A refusal for the caller to read: what was wrong, where, and what to do. A refusal is an answer, not a fault in the
 * program. An instance under load creates thousands of refusals, so they carry no stack trace.
 */
public class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String detail;
    private final ProblemType type;
    private final transient Map<String, Object> members;

    public ProblemException(ProblemType type, String detail) {
        this(type, detail, Map.of());
    }

    /**
     * @param members the data that a client needs to react, by its name in the problem's JSON; values are strings,
     *     numbers, booleans, and lists or maps of them
     */
    public ProblemException(ProblemType type, String detail, Map<String, Object> members) {
        this(type, detail, members, null);
    }

    protected ProblemException(
            ProblemType type, String detail, Map<String, Object> members, @Nullable Throwable cause) {
        super(detail, cause, true, false);
        this.detail = detail;
        this.type = type;
        this.members = Map.copyOf(members);
    }

    /** Returns the detail, which is never null. */
    @Override
    public String getMessage() {
        return detail;
    }

    public ProblemType type() {
        return type;
    }

    /** Whether the same request may succeed later without any action by a person. */
    public boolean isTransient() {
        return type.isTransient();
    }

    /** Whether the same request may succeed soon, at this instance or during a deployment at a newer one. */
    public boolean isWorthARetry() {
        return isTransient() || type == ProblemType.NEEDS_NEWER_VERSION;
    }

    /** Whether the service failed, so that the problem is not the fault of the request or key that it answers. */
    public boolean isTroubleOfTheService() {
        return type.isTroubleOfTheService();
    }

    public Map<String, Object> members() {
        return members;
    }
}
