package dev.numera.functions.http;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.ANONYMOUS;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import dev.numera.functions.App;
import dev.numera.functions.PackagedFile;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code GET /console} and {@code GET /console/{file}}: a page for people that shows the answers of the other calls. It
 * has no data; a person who opens it enters a key, and the page makes the calls. It is not there where the setting is
 * off.
 */
public final class ConsoleFunction {
    private static final ConsoleFiles FILES = ConsoleFiles.ofThisJar();
    /** Nothing but what comes from here, and no page around this one: a name or a key can never become a script. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    private final App app;

    public ConsoleFunction(App app) {
        this.app = app;
    }

    @FunctionName("Console")
    public HttpResponseMessage console(
            @HttpTrigger(name = "request", methods = GET, route = "console", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request) {
        return answer(
                request, call -> isBelowItself(call) ? moved(call) : found(call, FILES.page(), HttpCall.ASK_AGAIN));
    }

    @FunctionName("ConsoleFile")
    public HttpResponseMessage consoleFile(
            @HttpTrigger(name = "request", methods = GET, route = "console/{file}", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("file") String file) {
        return answer(request, call -> {
            PackagedFile found = FILES.find(file);
            return found == null
                    ? none(call)
                    : found(call, found, ConsoleFiles.isHashed(file) ? FOR_EVER : HttpCall.ASK_AGAIN);
        });
    }

    private HttpResponseMessage answer(
            HttpRequestMessage<Optional<String>> request, Function<HttpCall, HttpResponseMessage.Builder> answer) {
        return HttpCall.answer(request, call -> {
            boolean isOn = app.hasConsole();
            call.query();
            return isOn ? answer.apply(call) : none(call);
        });
    }

    /** The host takes one slash more for the same route, but the page's own links would lead nowhere. */
    private static boolean isBelowItself(HttpCall call) {
        return call.uri().getPath().endsWith("/");
    }

    private static HttpResponseMessage.Builder moved(HttpCall call) {
        return call.empty(308).header("Location", "../console");
    }

    /** As the host answers where there is no function. */
    private static HttpResponseMessage.Builder none(HttpCall call) {
        return call.empty(404);
    }

    private static HttpResponseMessage.Builder found(HttpCall call, PackagedFile file, String caching) {
        return call.file(file, caching)
                .header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer");
    }
}
