package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses requests that web pages of other sites cause. Such a page could let its own name resolve to 127.0.0.1 (DNS
 * rebinding). A form or script of any site could also post to an app that requires no key, without being able to read
 * the answer.
 */
final class LoopbackNames extends Handler.Wrapper {
    private static final Pattern LOOPBACK = Pattern.compile("(?i)localhost|127(?:\\.\\d{1,3}){3}|\\[::1]");
    private static final Pattern LOOPBACK_ORIGIN = Pattern.compile("(?i)https?://(?:" + LOOPBACK + ")(?::\\d+)?");
    /** Methods that change nothing. A link on another site's page may use them. */
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    LoopbackNames(Handler next) {
        super(next);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!isOfThisMachine(request.getHttpURI())) {
            return refuse(
                    HttpStatus.MISDIRECTED_REQUEST_421,
                    "This host serves 127.0.0.1, localhost and [::1] only, whatever name leads to it: call"
                            + " http://127.0.0.1:" + Request.getLocalPort(request) + ".",
                    response,
                    callback);
        }
        if (!READING.contains(request.getMethod()) && isFromAnotherSite(request.getHeaders())) {
            return refuse(
                    HttpStatus.FORBIDDEN_403,
                    "This host takes changes only from pages of this machine (localhost, 127.0.0.1 or [::1]): the"
                            + " request's Origin or Sec-Fetch-Site is that of another site.",
                    response,
                    callback);
        }
        return super.handle(request, response, callback);
    }

    private static boolean refuse(int status, String text, Response response, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.write(true, UTF_8.encode(text), callback);
        return true;
    }

    /**
     * Whether the request's host is this machine. Accepts a request without a host: only HTTP/1.0 allows it, and no
     * browser sends one. Ignores the port, because a proxy or a container may listen on another one.
     */
    private static boolean isOfThisMachine(HttpURI called) {
        return called.getHost() == null || LOOPBACK.matcher(called.getHost()).matches();
    }

    /** Whether a browser states that another site's page makes the request. Other clients send neither header. */
    private static boolean isFromAnotherSite(HttpFields headers) {
        String origin = headers.get(HttpHeader.ORIGIN);
        return origin == null
                ? "cross-site".equals(headers.get("Sec-Fetch-Site"))
                : !LOOPBACK_ORIGIN.matcher(origin).matches();
    }
}
