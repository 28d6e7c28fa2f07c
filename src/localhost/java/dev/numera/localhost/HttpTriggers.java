package dev.numera.localhost;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Routes requests to the app's HTTP functions and calls them in the server's thread. The host's own answers have no
 * body.
 */
final class HttpTriggers extends Handler.Abstract {
    static final long MAX_BODY_BYTES = 104_857_600;

    private static final Logger LOG = Logger.getLogger("Host.Http");
    private static final Set<String> RESERVED = Set.of("admin", "runtime");

    /**
     * A function with the route, methods and access level of its trigger. Without a list of methods it accepts every
     * method.
     */
    private record Endpoint(Function function, Route route, Optional<Set<String>> methods, AuthorizationLevel level) {
        /** Returns the route values if this function accepts the call. */
        Optional<Map<String, String>> match(String method, RequestPath path) {
            boolean takes = methods.map(listed -> listed.contains(method)).orElse(true);
            return takes ? route.match(path) : Optional.empty();
        }
    }

    private final List<Endpoint> endpoints = new ArrayList<>();
    private final AdminEndpoints admin;
    private final HostKey key;

    HttpTriggers(FunctionApp app, AppSettings settings, AdminEndpoints admin, HostKey key) {
        this.admin = admin;
        this.key = key;
        for (Function function : app.triggeredBy("httpTrigger")) {
            endpoints.add(endpoint(function, app.hostSettings().routePrefix(), settings));
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        RequestPath path = path(request);
        QueryString query = query(request);
        if (admin.owns(path)) {
            admin.handle(path, query, request, response, callback);
            return true;
        }
        for (Endpoint endpoint : endpoints) {
            Optional<Map<String, String>> routeValues = endpoint.match(request.getMethod(), path);
            if (routeValues.isPresent()) {
                call(endpoint, routeValues.get(), query, request, response, callback);
                return true;
            }
        }
        return end(HttpStatus.NOT_FOUND_404, response, callback);
    }

    /** Returns 401 or 404 if the call reaches no function, whatever its body is; empty for any other call. */
    OptionalInt refusal(Request request) {
        RequestPath path = path(request);
        if (admin.owns(path)) {
            return OptionalInt.empty();
        }
        for (Endpoint endpoint : endpoints) {
            if (endpoint.match(request.getMethod(), path).isPresent()) {
                return key.admits(endpoint.level, request, query(request))
                        ? OptionalInt.empty()
                        : OptionalInt.of(HttpStatus.UNAUTHORIZED_401);
            }
        }
        return OptionalInt.of(HttpStatus.NOT_FOUND_404);
    }

    private static RequestPath path(Request request) {
        String rawPath = request.getHttpURI().getPath();
        return RequestPath.of(rawPath == null ? "" : rawPath);
    }

    private static QueryString query(Request request) {
        return QueryString.parse(request.getHttpURI().getQuery());
    }

    /**
     * Ends a call with a status and no body. Reads the rest of the request first: if the connection closes while the
     * client is still sending, the answer is lost.
     */
    static boolean end(int status, Response response, Callback callback) throws IOException {
        Content.Source.consumeAll(response.getRequest());
        response.setStatus(status);
        writeNothing(response, callback);
        return true;
    }

    /**
     * Completes a call by writing an empty body. Completing it without a write, outside the thread of its handler,
     * makes Jetty lose the answer to a later call on the same connection when threads are scarce.
     */
    static void writeNothing(Response response, Callback callback) {
        response.write(true, ByteBuffer.allocate(0), callback);
    }

    private void call(
            Endpoint endpoint,
            Map<String, String> routeValues,
            QueryString query,
            Request request,
            Response response,
            Callback callback)
            throws IOException {
        if (!key.admits(endpoint.level, request, query)) {
            end(HttpStatus.UNAUTHORIZED_401, response, callback);
            return;
        }
        try {
            Object answer = endpoint.function.invoke(HttpRequest.read(request, routeValues, query));
            write((HttpResponse) answer, response, callback);
        } catch (Function.Failed e) {
            LOG.log(Level.SEVERE, e.getMessage(), e.getCause());
            end(HttpStatus.INTERNAL_SERVER_ERROR_500, response, callback);
        }
    }

    private static void write(HttpResponse answer, Response response, Callback callback) throws IOException {
        if (answer == null) {
            end(HttpStatus.NO_CONTENT_204, response, callback);
            return;
        }
        response.setStatus(answer.getStatusCode());
        answer.copyHeadersTo(response.getHeaders());
        response.write(true, answer.content(), callback);
    }

    private static Endpoint endpoint(Function function, String prefix, AppSettings settings) {
        JsonObject trigger = function.trigger();
        String own =
                trigger.has("route") ? settings.resolve(trigger.get("route").getAsString()) : "";
        String route = own.isEmpty() ? function.name() : own;
        if (RESERVED.stream()
                .anyMatch(reserved -> route.toLowerCase(Locale.ROOT).startsWith(reserved))) {
            throw new StartRefused("The route '" + route + "' of the function '" + function.name() + "' begins with "
                    + RESERVED + ", which the Functions host keeps to itself: choose another.");
        }
        String template = prefix.isEmpty() ? route.replaceFirst("^/", "") : prefix + "/" + route;
        return new Endpoint(function, Route.parse(template), methods(trigger), level(trigger));
    }

    private static Optional<Set<String>> methods(JsonObject trigger) {
        if (!trigger.has("methods")) {
            return Optional.empty();
        }
        Set<String> methods = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (JsonElement method : trigger.getAsJsonArray("methods")) {
            methods.add(method.getAsString());
        }
        return Optional.of(methods);
    }

    private static AuthorizationLevel level(JsonObject trigger) {
        return trigger.has("authLevel")
                ? AuthorizationLevel.valueOf(
                        trigger.get("authLevel").getAsString().toUpperCase(Locale.ROOT))
                : AuthorizationLevel.FUNCTION;
    }
}
