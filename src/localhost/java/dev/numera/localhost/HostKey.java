package dev.numera.localhost;

import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/**
 * The one key of this host, which opens every function and the admin calls; without one nothing is locked, as with func
 * start.
 */
record HostKey(Optional<String> configured) {
    private static final String HEADER = "x-functions-key";
    private static final String PARAMETER = "code";

    /** The header goes before the parameter, even when it is empty. */
    boolean admits(AuthorizationLevel level, Request request, QueryString query) {
        if (level == AuthorizationLevel.ANONYMOUS || configured.isEmpty()) {
            return true;
        }
        Optional<String> sent =
                Optional.ofNullable(request.getHeaders().get(HEADER)).or(() -> query.first(PARAMETER));
        return sent.equals(configured);
    }
}
