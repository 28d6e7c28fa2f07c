package dev.numera.localhost;

import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/**
 * The only key of this host. It opens every function and the admin endpoints. Without a key nothing is locked, as with
 * {@code func start}.
 */
record HostKey(Optional<String> configured) {
    private static final String HEADER = "x-functions-key";
    private static final String PARAMETER = "code";

    /**
     * Whether the request may call a function of this level. A key in the header, even an empty one, overrides the
     * query parameter.
     */
    boolean admits(AuthorizationLevel level, Request request, QueryString query) {
        if (level == AuthorizationLevel.ANONYMOUS || configured.isEmpty()) {
            return true;
        }
        Optional<String> sent =
                Optional.ofNullable(request.getHeaders().get(HEADER)).or(() -> query.first(PARAMETER));
        return sent.equals(configured);
    }
}
