package dev.numera.localhost;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/**
 * Starts a call only when its whole body has arrived, so that slow senders occupy no thread and delay no other call.
 * Like the real server, answers 408 if a body is slower than {@value #MIN_BYTES_PER_SECOND} bytes a second after the
 * first {@value #GRACE_SECONDS} s. Reads a chunked body to its end and drops it, because the host does not pass it on.
 * Bodies in progress share a limit: one that exceeds it is answered with 503.
 */
final class WholeBody extends Handler.Wrapper {
    private static final int MIN_BYTES_PER_SECOND = 240;
    private static final int GRACE_SECONDS = 5;
    private static final int MAX_SECONDS = 230;
    /**
     * The limit for all bodies in progress. The real host reads bodies in a process of its own; here they share the
     * heap with the app. A body occupies its size up to three times: as it arrives, as a whole, and as a string.
     */
    private static final long MAX_BYTES_AT_ONCE = Runtime.getRuntime().maxMemory() / 8;

    private final AtomicLong bytesInProgress = new AtomicLong();

    private final HttpTriggers triggers;

    WholeBody(HttpTriggers triggers) {
        super(triggers);
        this.triggers = triggers;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        long bytes = Math.max(0, request.getLength());
        if (bytes > Math.min(HttpTriggers.MAX_BODY_BYTES, MAX_BYTES_AT_ONCE)) {
            int status = triggers.refusal(request).orElse(HttpStatus.PAYLOAD_TOO_LARGE_413);
            return drop(status, request, response, callback);
        }
        if (bytesInProgress.addAndGet(bytes) > MAX_BYTES_AT_ONCE) {
            bytesInProgress.addAndGet(-bytes);
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
            return drop(HttpStatus.SERVICE_UNAVAILABLE_503, request, response, callback);
        }
        return read(request, response, Callback.from(callback, () -> bytesInProgress.addAndGet(-bytes)));
    }

    /**
     * Answers without making the call. Reads the rest of the request first: if the connection closes while the client
     * is still sending, the answer is lost. Does not wait for a body that is too long for any call.
     */
    private static boolean drop(int status, Request request, Response response, Callback callback) {
        response.setStatus(status);
        if (request.getLength() > HttpTriggers.MAX_BODY_BYTES) {
            HttpTriggers.writeNothing(response, callback);
        } else {
            Content.Source.consumeAll(
                    request, Callback.from(() -> HttpTriggers.writeNothing(response, callback), callback::failed));
        }
        return true;
    }

    private boolean read(Request request, Response response, Callback callback) throws Exception {
        CompletableFuture<ByteBuffer> body = body(request);
        if (body.isDone() && !body.isCompletedExceptionally()) {
            return super.handle(new Arrived(request, body.join()), response, callback);
        }
        body.orTimeout(secondsFor(request.getLength()), TimeUnit.SECONDS)
                .whenCompleteAsync(
                        (bytes, failure) -> {
                            if (failure == null) {
                                begin(new Arrived(request, bytes), response, callback);
                            } else {
                                refuse(failure, response, callback);
                            }
                        },
                        request.getComponents().getExecutor());
        return true;
    }

    private static CompletableFuture<ByteBuffer> body(Request request) {
        if (request.getLength() >= 0) {
            Promise.Completable<ByteBuffer> body = new Promise.Completable<>();
            Content.Source.asByteBuffer(request, body);
            return body;
        }
        Callback.Completable dropped = new Callback.Completable();
        Content.Source.consumeAll(request, dropped);
        return dropped.thenApply(end -> ByteBuffer.allocate(0));
    }

    private static long secondsFor(long bytes) {
        return bytes < 0 ? MAX_SECONDS : GRACE_SECONDS + bytes / MIN_BYTES_PER_SECOND;
    }

    private void begin(Request request, Response response, Callback callback) {
        try {
            super.handle(request, response, callback);
        } catch (Throwable e) {
            // Jetty no longer calls this code, so nothing else catches what a handler throws.
            Response.writeError(request, response, callback, e);
        }
    }

    private static void refuse(Throwable failure, Response response, Callback callback) {
        if (failure instanceof TimeoutException) {
            response.setStatus(HttpStatus.REQUEST_TIMEOUT_408);
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
            // Sends the answer before the call is completed: completing it while a read is pending would make it a 500.
            HttpTriggers.writeNothing(response, callback);
        } else {
            callback.failed(failure);
        }
    }

    /** A request whose body was read from the connection already. */
    private static final class Arrived extends Request.Wrapper {
        private final Content.Source body;

        Arrived(Request request, ByteBuffer body) {
            super(request);
            this.body = Content.Source.from(body);
        }

        @Override
        public Content.Chunk read() {
            return body.read();
        }

        @Override
        public void demand(Runnable whenThere) {
            body.demand(whenThere);
        }
    }
}
