package dev.numera.functions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What the build put into the jar beside the classes. */
final class Resource {
    private Resource() {}

    /** @throws IllegalStateException if the jar was built without it */
    static byte[] read(String name) {
        try (InputStream file = Resource.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("The jar was built without " + name + ".");
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
