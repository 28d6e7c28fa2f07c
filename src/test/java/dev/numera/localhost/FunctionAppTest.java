package dev.numera.localhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.QueueTrigger;
import com.microsoft.azure.functions.spi.inject.FunctionInstanceInjector;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionAppTest {
    private static final AppSettings NO_SETTINGS = new AppSettings(Map.of());

    @TempDir
    private Path folder;

    /** Returns the object that the host called. */
    public static final class Self {
        @FunctionName("Self")
        public Object self(@QueueTrigger(name = "message", queueName = "q") String message, ExecutionContext context) {
            return this;
        }
    }

    /** Always injects the same instance. */
    public static final class OneInstance implements FunctionInstanceInjector {
        private final Self instance = new Self();

        @Override
        public <T> T getInstance(Class<T> type) {
            return type.cast(instance);
        }
    }

    public static final class Another implements FunctionInstanceInjector {
        @Override
        public <T> T getInstance(Class<T> type) {
            throw new AssertionError();
        }
    }

    public static final class WithoutContextClassLoader implements FunctionInstanceInjector {
        public WithoutContextClassLoader() {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            throw new IllegalStateException("context " + (context == getClass().getClassLoader()));
        }

        @Override
        public <T> T getInstance(Class<T> type) {
            throw new AssertionError();
        }
    }

    @Test
    void theAppHasClassesOfItsOwnAndSharesTheFunctionsLibrary() throws Exception {
        try (FunctionApp app =
                FunctionApp.load(FixtureApp.in(folder, Self.class).write(), NO_SETTINGS)) {
            Class<?> self = call(app).getClass();
            assertEquals(Self.class.getName(), self.getName());
            assertNotEquals(Self.class, self);
            assertSame(FunctionName.class, self.getClassLoader().loadClass(FunctionName.class.getName()));
            assertThrows(
                    ClassNotFoundException.class, () -> self.getClassLoader().loadClass(FunctionApp.class.getName()));
        }
    }

    @Test
    void withoutAnInjectorEveryCallHasAnInstanceOfItsOwn() throws Exception {
        try (FunctionApp app =
                FunctionApp.load(FixtureApp.in(folder, Self.class).write(), NO_SETTINGS)) {
            assertNotEquals(call(app), call(app));
        }
    }

    @Test
    void anInjectorMakesTheInstances() throws Exception {
        try (FunctionApp app = FunctionApp.load(
                FixtureApp.in(folder, Self.class).injector(OneInstance.class).write(), NO_SETTINGS)) {
            assertSame(call(app), call(app));
        }
    }

    @Test
    void twoInjectorsAreAnError() throws IOException {
        FixtureApp two =
                FixtureApp.in(folder, Self.class).injector(OneInstance.class).injector(Another.class);
        assertRefused("has 2 FunctionInstanceInjectors", two);
    }

    @Test
    void theInjectorIsMadeWithTheAppsContextClassLoader() throws IOException {
        assertRefused("context true", FixtureApp.in(folder, Self.class).injector(WithoutContextClassLoader.class));
    }

    @Test
    void queueSettingsHaveTheHostsDefaults() throws IOException {
        HostSettings settings = FunctionApp.load(
                        FixtureApp.in(folder, Self.class).write(), NO_SETTINGS)
                .hostSettings();
        int cores = Runtime.getRuntime().availableProcessors();
        assertEquals("api", settings.routePrefix());
        assertEquals(
                new HostSettings.Queues(16, 8 * cores, 5, Duration.ZERO, Duration.ofSeconds(2), true),
                settings.queues());
    }

    @Test
    void queueSettingsAreReadAndOverriddenByAppSettings() throws IOException {
        Path app = FixtureApp.in(folder, Self.class)
                .file(
                        "host.json",
                        """
                {"version": "2.0", // comments are allowed
                 "extensions": {"http": {"routePrefix": ""},
                  "queues": {"batchSize": 32, "newBatchThreshold": 0, "maxDequeueCount": 7, "visibilityTimeout": "1.02:03:04",
                             "maxPollingInterval": "00:00:01", "messageEncoding": "none"}}}""")
                .write();
        Duration visibility = Duration.ofDays(1).plusHours(2).plusMinutes(3).plusSeconds(4);
        HostSettings.Queues asWritten = new HostSettings.Queues(32, 0, 7, visibility, Duration.ofSeconds(1), false);
        assertEquals(
                new HostSettings("", asWritten),
                FunctionApp.load(app, NO_SETTINGS).hostSettings());
        AppSettings override =
                new AppSettings(Map.of("AzureFunctionsJobHost__extensions__queues__maxDequeueCount", "2"));
        assertEquals(2, FunctionApp.load(app, override).hostSettings().queues().maxDequeueCount());
        AppSettings inAnotherCase = new AppSettings(Map.of(
                "azurefunctionsjobhost__EXTENSIONS__Queues__MaxDequeueCount",
                "3",
                "AZUREFUNCTIONSJOBHOST__extensions__HTTP__routeprefix",
                "v1"));
        HostSettings overridden = FunctionApp.load(app, inAnotherCase).hostSettings();
        assertEquals(3, overridden.queues().maxDequeueCount());
        assertEquals(32, overridden.queues().batchSize());
        assertEquals("v1", overridden.routePrefix());
    }

    @Test
    void anOverrideOfNothingIsNamed() throws IOException {
        AppSettings nothing = new AppSettings(Map.of("AzureFunctionsJobHost____", "1"));
        Path app = hostJson("{\"version\": \"2.0\"}").write();
        assertRefused(
                "The app setting AzureFunctionsJobHost____ names no member of host.json",
                assertThrows(StartRefused.class, () -> FunctionApp.load(app, nothing)));
    }

    @Test
    void aHostJsonThatCannotBeUsedIsNamed() throws IOException {
        assertRefused("host.json is not JSON", hostJson("{"));
        assertRefused("version is '', but must be '2.0'", hostJson("{}"));
        assertRefused("batchSize is '33', but must be a number from 1 to 32", queues("\"batchSize\": 33"));
        assertRefused("maxDequeueCount is '0'", queues("\"maxDequeueCount\": 0"));
        assertRefused("visibilityTimeout is '30'", queues("\"visibilityTimeout\": 30"));
        assertRefused(
                "messageEncoding is 'utf8', but must be 'base64' or 'none'", queues("\"messageEncoding\": \"utf8\""));
        assertRefused("cannot be used", queues("\"batchSize\": {}"));
    }

    @Test
    void aBindingThatThisHostDoesNotHaveIsRefused() throws IOException {
        assertRefused(
                "has a binding of type 'queue'",
                function(
                        """
                {"type": "queueTrigger", "name": "message", "queueName": "q"}, {"type": "queue", "name": "out", "queueName": "r"}"""));
        assertRefused("has no trigger", function(""));
        assertRefused(
                "is neither its trigger",
                function("{\"type\": \"queueTrigger\", \"name\": \"other\", \"queueName\": \"q\"}"));
        assertRefused(
                "serves only functions that return an HttpResponseMessage",
                function("{\"type\": \"httpTrigger\", \"name\": \"message\"}"));
    }

    @Test
    void anEntryPointThatIsNotThereIsRefused() throws IOException {
        assertRefused(
                "names no.such.Type.method, which is not in the app's jars",
                FixtureApp.in(folder, Self.class)
                        .file(
                                "Self/function.json",
                                "{\"entryPoint\": \"no.such.Type.method\", \"bindings\": [{\"type\": \"queueTrigger\"}]}"));
    }

    @Test
    void anUnpackagedAppIsNamed() {
        StartRefused refused = assertThrows(StartRefused.class, () -> FunctionApp.load(folder, NO_SETTINGS));
        assertEquals(
                "There is no packaged function app in " + folder + ": run 'mvn package' first.", refused.getMessage());
    }

    @Test
    void routesOfTheHostsOwnAndThoseItCannotReadAreRefused() throws IOException {
        assertRouteRefused("which the Functions host keeps to itself", "Admin/x");
        assertRouteRefused("which the Functions host keeps to itself", "runtime");
        assertRouteRefused("cannot read '{id:int}'", "a/{id:int}");
        assertRouteRefused("cannot read '{x?}'", "a/{x?}");
        assertRouteRefused("cannot read ''", "/a");
    }

    private static Object call(FunctionApp app) throws Function.Failed {
        return app.functions().get(0).invoke(Message.typedIn(""));
    }

    private FixtureApp hostJson(String json) throws IOException {
        return FixtureApp.in(folder, Self.class).file("host.json", json);
    }

    private FixtureApp queues(String settings) throws IOException {
        return hostJson("{\"version\": \"2.0\", \"extensions\": {\"queues\": {" + settings + "}}}");
    }

    private FixtureApp function(String bindings) throws IOException {
        String entryPoint = Self.class.getName() + ".self";
        return FixtureApp.in(folder, Self.class)
                .file(
                        "Self/function.json",
                        "{\"entryPoint\": \"" + entryPoint + "\", \"bindings\": [" + bindings + "]}");
    }

    private void assertRefused(String why, FixtureApp app) throws IOException {
        Path written = app.write();
        assertRefused(why, assertThrows(StartRefused.class, () -> FunctionApp.load(written, NO_SETTINGS)));
    }

    private void assertRouteRefused(String why, String route) throws IOException {
        Path app = FixtureApp.in(folder, HttpFunctions.class)
                .file(
                        "Headers/function.json",
                        """
                {"entryPoint": "dev.numera.localhost.HttpFunctions.headers", "bindings": [
                  {"type": "httpTrigger", "name": "request", "route": "%s"}]}"""
                                .formatted(route))
                .write();
        FunctionApp loaded = FunctionApp.load(app, NO_SETTINGS);
        assertRefused(why, assertThrows(StartRefused.class, () -> new HttpTriggers(loaded, NO_SETTINGS, null, null)));
    }

    private static void assertRefused(String why, StartRefused refused) {
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
    }
}
