package dev.numera.localhost;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What this host reads of host.json; a setting {@code AzureFunctionsJobHost__a__b} goes before the file's {@code a.b}. Immutable.
 *
 * @param routePrefix before every route, possibly empty
 */
record HostSettings(String routePrefix, Queues queues) {
    private static final String OVERRIDE = "AzureFunctionsJobHost";
    private static final Pattern TIME_SPAN = Pattern.compile("(?:(\\d{1,4})\\.)?(\\d{1,2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,3}))?");

    /**
     * The section {@code extensions.queues}.
     *
     * @param batchSize messages of one fetch, 1 to 32
     * @param newBatchThreshold fetch again when at most this many are being processed
     * @param maxDequeueCount a message that has failed this often goes to the poison queue
     * @param visibilityTimeout how long a message stays invisible after a failure
     * @param maxPollingInterval the longest wait between two polls of an empty queue
     * @param base64 whether messages are Base64 in the queue, else plain
     */
    record Queues(
            int batchSize,
            int newBatchThreshold,
            int maxDequeueCount,
            Duration visibilityTimeout,
            Duration maxPollingInterval,
            boolean base64) {
        static final int MAX_BATCH_SIZE = 32;
        private static final int DEFAULT_BATCH_SIZE = 16;
        private static final int DEFAULT_MAX_DEQUEUE_COUNT = 5;
        /** The host's default is a minute, but 2 s on a developer's machine. */
        private static final Duration DEFAULT_MAX_POLLING_INTERVAL = Duration.ofSeconds(2);

        private static Queues read(Section section) {
            int batchSize = section.number("batchSize", 1, MAX_BATCH_SIZE).orElse(DEFAULT_BATCH_SIZE);
            int defaultThreshold = batchSize / 2 * Runtime.getRuntime().availableProcessors();
            return new Queues(
                    batchSize,
                    section.number("newBatchThreshold", 0, Integer.MAX_VALUE).orElse(defaultThreshold),
                    section.number("maxDequeueCount", 1, Integer.MAX_VALUE).orElse(DEFAULT_MAX_DEQUEUE_COUNT),
                    section.time("visibilityTimeout").orElse(Duration.ZERO),
                    section.time("maxPollingInterval").orElse(DEFAULT_MAX_POLLING_INTERVAL),
                    section.oneOf("messageEncoding", "base64", "none").orElse("base64").equals("base64"));
        }
    }

    static HostSettings read(Path file, AppSettings settings) {
        JsonObject json = JsonFile.read(file);
        Section root = new Section(file, json, "", settings);
        if (root.text("version").filter("2.0"::equals).isEmpty()) {
            throw new StartRefused(file + " must say \"version\": \"2.0\".");
        }
        Section extensions = root.section("extensions");
        return new HostSettings(
                extensions.section("http").text("routePrefix").orElse("api"), Queues.read(extensions.section("queues")));
    }

    /** One object of the file, and where it stands, so that a bad value can be named. */
    private record Section(Path file, JsonObject json, String path, AppSettings settings) {
        Section section(String name) {
            JsonObject inner = json.get(name) instanceof JsonObject object ? object : new JsonObject();
            return new Section(file, inner, path + "." + name, settings);
        }

        Optional<String> text(String name) {
            String override = OVERRIDE + (path + "." + name).replace(".", "__");
            return settings.get(override).or(() -> Optional.ofNullable(json.get(name)).map(JsonElement::getAsString));
        }

        Optional<Integer> number(String name, int min, int max) {
            return text(name).map(text -> {
                try {
                    int number = Integer.parseInt(text);
                    if (number >= min && number <= max) {
                        return number;
                    }
                } catch (NumberFormatException notANumber) {
                    // Refused below, like a number out of range.
                }
                throw bad(name, text, "a number from " + min + " to " + max);
            });
        }

        Optional<String> oneOf(String name, String one, String other) {
            return text(name).map(text -> {
                if (text.equalsIgnoreCase(one) || text.equalsIgnoreCase(other)) {
                    return text.toLowerCase(Locale.ROOT);
                }
                throw bad(name, text, "'" + one + "' or '" + other + "'");
            });
        }

        Optional<Duration> time(String name) {
            return text(name).map(text -> {
                Matcher time = TIME_SPAN.matcher(text);
                if (!time.matches()) {
                    throw bad(name, text, "a time such as 00:00:30");
                }
                return Duration.ofDays(time.group(1) == null ? 0 : Long.parseLong(time.group(1)))
                        .plusHours(Long.parseLong(time.group(2)))
                        .plusMinutes(Long.parseLong(time.group(3)))
                        .plusSeconds(Long.parseLong(time.group(4)))
                        .plusMillis(time.group(5) == null ? 0 : Long.parseLong((time.group(5) + "00").substring(0, 3)));
            });
        }

        private StartRefused bad(String name, String text, String wanted) {
            return new StartRefused(file + ": " + (path + "." + name).substring(1) + " is '" + text + "', but must be " + wanted + ".");
        }
    }
}
