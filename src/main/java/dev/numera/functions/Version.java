package dev.numera.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Which version of the app this is. The build writes it into a resource. */
public final class Version {
    /** Of the app, as {@code 0.2.0}. */
    public static final String OF_THE_APP = read();

    static final String HEADER = "Numera-Version";

    private Version() {}

    private static String read() {
        try (InputStream version = Version.class.getResourceAsStream("version.txt")) {
            return new String(version.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
