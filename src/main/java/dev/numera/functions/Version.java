package dev.numera.functions;

/** Which version of the app this is. The build writes it into a resource. */
public final class Version {
    /** Of the app, as {@code 0.2.0}. */
    public static final String OF_THE_APP = Resource.read("version.txt").text().strip();

    static final String HEADER = "Numera-Version";

    private Version() {}
}
