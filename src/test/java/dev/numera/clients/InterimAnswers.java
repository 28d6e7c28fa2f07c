package dev.numera.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Two intermediaries that send interim answers, which {@code HttpServer} cannot do. The first one sends a single
 * interim answer and forwards the connection to the server of the scenes. The second one sends interim answers for
 * three seconds, and closes the connection.
 */
final class InterimAnswers implements AutoCloseable {
    private static final byte[] EARLY_HINTS =
            "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int PAUSE_MILLIS = 100;
    private static final int INTERIM_ANSWERS = 30;
    private static final int REQUEST_BYTES = 16_384;

    private final URI server;
    private final ServerSocket one = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final ServerSocket many = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();

    InterimAnswers(String server) throws IOException {
        this.server = URI.create(server);
        threads.execute(() -> accept(one, 1));
        threads.execute(() -> accept(many, INTERIM_ANSWERS));
    }

    /** Writes the addresses into the scenes that are to be played with interim answers. */
    void addressIn(JsonNode scenes) {
        for (int i = 0; i < scenes.size(); i++) {
            String url = scenes.get(i).at("/options/url").asText();
            if (url.equals("{interim}") || url.equals("{interimTooLong}")) {
                int port = (url.equals("{interim}") ? one : many).getLocalPort();
                ((ObjectNode) scenes.get(i).get("options")).put("url", "http://127.0.0.1:" + port + "/" + i);
            }
        }
    }

    @Override
    public void close() throws IOException {
        one.close();
        many.close();
        threads.shutdownNow();
    }

    private void accept(ServerSocket listening, int count) {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                threads.execute(() -> forward(client, count));
            } catch (IOException closed) {
                // The test has ended.
                return;
            }
        }
    }

    private void forward(Socket client, int count) {
        try (client;
                Socket toServer = new Socket(server.getHost(), server.getPort())) {
            byte[] start = new byte[REQUEST_BYTES];
            int length = client.getInputStream().read(start);
            for (int i = 0; i < count; i++) {
                client.getOutputStream().write(EARLY_HINTS);
                Thread.sleep(PAUSE_MILLIS);
            }
            if (count == 1 && length > 0) {
                toServer.getOutputStream().write(start, 0, length);
                threads.execute(() -> copy(client, toServer));
                copy(toServer, client);
            }
        } catch (IOException closed) {
            // The client has closed the connection, or the test has ended.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException closed) {
            // One of both has closed its connection.
            return;
        }
    }
}
