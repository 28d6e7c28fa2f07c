package dev.numera.functions;

import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.ANONYMOUS;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * {@code GET /console} and {@code GET /console/{file}}: a page for people that shows what the other calls answer. It
 * holds no data; whoever opens it enters a key, and the page makes the calls. Where the setting says off there is no
 * such page.
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
        return answer(request, isBelowItself(request) ? () -> moved(request) : () -> found(request, FILES.page()));
    }

    @FunctionName("ConsoleFile")
    public HttpResponseMessage consoleFile(
            @HttpTrigger(name = "request", methods = GET, route = "console/{file}", authLevel = ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("file") String file) {
        return answer(request, () -> {
            ConsoleFiles.File found = FILES.find(file);
            return found == null ? none(request) : found(request, found);
        });
    }

    private HttpResponseMessage answer(
            HttpRequestMessage<Optional<String>> request, Supplier<HttpResponseMessage> answer) {
        return Endpoint.answer(request, () -> {
            boolean isOn = app.hasConsole();
            Query.of(request, Set.of());
            return isOn ? answer.get() : none(request);
        });
    }

    /** The host takes one slash more for the same route, but the page's own links would lead nowhere. */
    private static boolean isBelowItself(HttpRequestMessage<Optional<String>> request) {
        return request.getUri().getPath().endsWith("/");
    }

    private static HttpResponseMessage moved(HttpRequestMessage<Optional<String>> request) {
        return Endpoint.begin(request, 308).header("Location", "../console").build();
    }

    /** As the host answers where there is no function. */
    private static HttpResponseMessage none(HttpRequestMessage<Optional<String>> request) {
        return Endpoint.begin(request, 404).build();
    }

    private static HttpResponseMessage found(HttpRequestMessage<Optional<String>> request, ConsoleFiles.File file) {
        return Endpoint.file(request, file.content(), file.type(), file.isHashed() ? FOR_EVER : Endpoint.ASK_AGAIN)
                .header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer")
                .build();
    }
}
