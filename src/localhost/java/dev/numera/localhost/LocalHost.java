package dev.numera.localhost;

import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A small Azure Functions host that runs one packaged Java app on the loopback interface. It works for any such app;
 * CONTRIBUTING.md lists the features that it lacks. Thread-safe.
 *
 * <p>Each HTTP call runs in its own thread once its whole body has arrived, at most {@value #MAX_CONCURRENT_CALLS} at
 * once. Further calls wait.
 *
 * <p>Decision: {@code docs/decisions/a-local-host-without-azure-tools.md}.
 */
public final class LocalHost implements AutoCloseable {
    public static final String LISTENING = "Listening on ";
    static final int MAX_CONCURRENT_CALLS = 256;
    private static final int SERVER_THREADS = 8;
    /** The time after which Azure's front end gives up, so no caller on Azure waits longer. */
    private static final int IDLE_TIMEOUT_MILLIS = 230_000;
    /** The total time that calls, messages and timers in progress get to finish when the host stops. */
    static final int STOP_TIMEOUT_MILLIS = 10_000;
    /** The real server's limits: a request line of 8 KiB and headers of 32 KiB. */
    private static final int MAX_REQUEST_HEAD_BYTES = 40 * 1024;

    private static final String LOOPBACK = "127.0.0.1";
    private static final Logger LOG = Logger.getLogger("Host");

    private final FunctionApp app;
    private final AppSettings settings;
    private final List<Runnable> stops = new CopyOnWriteArrayList<>();
    private final Server server;
    private final ServerConnector connector;

    /**
     * Runs a packaged app until the process receives SIGINT or SIGTERM, then lets calls in progress finish. Prints
     * {@link #LISTENING} and the URL when it is ready. Arguments: the folder, the port and, optionally, the key. The
     * environment contains the app settings.
     */
    public static void main(String... arguments) {
        HostJvm.runMain(() -> {
            LocalHost host = start(
                    Path.of(arguments[0]),
                    AppSettings.ofThisProcess(),
                    Integer.parseInt(arguments[1]),
                    arguments.length > 2 ? Optional.of(arguments[2]) : Optional.empty());
            EndSignal.runFirst(host::close);
            host.listen();
            System.out.println(LISTENING + host.uri());
        });
    }

    private LocalHost(FunctionApp app, HostKey key, AppSettings settings, int port) {
        this.app = app;
        this.settings = settings;
        QueuedThreadPool threads = new QueuedThreadPool(MAX_CONCURRENT_CALLS + SERVER_THREADS);
        threads.setName("http");
        server = new Server(threads);
        connector = connector(port);
        server.addConnector(connector);
        HttpTriggers triggers = new HttpTriggers(app, settings, new AdminEndpoints(app.functions(), key), key);
        server.setHandler(new LoopbackNames(new WholeBody(triggers)));
        server.setErrorHandler((request, response, callback) -> {
            HttpTriggers.writeNothing(response, callback);
            return true;
        });
        server.setStopTimeout(STOP_TIMEOUT_MILLIS);
    }

    /**
     * Loads the app and starts to serve its HTTP functions.
     *
     * @param packageFolder must not change while the host runs
     * @param port 0 for any free port
     * @param key the key that the functions require; empty to require none
     * @throws StartRefused the app or the port cannot be used
     */
    static LocalHost start(Path packageFolder, AppSettings settings, int port, Optional<String> key) {
        LocalHost host = new LocalHost(FunctionApp.load(packageFolder, settings), new HostKey(key), settings, port);
        try {
            host.connector.open();
            host.server.start();
        } catch (IOException e) {
            host.app.close();
            throw new StartRefused(
                    "Port " + port + " on " + LOOPBACK + " is in use or not permitted (" + rootMessage(e)
                            + "): stop the program that listens there, or choose another port with -Dport=7072.",
                    e);
        } catch (Exception e) {
            // Jetty's start() declares Exception.
            throw new IllegalStateException("The HTTP server did not start.", e);
        }
        return host;
    }

    /**
     * Starts to call the queue and timer functions. Like the real host, skips a function whose binding cannot be
     * resolved.
     */
    void listen() {
        for (Function function : app.functions()) {
            try {
                if (function.isTriggeredBy("queueTrigger")) {
                    QueueListener listener =
                            QueueListener.start(function, app.hostSettings().queues(), settings, QueueProcessor.LOCK);
                    stops.add(listener::close);
                } else if (function.isTriggeredBy("timerTrigger")) {
                    listenToTimer(function);
                } else if (!function.isTriggeredBy("httpTrigger")) {
                    LOG.warning(
                            "The function '" + function.name() + "' runs only when you POST JSON to /admin/functions/"
                                    + function.name() + ": this local host has triggers of HTTP, queues and timers.");
                }
            } catch (StartRefused e) {
                LOG.severe("The function '" + function.name() + "' is disabled: " + e.getMessage());
            }
        }
    }

    /**
     * Starts the timer. Without a valid schedule, the function runs only on request, which is the usual case locally.
     */
    private void listenToTimer(Function function) {
        try {
            TimerListener listener = TimerListener.start(function, settings);
            stops.add(listener::close);
        } catch (StartRefused e) {
            LOG.info("The timer function '" + function.name() + "' runs only when you POST JSON to /admin/functions/"
                    + function.name() + ": " + e.getMessage());
        }
    }

    public URI uri() {
        return URI.create("http://" + LOOPBACK + ":" + connector.getLocalPort());
    }

    /**
     * Stops accepting calls and messages and starting timers, waits up to {@value #STOP_TIMEOUT_MILLIS} ms for those in
     * progress, and unloads the app.
     */
    @Override
    public void close() {
        // Stops all listeners in parallel: each waits for its own calls, and none may start new ones meanwhile.
        CompletableFuture<Void> stopping = CompletableFuture.allOf(stops.stream()
                .map(stop -> CompletableFuture.runAsync(stop, task -> new Thread(task, "stop").start()))
                .toArray(CompletableFuture[]::new));
        try {
            server.stop();
        } catch (Exception e) {
            // Jetty's stop() declares Exception, and throws one if a call is still running after the time for stopping.
            LOG.log(Level.WARNING, "The HTTP server was stopped while a call was in progress.", e);
        }
        stopping.join();
        app.close();
    }

    private ServerConnector connector(int port) {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setRequestHeaderSize(MAX_REQUEST_HEAD_BYTES);
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        ServerConnector http = new ServerConnector(server, new HttpConnectionFactory(configuration));
        http.setHost(LOOPBACK);
        http.setPort(port);
        http.setIdleTimeout(IDLE_TIMEOUT_MILLIS);
        return http;
    }

    private static String rootMessage(IOException e) {
        return e.getCause() instanceof BindException bind ? bind.getMessage() : e.getMessage();
    }
}
