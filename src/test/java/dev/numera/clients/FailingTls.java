package dev.numera.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.numera.fixtures.Program;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Two servers that no client can reach over TLS: one without TLS, and one with a self-signed certificate. */
final class FailingTls implements AutoCloseable {
    private static final char[] PASSWORD = "password".toCharArray();
    /** Longer than the first message of a client: closing a socket with unread bytes would reset the connection. */
    private static final int HELLO_BYTES = 16_384;

    private static final byte[] REFUSAL =
            "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket withoutTls = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final HttpsServer untrusted;

    FailingTls(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Thread refusing = new Thread(this::refuse, "without-tls");
        refusing.setDaemon(true);
        refusing.start();
        untrusted = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        untrusted.setHttpsConfigurator(new HttpsConfigurator(selfSigned(folder.resolve("self-signed.p12"))));
        untrusted.start();
    }

    /** Returns the table with the addresses of both servers. */
    String addressedIn(String table) {
        return table.replace("{withoutTls}", "https://127.0.0.1:" + withoutTls.getLocalPort())
                .replace(
                        "{untrusted}",
                        "https://127.0.0.1:" + untrusted.getAddress().getPort());
    }

    @Override
    public void close() throws IOException {
        withoutTls.close();
        untrusted.stop(0);
    }

    private void refuse() {
        while (!withoutTls.isClosed()) {
            try (Socket socket = withoutTls.accept()) {
                socket.getInputStream().read(new byte[HELLO_BYTES]);
                socket.getOutputStream().write(REFUSAL);
            } catch (IOException closed) {
                // A client has closed the connection, or the test has ended.
                continue;
            }
        }
    }

    private static SSLContext selfSigned(Path store)
            throws IOException, InterruptedException, GeneralSecurityException {
        String command = "-genkeypair -alias a -keyalg EC -dname CN=localhost -ext SAN=ip:127.0.0.1 -storetype PKCS12"
                + " -storepass password -keystore " + store;
        Program keytool = Program.run((Program.jdk("keytool") + " " + command).split(" "));
        assertEquals(0, keytool.exit(), keytool.output());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
