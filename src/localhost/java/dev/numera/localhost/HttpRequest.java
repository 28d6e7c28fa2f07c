package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatus;
import com.microsoft.azure.functions.HttpStatusType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.net.URI;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * An HTTP request as the real host passes it to Java: header names in lower case, repeated headers and parameters
 * joined by a comma, empty parameters dropped.
 *
 * @param body a string, bytes for a binary content type, or null if there is none
 */
record HttpRequest(Request request, Map<String, String> routeValues, QueryString query, Object body)
        implements TriggerData {
    /** Reads the request and blocks until its body has arrived. Like the real host, drops a chunked body. */
    static HttpRequest read(Request request, Map<String, String> routeValues, QueryString query) throws IOException {
        return new HttpRequest(request, routeValues, query, readBody(request));
    }

    @Override
    public Object payload(Type wanted) {
        if (Conversion.rawClass(wanted) == HttpRequestMessage.class) {
            return new Message(this, headers(), Conversion.convert(body, Conversion.typeArgument(wanted)));
        }
        return Conversion.convert(body, wanted);
    }

    /** Returns the route value of this name, else the query parameter, else the top-level property of a JSON body. */
    @Override
    public Optional<Object> metadata(String name) {
        String inRoute = routeValues.get(name);
        if (inRoute != null) {
            return Optional.of(inRoute);
        }
        Optional<String> inQuery = name.equalsIgnoreCase("code") ? Optional.empty() : query.last(name);
        if (inQuery.isPresent()) {
            return Optional.of(inQuery.get());
        }
        return body instanceof String text
                ? Optional.ofNullable(JsonProperties.of(text).get(name))
                : Optional.empty();
    }

    /**
     * The view that a function gets as {@code HttpRequestMessage}. Its URI contains the raw query as the client sent
     * it.
     */
    private record Message(HttpRequest of, Map<String, String> getHeaders, Object getBody)
            implements HttpRequestMessage<Object> {
        @Override
        public URI getUri() {
            String query = of.request.getHttpURI().getQuery();
            return URI.create("http://" + host()
                    + PercentEncoding.escapePath(of.request.getHttpURI().getPath())
                    + (query == null ? "" : "?" + query));
        }

        @Override
        public HttpMethod getHttpMethod() {
            return HttpMethod.value(of.request.getMethod());
        }

        @Override
        public Map<String, String> getQueryParameters() {
            return of.query.joined();
        }

        @Override
        public HttpResponseMessage.Builder createResponseBuilder(HttpStatus status) {
            return new HttpResponse(status);
        }

        @Override
        public HttpResponseMessage.Builder createResponseBuilder(HttpStatusType status) {
            return new HttpResponse(status);
        }

        private String host() {
            String host = of.request.getHeaders().get(HttpHeader.HOST);
            return host == null ? Request.getServerName(of.request) + ":" + Request.getServerPort(of.request) : host;
        }
    }

    private Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>();
        for (HttpField field : request.getHeaders()) {
            headers.merge(
                    field.getLowerCaseName(), field.getValue() == null ? "" : field.getValue(), (a, b) -> a + "," + b);
        }
        return Collections.unmodifiableMap(headers);
    }

    private static Object readBody(Request request) throws IOException {
        if (request.getLength() <= 0) {
            Content.Source.consumeAll(request);
            return null;
        }
        byte[] bytes = new byte[Math.toIntExact(request.getLength())];
        try (InputStream content = Content.Source.asInputStream(request)) {
            content.readNBytes(bytes, 0, bytes.length);
        }
        String type = String.valueOf(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
                .toLowerCase(Locale.ROOT);
        return type.startsWith("application/octet-stream") || type.startsWith("multipart/") ? bytes : text(bytes);
    }

    /**
     * Decodes the body as UTF-8, or as its byte order mark states, and drops the mark. Ignores the charset of the
     * content type, as the Functions host does.
     */
    private static String text(byte[] bytes) {
        String text =
                new String(bytes, startsWith(bytes, 0xFE, 0xFF) || startsWith(bytes, 0xFF, 0xFE) ? UTF_16 : UTF_8);
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static boolean startsWith(byte[] bytes, int first, int second) {
        return bytes.length >= 2 && Byte.toUnsignedInt(bytes[0]) == first && Byte.toUnsignedInt(bytes[1]) == second;
    }
}
