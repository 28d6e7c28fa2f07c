import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers orders, each once whatever fails: {@code java Checkout.java order-9001 order-9002}
 *
 * <p>The order's own id is the key. A key gets the same number for ever, so after any failure, a crash of this program
 * too, the same request is sent again. Needs Java 17 or later and nothing else.
 */
public final class Checkout {
    private static final String API = System.getenv().getOrDefault("NUMERA_URL", "http://127.0.0.1:7071/api");
    private static final String SEQUENCE = System.getenv().getOrDefault("NUMERA_SEQUENCE", "shop/order");
    private static final String KEY = System.getenv().getOrDefault("NUMERA_KEY", "none");
    private static final Duration TRY_FOR = Duration.ofMinutes(2);
    private static final Set<Integer> TRY_AGAIN = Set.of(408, 429, 500, 502, 503, 504);
    private static final Pattern FIRST = Pattern.compile("\"first\"\\s*:\\s*(-?\\d+)");

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public static void main(String[] orders) throws InterruptedException {
        for (String order : orders) {
            System.out.println(order + " " + numberOf(order));
        }
    }

    /**
     * The number of an order: always the same for the same order.
     *
     * @throws IllegalStateException the request is refused, or there is no number yet: then try again later
     */
    static long numberOf(String order) throws InterruptedException {
        long deadline = System.nanoTime() + TRY_FOR.toNanos();
        for (long wait = 250; ; wait = Math.min(2 * wait, 10_000)) {
            long waitMillis = ThreadLocalRandom.current().nextLong(wait / 2, wait + 1);
            String failure;
            try {
                HttpResponse<String> answer = request(order);
                Matcher first = FIRST.matcher(answer.body());
                if (answer.statusCode() == 200 && first.find()) {
                    return Long.parseLong(first.group(1));
                }
                failure = answer.statusCode() + " " + answer.body();
                long retryAfter = answer.headers().firstValueAsLong("Retry-After").orElse(0);
                boolean isProblem = answer.headers().firstValue("Content-Type").orElse("").startsWith("application/problem+json");
                if (!TRY_AGAIN.contains(answer.statusCode()) || isProblem && retryAfter == 0) {
                    throw new IllegalStateException("Refused: " + failure);
                }
                waitMillis = Math.max(waitMillis, 1000 * retryAfter);
            } catch (IOException e) {
                // No answer, or half of one: whether there is a number is not known, and need not be.
                failure = e.toString();
            }
            if (System.nanoTime() + waitMillis * 1_000_000 - deadline > 0) {
                throw new IllegalStateException("No number for " + order + " yet. Try again later, with the same key. " + failure);
            }
            System.err.println(order + ": trying again in " + waitMillis + " ms. " + failure);
            Thread.sleep(waitMillis);
        }
    }

    private static HttpResponse<String> request(String order) throws IOException, InterruptedException {
        String query = "key=" + URLEncoder.encode(order, StandardCharsets.UTF_8);
        URI next = URI.create(API + "/sequences/" + SEQUENCE + "/next?" + query);
        HttpRequest.Builder request = HttpRequest.newBuilder(next).header("x-functions-key", KEY);
        return HTTP.send(
                request.POST(HttpRequest.BodyPublishers.noBody()).timeout(Duration.ofSeconds(30)).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
