package dev.numera.functions.http;

import dev.numera.functions.PackagedFile;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console, from the list that the build wrote into the jar. No other name is served, so a name from a
 * URL never becomes a path. All files are read into memory once, about 100 KB. Immutable.
 */
final class ConsoleFiles {
    private static final String PAGE = "index.html";
    private static final String LIST = "files.properties";
    /** Occurs only in names that end in a hash of the file's content. */
    private static final String BEFORE_HASH = "-";

    private final PackagedFile page;
    private final Map<String, PackagedFile> files;

    private ConsoleFiles(PackagedFile page, Map<String, PackagedFile> files) {
        this.page = page;
        this.files = Map.copyOf(files);
    }

    /** @throws IllegalStateException if the jar was built without the console */
    static ConsoleFiles ofThisJar() {
        Properties types = new Properties();
        try {
            types.load(new StringReader(read(LIST, "text/plain").text()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, PackagedFile> files = new HashMap<>();
        types.stringPropertyNames().forEach(name -> files.put(name, read(name, types.getProperty(name))));
        PackagedFile page = Objects.requireNonNull(files.remove(PAGE), "The console has a page.");
        return new ConsoleFiles(page, files);
    }

    /** Returns the page. It loads the other files from {@code console/}, relative to its own address. */
    PackagedFile page() {
        return page;
    }

    /** Returns a file that the page loads; null if no file has this name. */
    @Nullable
    PackagedFile find(String name) {
        return files.get(name);
    }

    /** Whether the name changes with the content, so that browsers may keep the file. */
    static boolean isHashed(String name) {
        return name.contains(BEFORE_HASH);
    }

    private static PackagedFile read(String name, String type) {
        return PackagedFile.read("console/" + name, type);
    }
}
