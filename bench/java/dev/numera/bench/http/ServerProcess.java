package dev.numera.bench.http;

import dev.numera.localhost.LocalHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** A server in a JVM of its own, with the flags of the Java worker, that prints where it listens. */
record ServerProcess(Process process, URI uri) implements AutoCloseable {
    static ServerProcess start(Class<?> main) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        while (line != null && !line.startsWith(LocalHost.LISTENING)) {
            line = output.readLine();
        }
        if (line == null) {
            throw new IOException(main + " ended before it listened.");
        }
        return new ServerProcess(process, URI.create(line.substring(LocalHost.LISTENING.length())));
    }

    @Override
    public void close() {
        process.destroy();
    }
}
