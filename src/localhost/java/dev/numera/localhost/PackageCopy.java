package dev.numera.localhost;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A copy of a packaged app in a temporary folder, so that a build meanwhile does not change the running app. */
public record PackageCopy(Path folder) implements AutoCloseable {
    public static PackageCopy of(Path packageFolder) {
        FunctionApp.requireIn(packageFolder);
        try {
            Path copy = Files.createTempDirectory("numera-host");
            for (Path source : walk(packageFolder)) {
                Path target = copy.resolve(packageFolder.relativize(source).toString());
                if (Files.isDirectory(source)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(source, target);
                }
            }
            return new PackageCopy(copy);
        } catch (IOException e) {
            throw new StartRefused("Cannot copy the packaged app from " + packageFolder + " (" + e + ").", e);
        }
    }

    /** Removes a folder and its contents, if it exists. */
    static void remove(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            for (Path path :
                    walk(folder).stream().sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the copy. No process may use it any more. */
    @Override
    public void close() {
        remove(folder);
    }

    private static List<Path> walk(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.toList();
        }
    }
}
