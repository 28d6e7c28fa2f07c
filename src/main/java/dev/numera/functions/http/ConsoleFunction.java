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
 * {@code GET /console} and {@code GET /console/{file}}: a web page that shows the answers of the other calls. The page
 * itself contains no data. The user enters a function key, and the page calls the API with it. Answers 404 if the
 * setting is off.
 */
public final class ConsoleFunction {
    private static final ConsoleFiles FILES = ConsoleFiles.ofThisJar();
    /**
     * Allows only content from this app, and forbids other pages to frame the console. A name or a key can therefore
     * never run as a script.
     */
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
        return HttpCall.answer(app, request, Need.NOTHING, call -> {
            boolean isOn = app.hasConsole();
            call.query();
            return isOn ? answer.apply(call) : none(call);
        });
    }

    /**
     * Whether the path ends with a slash. The host routes it to the same function, but the relative links of the page
     * would be broken.
     */
    private static boolean isBelowItself(HttpCall call) {
        return call.uri().getPath().endsWith("/");
    }

    private static HttpResponseMessage.Builder moved(HttpCall call) {
        return call.empty(308).header("Location", "../console");
    }

    /** Returns the answer that the host sends for an unknown route. */
    private static HttpResponseMessage.Builder none(HttpCall call) {
        return call.empty(404);
    }

    private static HttpResponseMessage.Builder found(HttpCall call, PackagedFile file, String caching) {
        return call.file(file, caching)
                .header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer");
    }
}
