package dev.numera.functions;

import dev.numera.core.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A file that the build packs into the jar.
 *
 * @param type for {@code Content-Type}
 * @param tag its entity tag
 */
public record PackagedFile(String text, String type, String tag) {
    /**
     * Reads a file from the jar.
     *
     * @throws IllegalStateException the jar was built without the file
     */
    public static PackagedFile read(String name, String type) {
        try (InputStream file = PackagedFile.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("The jar was built without " + name + ".");
            }
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return new PackagedFile(text, type, '"' + Sha256.hex(text) + '"');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes in UTF-8, as stored in the jar. */
    public byte[] content() {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
