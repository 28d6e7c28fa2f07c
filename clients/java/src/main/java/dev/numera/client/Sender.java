package dev.numera.client;

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
import java.util.function.Supplier;

/** Sends a call, and repeats it when a retry can help, until it has an answer or the deadline has passed. */
final class Sender {
    private static final double FIRST_WAIT_SECONDS = 1;
    private static final double LONGEST_WAIT_SECONDS = 30;
    private static final double LONGEST_RETRY_AFTER_SECONDS = 60;

    private final String url;
    private final Supplier<Map<String, String>> credentials;
    private final double tryForSeconds;
    private final double answerWithinSeconds;
    private final Pauses pauses;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    Sender(URI url, Supplier<Map<String, String>> credentials, Duration tryFor, Duration answerWithin, Pauses pauses) {
        this.url = url.toString().replaceAll("/+$", "");
        this.credentials = credentials;
        this.tryForSeconds = tryFor.toMillis() / 1000.0;
        this.answerWithinSeconds = answerWithin.toMillis() / 1000.0;
        this.pauses = pauses;
    }

    /** Returns the wait that a {@code Retry-After} requests, in seconds; 1 if it is null. */
    static double seconds(Duration retryAfter) {
        return retryAfter == null ? 1 : Math.min(retryAfter.toMillis() / 1000.0, LONGEST_RETRY_AFTER_SECONDS);
    }

    /**
     * Sends a call and returns an answer with status 2xx.
     *
     * @throws NumeraProblem the call was refused
     * @throws NumeraUnavailable no usable answer arrived before the deadline, or the thread was interrupted
     */
    Answer send(Call call) {
        double deadline = pauses.now() + tryForSeconds;
        for (int attempts = 1; ; attempts++) {
            HttpRequest request = request(call);
            Answer answer = null;
            Exception failure = null;
            try {
                answer = Answer.of(exchange(request, Math.min(answerWithinSeconds, deadline - pauses.now())));
            } catch (IOException | TimeoutException | IllegalArgumentException e) {
                // No complete answer arrived. The result is unknown; a retry with the same key is safe.
                failure = e;
            }
            if (answer != null && answer.isOk()) {
                return answer;
            }
            if (answer != null && !answer.isRetried()) {
                throw answer.problem();
            }
            double wait = wait(attempts, answer);
            boolean isTimeLeft = pauses.now() + wait < deadline;
            if (isTimeLeft) {
                sleep(wait);
            }
            // The wait may have taken longer, for example if the machine was suspended.
            if (!isTimeLeft || pauses.now() >= deadline) {
                throw answer != null && answer.isNumeras()
                        ? answer.problem()
                        : unavailable(call, attempts, answer, failure);
            }
        }
    }

    double now() {
        return pauses.now();
    }

    void sleep(double seconds) {
        try {
            pauses.sleep(seconds);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Returns the pause before the next attempt. It has a random part, so that many callers do not retry at the same
     * time.
     */
    private static double wait(int attempts, Answer answer) {
        double random = ThreadLocalRandom.current().nextDouble() / 2;
        if (answer != null && answer.retryAfter() != null) {
            return seconds(answer.retryAfter()) + random;
        }
        return Math.min(FIRST_WAIT_SECONDS * Math.pow(2, attempts - 1), LONGEST_WAIT_SECONDS) * (0.5 + random);
    }

    private HttpRequest request(Call call) {
        BodyPublisher body =
                call.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Call.whole(call.body()));
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + call.location())).method(call.method(), body);
        credentials.get().forEach(request::setHeader);
        call.headers().forEach(request::setHeader);
        return request.build();
    }

    /**
     * Sends one request with a timeout that covers the whole answer. The timeout of the request itself would cover only
     * the headers.
     */
    private HttpResponse<String> exchange(HttpRequest request, double seconds) throws IOException, TimeoutException {
        CompletableFuture<HttpResponse<String>> response = http.sendAsync(request, BodyHandlers.ofString());
        try {
            return response.get(Math.round(1000 * seconds), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException("The request could not be sent.", e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            response.cancel(true);
        }
    }

    private static NumeraUnavailable unavailable(Call call, int attempts, Answer answer, Exception failure) {
        String last = answer == null ? "The last failure: " + failure : "The last answer was " + answer.status() + ".";
        return new NumeraUnavailable(
                call.method() + " " + call.location() + " got no usable answer in " + attempts
                        + " attempts. Send it again later, with the same key. " + last,
                attempts,
                answer == null ? 0 : answer.status(),
                failure);
    }

    private static NumeraUnavailable interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new NumeraUnavailable("The thread was interrupted. Make the same call later.", 0, 0, e);
    }
}
