package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatusType;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** The answer that a function builds. Like the Java worker's answer, it is its own builder. Not thread-safe. */
final class HttpResponse implements HttpResponseMessage, HttpResponseMessage.Builder {
    private static final Gson INDENTED = new GsonBuilder().setPrettyPrinting().create();
    private static final String DEFAULT_TEXT_TYPE = "text/plain";

    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private HttpStatusType status;
    private Object body;

    HttpResponse(HttpStatusType status) {
        this.status = status;
    }

    @Override
    public Builder status(HttpStatusType newStatus) {
        status = newStatus;
        return this;
    }

    @Override
    public Builder header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    @Override
    public Builder body(Object newBody) {
        body = newBody;
        return this;
    }

    @Override
    public HttpResponseMessage build() {
        return this;
    }

    @Override
    public HttpStatusType getStatus() {
        return status;
    }

    @Override
    public String getHeader(String name) {
        return headers.get(name);
    }

    @Override
    public Object getBody() {
        return body;
    }

    /** Returns the body to send: bytes as they are, a string in UTF-8, anything else as indented JSON. */
    ByteBuffer content() {
        if (body instanceof byte[] bytes) {
            return ByteBuffer.wrap(bytes);
        }
        if (body == null) {
            return ByteBuffer.allocate(0);
        }
        String text = body instanceof String given ? given : INDENTED.toJson(body);
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    void copyHeadersTo(HttpFields.Mutable fields) {
        headers.forEach(fields::put);
        if (!(body instanceof byte[])) {
            fields.put(HttpHeader.CONTENT_TYPE, inUtf8(headers.getOrDefault("Content-Type", DEFAULT_TEXT_TYPE)));
        }
    }

    /** Adds the charset to a content type. The real host does so for every body that is not bytes, even for JSON. */
    private static String inUtf8(String type) {
        return type.contains("charset=") ? type : type + "; charset=utf-8";
    }
}
