package dev.numera.localhost;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of host.json that this host supports. An app setting {@code AzureFunctionsJobHost__a__b} overrides
 * {@code a.b} of the file. Immutable.
 *
 * @param routePrefix the prefix of every route; may be empty
 */
record HostSettings(String routePrefix, Queues queues) {
    private static final String OVERRIDE = "AzureFunctionsJobHost__";
    private static final int MAX_BATCH_SIZE = 32;
    private static final Pattern TIME_SPAN = Pattern.compile("(?:(\\d{1,4})\\.)?(\\d{1,2}):(\\d{2}):(\\d{2})");

    /**
     * The section {@code extensions.queues}.
     *
     * @param batchSize how many messages one fetch returns at most, 1 to 32
     * @param newBatchThreshold the host fetches again when at most this many messages are being processed
     * @param maxDequeueCount after this many failures, the message moves to the poison queue
     * @param visibilityTimeout how long a message stays invisible after a failure
     * @param maxPollingInterval the longest wait between two polls of an empty queue
     * @param base64 whether messages in the queue are Base64-encoded
     */
    record Queues(
            int batchSize,
            int newBatchThreshold,
            int maxDequeueCount,
            Duration visibilityTimeout,
            Duration maxPollingInterval,
            boolean base64) {}

    static HostSettings read(Path file, AppSettings settings) {
        JsonObject json = JsonFile.read(file);
        settings.values().forEach((name, value) -> override(json, name, value));
        try {
            String version = text(json, "version", "");
            JsonObject extensions = section(json, "extensions");
            require(version.equals("2.0"), "version is '" + version + "', but must be '2.0'");
            return new HostSettings(
                    text(section(extensions, "http"), "routePrefix", "api"), queues(section(extensions, "queues")));
        } catch (IllegalArgumentException
                | IllegalStateException
                | UnsupportedOperationException
                | JsonParseException e) {
            throw new StartRefused(file + " cannot be used: " + e.getMessage() + ".", e);
        }
    }

    private static Queues queues(JsonObject json) {
        int batchSize = number(json, "batchSize", 16, 1, MAX_BATCH_SIZE);
        int threshold = batchSize / 2 * Runtime.getRuntime().availableProcessors();
        String encoding = text(json, "messageEncoding", "base64");
        require(
                encoding.equals("base64") || encoding.equals("none"),
                "extensions.queues.messageEncoding is '" + encoding + "', but must be 'base64' or 'none'");
        return new Queues(
                batchSize,
                number(json, "newBatchThreshold", threshold, 0, Integer.MAX_VALUE),
                number(json, "maxDequeueCount", 5, 1, Integer.MAX_VALUE),
                time(json, "visibilityTimeout", "00:00:00"),
                // The default is a minute on Azure and 2 s on a developer's machine.
                time(json, "maxPollingInterval", "00:00:02"),
                encoding.equals("base64"));
    }

    private static void override(JsonObject json, String setting, String value) {
        if (setting.regionMatches(true, 0, OVERRIDE, 0, OVERRIDE.length())) {
            String[] path = setting.substring(OVERRIDE.length()).split("__", -1);
            if (List.of(path).contains("")) {
                throw new StartRefused("The app setting " + setting + " names no member of host.json.");
            }
            JsonObject inner = json;
            for (int i = 0; i < path.length - 1; i++) {
                JsonObject section = section(inner, path[i]);
                inner.add(spelling(inner, path[i]), section);
                inner = section;
            }
            inner.addProperty(spelling(inner, path[path.length - 1]), value);
        }
    }

    /** Returns the name as this object spells it, ignoring case; the name itself if the object lacks it. */
    private static String spelling(JsonObject json, String name) {
        return json.keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
    }

    private static JsonObject section(JsonObject json, String name) {
        return json.get(spelling(json, name)) instanceof JsonObject object ? object : new JsonObject();
    }

    private static String text(JsonObject json, String name, String otherwise) {
        JsonElement value = json.get(spelling(json, name));
        return value == null ? otherwise : value.getAsString();
    }

    private static int number(JsonObject json, String name, int otherwise, int min, int max) {
        String text = text(json, name, Integer.toString(otherwise));
        boolean isNumber = text.matches("\\d{1,9}|" + Integer.MAX_VALUE);
        require(
                isNumber && Integer.parseInt(text) >= min && Integer.parseInt(text) <= max,
                "extensions.queues." + name + " is '" + text + "', but must be a number from " + min + " to " + max);
        return Integer.parseInt(text);
    }

    private static Duration time(JsonObject json, String name, String otherwise) {
        String text = text(json, name, otherwise);
        Matcher time = TIME_SPAN.matcher(text);
        require(
                time.matches(),
                "extensions.queues." + name + " is '" + text + "', but must be a time such as 00:00:30");
        return Duration.ofDays(time.group(1) == null ? 0 : Long.parseLong(time.group(1)))
                .plusHours(Long.parseLong(time.group(2)))
                .plusMinutes(Long.parseLong(time.group(3)))
                .plusSeconds(Long.parseLong(time.group(4)));
    }

    private static void require(boolean right, String wrong) {
        if (!right) {
            throw new IllegalArgumentException(wrong);
        }
    }
}
