package dev.numera.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Sends a call, and repeats it when a retry can help, until it has an answer or the deadline has passed. */
final class Sender {
    private static final String VERSION = "0.3.0-SNAPSHOT";
    private static final double FIRST_WAIT_SECONDS = 1;
    private static final double LONGEST_WAIT_SECONDS = 30;
    private static final double LONGEST_RETRY_AFTER_SECONDS = 60;
    private static final double LAST_ATTEMPT_SECONDS = 1;

    private final String url;
    private final Supplier<Map<String, String>> headers;
    private final Duration tryFor;
    private final double answerWithinSeconds;
    private final Consumer<Retry> onRetry;
    private final Pauses pauses;
    private final HttpClient http;

    Sender(Numera.Builder builder) {
        url = builder.url;
        headers = builder::headers;
        tryFor = builder.tryFor;
        answerWithinSeconds = builder.answerWithin.toMillis() / 1000.0;
        onRetry = builder.onRetry;
        pauses = builder.pauses;
        http = builder.http != null
                ? builder.http
                : HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(10))
                        .build();
    }

    /** Returns the wait that a {@code Retry-After} requests, in seconds; 1 if it is null. */
    static double seconds(Duration retryAfter) {
        return retryAfter == null ? 1 : Math.min(retryAfter.toMillis() / 1000.0, LONGEST_RETRY_AFTER_SECONDS);
    }

    /**
     * Sends a call and returns an answer with status 2xx.
     *
     * @param field by which an answer of Numera is told from an object of another server
     * @param type of the field
     * @throws NumeraProblem the call was refused
     * @throws NumeraUnavailable no usable answer arrived before the deadline, or the thread was interrupted
     */
    Answer send(Call call, String field, Class<?> type) {
        Duration total = call.tryFor() == null ? tryFor : call.tryFor();
        double deadline = pauses.now() + total.toMillis() / 1000.0;
        for (int attempts = 1; ; attempts++) {
            HttpRequest request = request(call);
            Answer answer = null;
            Exception failure = null;
            try {
                double seconds = Math.min(answerWithinSeconds, deadline - pauses.now());
                answer = call.own(Answer.of(exchange(call, request, seconds), attempts));
                if (answer.isOk()) {
                    answer.fields().require(field, type);
                    return answer;
                }
            } catch (IOException | TimeoutException | IllegalArgumentException e) {
                // No complete answer arrived. The result is unknown; a retry with the same key is safe.
                answer = null;
                failure = e;
            }
            if (answer != null && !answer.isRetried()) {
                throw answer.problem(url);
            }
            double left = deadline - pauses.now();
            double wait = wait(attempts, answer, left);
            boolean isTimeLeft = wait >= 0 && wait < left && !isOfTls(failure);
            if (isTimeLeft) {
                Duration pause = Duration.ofMillis(Math.round(1000 * wait));
                int status = answer == null ? 0 : answer.status();
                onRetry.accept(new Retry(call.method(), call.location(), attempts, pause, status, failure));
                sleep(wait, call);
            }
            // The wait may have taken longer, for example if the machine was suspended.
            if (!isTimeLeft || pauses.now() >= deadline) {
                throw answer != null && answer.isNumeras()
                        ? answer.problem(url)
                        : unavailable(call, attempts, answer, failure);
            }
        }
    }

    double now() {
        return pauses.now();
    }

    void sleep(double seconds, Call call) {
        try {
            pauses.sleep(seconds);
        } catch (InterruptedException e) {
            throw interrupted(call, e);
        }
    }

    /**
     * Returns the pause before the next attempt; negative if no time is left for one. The pause has a random part, so
     * that many callers do not retry at the same time. The last pause is shortened, unless the server stated it.
     */
    private static double wait(int attempts, Answer answer, double left) {
        double random = ThreadLocalRandom.current().nextDouble() / 2;
        if (answer != null && answer.retryAfter() != null) {
            return seconds(answer.retryAfter()) + random;
        }
        double wait = Math.min(FIRST_WAIT_SECONDS * Math.pow(2, attempts - 1), LONGEST_WAIT_SECONDS) * (0.5 + random);
        return Math.min(wait, left - LAST_ATTEMPT_SECONDS);
    }

    /**
     * Whether a retry would fail like this again: a wrong certificate, or a server without TLS. A connection that ends
     * during the handshake is no such failure.
     */
    private static boolean isOfTls(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean isOfTls = cause instanceof SSLHandshakeException
                    || cause instanceof SSLPeerUnverifiedException
                    || cause instanceof SSLException
                            && String.valueOf(cause.getMessage()).contains("ecognized SSL message");
            if (isOfTls) {
                return !(cause.getCause() instanceof EOFException);
            }
        }
        return false;
    }

    private HttpRequest request(Call call) {
        BodyPublisher body = call.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(call.body());
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + call.location())).method(call.method(), body);
        request.setHeader("User-Agent", "numera-java/" + VERSION);
        headers.get().forEach(request::setHeader);
        call.headers().forEach(request::setHeader);
        return request.build();
    }

    /**
     * Sends one request with a timeout that covers the whole answer. The timeout of the request itself would cover only
     * the headers.
     */
    private HttpResponse<String> exchange(Call call, HttpRequest request, double seconds)
            throws IOException, TimeoutException {
        CompletableFuture<HttpResponse<String>> response = http.sendAsync(request, BodyHandlers.ofString());
        try {
            return response.get(Math.round(1000 * seconds), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException("The request could not be sent.", e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(call, e);
        } finally {
            response.cancel(true);
        }
    }

    private static NumeraUnavailable unavailable(Call call, int attempts, Answer answer, Exception failure) {
        String last = answer == null ? "The last failure: " + failure : "The last answer was " + answer.status() + ".";
        return new NumeraUnavailable(
                call.method() + " " + call.location() + " got no usable answer in " + attempts + " attempts. "
                        + call.remedy() + " " + last,
                attempts,
                answer == null ? 0 : answer.status(),
                failure);
    }

    private static NumeraUnavailable interrupted(Call call, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new NumeraUnavailable("The thread was interrupted. " + call.remedy(), 0, 0, e);
    }
}
