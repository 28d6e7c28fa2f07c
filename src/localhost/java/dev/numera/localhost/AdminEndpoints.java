package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The host's own endpoints below {@code /admin}: its status, and starting a function that has no HTTP trigger. */
record AdminEndpoints(List<Function> functions, HostKey key) {
    private static final Logger LOG = Logger.getLogger("Host.Admin");

    boolean owns(RequestPath path) {
        return !path.segments().isEmpty() && path.segments().get(0).equalsIgnoreCase("admin");
    }

    void handle(RequestPath path, QueryString query, Request request, Response response, Callback callback)
            throws IOException {
        String call =
                request.getMethod() + " " + String.join("/", path.segments()).toLowerCase(Locale.ROOT);
        boolean isStatus = call.equals("GET admin/host/status");
        boolean isSetOff =
                call.startsWith("POST admin/functions/") && path.segments().size() == 3;
        if (call.equals("GET admin/host/ping") || call.equals("POST admin/host/ping")) {
            HttpTriggers.end(HttpStatus.OK_200, response, callback);
        } else if (!isStatus && !isSetOff) {
            HttpTriggers.end(HttpStatus.NOT_FOUND_404, response, callback);
        } else if (!key.admits(AuthorizationLevel.ADMIN, request, query)) {
            HttpTriggers.end(HttpStatus.UNAUTHORIZED_401, response, callback);
        } else if (isStatus) {
            writeStatus(response, callback);
        } else {
            HttpTriggers.end(setOff(path.segments().get(2), request), response, callback);
        }
    }

    private static void writeStatus(Response response, Callback callback) {
        JsonObject status = new JsonObject();
        status.addProperty("id", "numera-local-host");
        status.addProperty("state", "Running");
        status.addProperty("version", "local");
        status.addProperty("processUptime", ManagementFactory.getRuntimeMXBean().getUptime());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json; charset=utf-8");
        response.write(true, UTF_8.encode(status.toString()), callback);
    }

    /**
     * Starts the function and answers at once. Like the real host, it never reports how the function ends, and checks
     * the content type first, the body second and the function's name last.
     */
    private int setOff(String name, Request request) throws IOException {
        String type = String.valueOf(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        if (!type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            return HttpStatus.UNSUPPORTED_MEDIA_TYPE_415;
        }
        Message input;
        try {
            input = Message.typedIn(input(Content.Source.asString(request)));
        } catch (JsonParseException notAnInput) {
            return HttpStatus.BAD_REQUEST_400;
        }
        Optional<Function> function = functions.stream()
                .filter(candidate -> candidate.name().equalsIgnoreCase(name))
                .findFirst();
        if (function.isEmpty()) {
            return HttpStatus.NOT_FOUND_404;
        }
        if (function.get().isTriggeredBy("httpTrigger")) {
            return HttpStatus.BAD_REQUEST_400;
        }
        request.getComponents().getExecutor().execute(() -> run(function.get(), input));
        return HttpStatus.ACCEPTED_202;
    }

    private static void run(Function function, Message message) {
        try {
            function.invoke(message);
        } catch (Function.Failed e) {
            LOG.log(Level.SEVERE, e.getMessage(), e.getCause());
        }
    }

    /**
     * Returns the value of {@code input}; null if it is null or missing.
     *
     * @throws JsonParseException the body is not a JSON object, or its {@code input} is neither a string nor null
     */
    private static String input(String body) {
        if (!(JsonParser.parseString(body) instanceof JsonObject object)) {
            throw new JsonParseException("The body is no JSON object.");
        }
        JsonElement input = object.get("input");
        if (input == null || input.isJsonNull()) {
            return null;
        }
        if (!input.isJsonPrimitive()) {
            throw new JsonParseException("The input is no text.");
        }
        return input.getAsString();
    }
}
