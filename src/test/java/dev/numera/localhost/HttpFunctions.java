package dev.numera.localhost;

import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.HttpMethod;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.HttpStatus;
import com.microsoft.azure.functions.annotation.AuthorizationLevel;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Functions that answer with the arguments that the host passed to them. */
public final class HttpFunctions {
    private static final CountDownLatch HUNDRED_CALLS = new CountDownLatch(100);

    public record Point(int x, int y) {}

    @FunctionName("Echo")
    public HttpResponseMessage echo(
            @HttpTrigger(name = "request", route = "echo/{first}/{second}", authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("first") String first,
            @BindingName("second") String second) {
        return request.createResponseBuilder(HttpStatus.OK)
                .body(String.join(
                        "\n",
                        request.getHttpMethod().toString(),
                        first,
                        second,
                        request.getUri().toString(),
                        new TreeMap<>(request.getQueryParameters()).toString(),
                        request.getBody().toString()))
                .build();
    }

    @FunctionName("Headers")
    public HttpResponseMessage headers(
            @HttpTrigger(name = "request", authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<String> request) {
        return request.createResponseBuilder(HttpStatus.OK)
                .body(new TreeMap<>(request.getHeaders()) + " body " + request.getBody())
                .build();
    }

    @FunctionName("Answer")
    public HttpResponseMessage answer(
            @HttpTrigger(name = "request", methods = HttpMethod.GET, authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("kind") String kind) {
        HttpResponseMessage.Builder ok = request.createResponseBuilder(HttpStatus.OK);
        return switch (kind) {
            case "text" -> ok.body("é").build();
            case "json" ->
                ok.header("Content-Type", "application/json")
                        .header("ETag", "\"1\"")
                        .body("{}")
                        .build();
            case "latin" ->
                ok.header("content-type", "text/html; charset=iso-8859-1")
                        .body("x")
                        .build();
            case "bytes" ->
                ok.header("Content-Type", "image/png")
                        .body(new byte[] {1, 2, (byte) 200})
                        .build();
            case "map" -> ok.body(Map.of("a", List.of(1))).build();
            case "none" -> request.createResponseBuilder(HttpStatus.CREATED).build();
            case "null" -> null;
            case "twice" -> ok.header("X-One", "1").header("x-one", "2").build();
            default -> throw new AssertionError("a problem of the function's own");
        };
    }

    @FunctionName("Locked")
    public HttpResponseMessage locked(
            @HttpTrigger(name = "request", methods = HttpMethod.GET) HttpRequestMessage<String> request) {
        return request.createResponseBuilder(HttpStatus.OK).body("open").build();
    }

    @FunctionName("Property")
    public HttpResponseMessage property(
            @HttpTrigger(name = "request", route = "property", authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<String> request,
            @BindingName("value") int value) {
        return request.createResponseBuilder(HttpStatus.OK).body("" + value).build();
    }

    @FunctionName("Pojo")
    public HttpResponseMessage pojo(
            @HttpTrigger(name = "request", authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Point> request) {
        return request.createResponseBuilder(HttpStatus.OK)
                .body("" + request.getBody())
                .build();
    }

    @FunctionName("Bytes")
    public HttpResponseMessage bytes(
            @HttpTrigger(name = "request", authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<byte[]>> request) {
        return request.createResponseBuilder(HttpStatus.OK)
                .body("" + request.getBody().map(bytes -> bytes.length))
                .build();
    }

    @FunctionName("Worker")
    public HttpResponseMessage worker(
            @HttpTrigger(name = "request", authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request,
            ExecutionContext context) {
        context.getLogger().fine("a message");
        return request.createResponseBuilder(HttpStatus.OK)
                .body(String.join(
                        " ",
                        context.getFunctionName(),
                        context.getInvocationId(),
                        context.getLogger().getName(),
                        "traceparent=" + context.getTraceContext().getTraceparent(),
                        "own="
                                + (Thread.currentThread().getContextClassLoader()
                                        == getClass().getClassLoader()),
                        "instance=" + System.identityHashCode(this),
                        "setting=" + System.getenv("FIXTURE_SETTING")))
                .build();
    }

    @FunctionName("AllAtOnce")
    public HttpResponseMessage allAtOnce(
            @HttpTrigger(name = "request", authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request)
            throws InterruptedException {
        HUNDRED_CALLS.countDown();
        boolean together = HUNDRED_CALLS.await(10, TimeUnit.SECONDS);
        return request.createResponseBuilder(together ? HttpStatus.OK : HttpStatus.REQUEST_TIMEOUT)
                .build();
    }

    @FunctionName("Slow")
    public HttpResponseMessage slow(
            @HttpTrigger(name = "request", authLevel = AuthorizationLevel.ANONYMOUS)
                    HttpRequestMessage<Optional<String>> request)
            throws InterruptedException {
        System.out.println("Slow was called");
        TimeUnit.MILLISECONDS.sleep(3_000);
        return request.createResponseBuilder(HttpStatus.OK).body("finished").build();
    }
}
