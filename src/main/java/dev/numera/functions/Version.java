package dev.numera.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Which version of the app this is. The build writes it into a resource. */
public final class Version {
    /** Of the app, as {@code 0.2.0}. */
    public static final String OF_THE_APP = new String(Resource.read("version.txt"), UTF_8).strip();

    static final String HEADER = "Numera-Version";

    private Version() {}
}
