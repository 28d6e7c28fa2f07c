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
 * What the console is made of: the files that the build bundled into the jar, by the list that it wrote. No other name
 * is served, so that none ever reaches a path. Read into memory once, some 100 KB. Immutable.
 */
final class ConsoleFiles {
    private static final String PAGE = "index.html";
    private static final String LIST = "files.properties";
    /** Only in names that end in a hash of the file's content. */
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

    /** The page loads the others from {@code console/}, so its address is beside that folder. */
    PackagedFile page() {
        return page;
    }

    /** What the page loads. Null where there is nothing of this name. */
    @Nullable
    PackagedFile find(String name) {
        return files.get(name);
    }

    /** Whether another content has another name. */
    static boolean isHashed(String name) {
        return name.contains(BEFORE_HASH);
    }

    private static PackagedFile read(String name, String type) {
        return PackagedFile.read("console/" + name, type);
    }
}
