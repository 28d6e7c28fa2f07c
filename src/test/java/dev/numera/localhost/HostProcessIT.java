package dev.numera.localhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.azure.functions.spi.inject.FunctionInstanceInjector;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.SharedHost;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process of a packaged app: its environment, how it ends, and why it refuses to start. */
class HostProcessIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String NO_STORAGE = "";

    @TempDir
    private Path folder;

    public static final class Refusing implements FunctionInstanceInjector {
        public Refusing() {
            throw new IllegalArgumentException("The setting Numera_Fixture is '7', but must be 8.");
        }

        @Override
        public <T> T getInstance(Class<T> type) {
            throw new AssertionError();
        }
    }

    @Test
    void settingsAreTheEnvironmentOfTheApp() throws Exception {
        try (HostProcess host =
                start(FixtureApp.in(folder, HttpFunctions.class), Map.of("FIXTURE_SETTING", "from settings"))) {
            assertTrue(get(host, "/api/worker").body().endsWith("setting=from settings"));
        }
        try (HostProcess host = start(FixtureApp.in(folder, HttpFunctions.class), Map.of("FIXTURE_SETTING", ""))) {
            assertTrue(get(host, "/api/worker").body().endsWith("setting=null"));
        }
    }

    @Test
    void anAppThatCannotBeMadeRefusesToStartAndSaysWhy() throws IOException {
        FixtureApp app = FixtureApp.in(folder, HttpFunctions.class).injector(Refusing.class);
        assertRefused("The app refused to start: The setting Numera_Fixture is '7', but must be 8.", app);
    }

    @Test
    void aBusyPortIsOneSentence() throws Exception {
        try (ServerSocket busy = new ServerSocket(0)) {
            Path app = FixtureApp.in(folder, HttpFunctions.class).write();
            Process process = HostJvm.of(LocalHost.class, app, busy.getLocalPort(), Optional.empty(), Map.of())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes());
            assertEquals(1, process.waitFor());
            assertTrue(said.startsWith("Port " + busy.getLocalPort() + " on 127.0.0.1 is in use"), said);
            assertEquals(1, said.lines().count(), said);
        }
    }

    @Test
    void anUnpackagedAppIsNamed() {
        StartRefused refused = assertThrows(
                StartRefused.class, () -> HostProcess.start(folder, NO_STORAGE, Map.of(), Optional.empty()));
        assertEquals(
                "There is no packaged function app in " + folder + ": run 'mvn package' first.", refused.getMessage());
    }

    @Test
    void stoppingLetsCallsFinish() throws Exception {
        try (HostProcess host = start(FixtureApp.in(folder, HttpFunctions.class), Map.of())) {
            CompletableFuture<HttpResponse<String>> slow = callSlow(host);
            host.stop();
            assertEquals("finished", slow.join().body());
            assertThrows(IOException.class, () -> get(host, "/api/headers"));
        }
    }

    @Test
    void killingInterruptsCalls() throws Exception {
        try (HostProcess host = start(FixtureApp.in(folder, HttpFunctions.class), Map.of())) {
            CompletableFuture<HttpResponse<String>> slow = callSlow(host);
            host.kill();
            assertThrows(CompletionException.class, slow::join);
        }
    }

    @Test
    void theKeyLocksTheAdminCallsToo() throws Exception {
        Path app = FixtureApp.in(folder, HttpFunctions.class).write();
        try (HostProcess host = HostProcess.start(app, NO_STORAGE, Map.of(), Optional.of("secret"))) {
            assertEquals(401, get(host, "/admin/host/status").statusCode());
            assertEquals(200, get(host, "/admin/host/ping").statusCode());
            HttpResponse<String> status = get(host, "/admin/host/status?code=secret");
            assertEquals(200, status.statusCode());
            assertTrue(status.body().contains("\"state\":\"Running\""), status.body());
        }
    }

    @Test
    void theProjectsOwnPackageStarts() throws Exception {
        assertEquals(200, get(SharedHost.process(), "/api/health").statusCode());
    }

    private static HostProcess start(FixtureApp app, Map<String, String> settings) throws IOException {
        return HostProcess.start(app.write(), NO_STORAGE, settings, Optional.empty());
    }

    private void assertRefused(String why, FixtureApp app) {
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> start(app, Map.of()));
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
        assertFalse(refused.getMessage().contains("\tat "), refused.getMessage());
    }

    /** Sends a slow call and returns when the function has started. */
    private static CompletableFuture<HttpResponse<String>> callSlow(HostProcess host) {
        CompletableFuture<HttpResponse<String>> slow =
                CLIENT.sendAsync(request(host, "/api/slow"), BodyHandlers.ofString());
        while (!host.output().contains("Slow was called")) {
            Thread.onSpinWait();
        }
        return slow;
    }

    private static HttpResponse<String> get(HostProcess host, String path) throws IOException, InterruptedException {
        return CLIENT.send(request(host, path), BodyHandlers.ofString());
    }

    private static HttpRequest request(HostProcess host, String path) {
        return HttpRequest.newBuilder(URI.create(host.baseUri() + path)).build();
    }
}
