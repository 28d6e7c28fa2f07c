package dev.numera.localhost;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The app settings that the host and the app read from the environment of the process. Immutable.
 *
 * <p>As with {@code func start}, a variable of the environment overrides {@code local.settings.json}. Names are
 * case-insensitive.
 */
record AppSettings(Map<String, String> values) {
    private static final String FILE = "local.settings.json";
    private static final Pattern REFERENCE = Pattern.compile("%([^%]+)%");

    AppSettings {
        Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(values);
        values = Collections.unmodifiableMap(anyCase);
    }

    static AppSettings ofThisProcess() {
        return new AppSettings(System.getenv());
    }

    /**
     * Reads the settings of both files. The project's file overrides the package's, and settings that the environment
     * already contains are left out.
     */
    static AppSettings ofFiles(Path packageFolder, Path projectFolder, Map<String, String> environment) {
        Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        values.putAll(valuesIn(packageFolder));
        values.putAll(valuesIn(projectFolder));
        environment.keySet().forEach(values::remove);
        return new AppSettings(values);
    }

    Optional<String> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Replaces each {@code %NAME%} in a binding's text with the setting of that name. */
    String resolve(String text) {
        return REFERENCE
                .matcher(text)
                .replaceAll(reference -> Matcher.quoteReplacement(get(reference.group(1))
                        .orElseThrow(
                                () -> new StartRefused("A binding says '" + text + "', but there is no app setting '"
                                        + reference.group(1) + "': add it to " + FILE + " or to the environment."))));
    }

    /**
     * Returns the connection string that a binding's {@code connection} names, using the host's lookup order. An empty
     * name means {@code AzureWebJobsStorage}.
     */
    String connectionString(String connection) {
        String name = connection.isEmpty() ? "Storage" : resolve(connection);
        return get("AzureWebJobs" + name)
                .or(() -> get(name))
                .filter(value -> !value.isEmpty())
                .orElseThrow(() -> new StartRefused(
                        "There is no storage connection string in the app setting 'AzureWebJobs" + name + "' or '"
                                + name + "', and this local host reads no other kind of connection: set one in " + FILE
                                + "."));
    }

    private static Map<String, String> valuesIn(Path folder) {
        Path file = folder.resolve(FILE);
        Map<String, String> values = new TreeMap<>();
        if (Files.exists(file)) {
            JsonObject json = JsonFile.read(file);
            if (json.get("IsEncrypted") instanceof JsonPrimitive isEncrypted && isEncrypted.getAsBoolean()) {
                throw new StartRefused(
                        file + " is encrypted, which only Core Tools can read: run 'func settings decrypt' first.");
            }
            if (json.get("Values") instanceof JsonObject entries) {
                entries.asMap().forEach((name, value) -> {
                    if (!value.isJsonPrimitive()) {
                        throw new StartRefused(file + ": the setting '" + name + "' must be a string.");
                    }
                    values.put(name, value.getAsString());
                });
            }
        }
        return values;
    }
}
