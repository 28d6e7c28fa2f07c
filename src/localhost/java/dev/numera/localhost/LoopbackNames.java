package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Serves only requests that name this machine. Any page in a browser can have its own name lead to 127.0.0.1 (DNS
 * rebinding), and would reach an app that requires no key as its own server.
 */
final class LoopbackNames extends Handler.Wrapper {
    private static final Pattern LOOPBACK = Pattern.compile("(?i)localhost|127(?:\\.\\d{1,3}){3}|\\[::1]");

    LoopbackNames(Handler next) {
        super(next);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (isOfThisMachine(request.getHttpURI())) {
            return super.handle(request, response, callback);
        }
        response.setStatus(HttpStatus.MISDIRECTED_REQUEST_421);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.write(
                true,
                UTF_8.encode("This host serves 127.0.0.1, localhost and [::1] only, whatever name leads to it: call"
                        + " http://127.0.0.1:" + Request.getLocalPort(request) + "."),
                callback);
        return true;
    }

    /**
     * A request of HTTP/1.0 names no host, and no browser makes one. The port is that of a proxy or of a container
     * where one is in front.
     */
    private static boolean isOfThisMachine(HttpURI called) {
        return called.getHost() == null || LOOPBACK.matcher(called.getHost()).matches();
    }
}
