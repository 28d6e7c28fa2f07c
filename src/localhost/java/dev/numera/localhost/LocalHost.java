package dev.numera.localhost;

import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A small Azure Functions host that runs one packaged Java app on the loopback interface. It knows nothing of the app
 * but its folder; CONTRIBUTING.md lists what it leaves out. Thread-safe.
 *
 * <p>An HTTP function runs in a thread of its own when the request has arrived as a whole, at most
 * {@value #MAX_CONCURRENT_CALLS} at once; more wait their turn.
 */
public final class LocalHost implements AutoCloseable {
    public static final String LISTENING = "Listening on ";
    static final int MAX_CONCURRENT_CALLS = 256;
    private static final int SERVER_THREADS = 8;
    /** The front end of Azure gives up after this time, so no caller there waits longer. */
    private static final int IDLE_TIMEOUT_MILLIS = 230_000;
    /** Calls, messages and timers under way get this long, all together, when the host is to stop. */
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
     * Runs a packaged app until the process gets a signal to end, which lets calls under way finish. Prints
     * {@link #LISTENING} and the URL when it is ready. The arguments are the folder, the port, and the key if there is
     * one; the environment holds the settings.
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
     * Loads the app and serves its HTTP functions.
     *
     * @param packageFolder must stay as it is while the host runs
     * @param port 0 for any free one
     * @param key the key that the app's functions then require; without one they require none
     * @throws StartRefused when the app or the port cannot be used
     */
    static LocalHost start(Path packageFolder, AppSettings settings, int port, Optional<String> key) {
        LocalHost host = new LocalHost(FunctionApp.load(packageFolder, settings), new HostKey(key), settings, port);
        try {
            host.connector.open();
            host.server.start();
        } catch (IOException e) {
            host.app.close();
            throw new StartRefused(
                    "Port " + port + " on " + LOOPBACK + " is taken or not allowed (" + rootMessage(e)
                            + "): end what listens there, or choose another with -Dport=7072.",
                    e);
        } catch (Exception e) {
            // All that Jetty declares.
            throw new IllegalStateException("The HTTP server did not start.", e);
        }
        return host;
    }

    /**
     * Begins to call the functions of queues and timers. One whose binding cannot be resolved is left out, as on the
     * real host.
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

    /** Without a schedule there is nothing to do by itself, which locally is as most would have it. */
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
     * Takes no more messages and calls and runs no more timers, waits up to {@value #STOP_TIMEOUT_MILLIS} ms for what
     * is under way, and unloads the app.
     */
    @Override
    public void close() {
        // All at once: each waits for its own, and none may begin anything while another waits.
        CompletableFuture<Void> stopping = CompletableFuture.allOf(stops.stream()
                .map(stop -> CompletableFuture.runAsync(stop, task -> new Thread(task, "stop").start()))
                .toArray(CompletableFuture[]::new));
        try {
            server.stop();
        } catch (Exception e) {
            // All that Jetty declares.
            throw new IllegalStateException("The HTTP server did not stop.", e);
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
