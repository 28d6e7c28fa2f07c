package dev.numera.localhost;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the JSON files of a packaged app. Each contains one object and may contain comments. */
final class JsonFile {
    private JsonFile() {}

    static JsonObject read(Path file) {
        try {
            if (JsonParser.parseString(Files.readString(file)) instanceof JsonObject object) {
                return object;
            }
            throw new StartRefused(file + " does not contain a JSON object: correct it and package the app again.");
        } catch (IOException e) {
            throw new StartRefused(
                    "Cannot read " + file + " (" + e + "): package the app again with 'mvn package'.", e);
        } catch (JsonParseException e) {
            throw new StartRefused(
                    file + " is not JSON (" + e.getMessage() + "): correct it and package the app again.", e);
        }
    }
}
