package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The host's HTTP behavior as a client sees it, with one test for each fact of the Functions host. */
class LocalHostHttpIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String ECHO = "/api/echo/a/b";

    @TempDir
    private static Path folder;

    private static LocalHost host;

    @BeforeAll
    static void start() throws Exception {
        Path app = FixtureApp.in(folder, HttpFunctions.class).write();
        host = LocalHost.start(app, new AppSettings(Map.of()), 0, Optional.of("secret"));
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @Test
    void aFunctionWithoutRouteIsCalledByItsName() throws Exception {
        assertEquals(200, send(request("/api/headers")).statusCode());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/api",
                "/echo/a/b",
                "/api/nothing",
                "/api/echo/a",
                "/api/echo/a/b/c",
                "/api/echo//b",
                "/api//echo/a/b",
                "/api/echo/a/b//",
                "/api/echo/a/",
                "/admin/nothing"
            })
    void anUnknownRouteIs404AndEmpty(String path) throws Exception {
        HttpResponse<String> answer = send(request(path));
        assertEquals(404, answer.statusCode());
        assertEquals("", answer.body());
    }

    @Test
    void anUnlistedMethodIs404AndEmptyWithoutAllow() throws Exception {
        HttpResponse<String> answer = send(request("/api/answer?kind=text").method("POST", BodyPublishers.noBody()));
        assertEquals(404, answer.statusCode());
        assertEquals("", answer.body());
        assertTrue(answer.headers().firstValue("Allow").isEmpty());
        assertEquals(
                404,
                send(request("/api/answer?kind=text").method("HEAD", BodyPublishers.noBody()))
                        .statusCode());
    }

    @Test
    void literalsIgnoreCaseAndOneTrailingSlash() throws Exception {
        assertEquals("A\nB", lines(send(request("/API/Echo/A/B/")), 1, 3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a%20b/c | a b/c",
                "a%2Fb/%2f | a%2Fb/%2f",
                "%41/%C3%A9 | A/é",
                "a/%FF | a/%FF",
                "a;b=1/c+d | a;b=1/c+d",
                "x/../a/b | a/b",
                "./a/b | a/b",
                "a/%2e%2e/b/c | b/c",
                "a%5Cb/c | a\\b/c",
                "a%25b/%252F | a%b/%2F",
                "a%3Fb/%23 | a?b/#",
                "a%EF%BF%BD/%E2%80%AE | a\uFFFD/\u202E",
            })
    void routeValuesAreDecodedOnceExceptEncodedSlashes(String sent, String decoded) throws Exception {
        String answer = raw("GET /api/echo/" + sent + " HTTP/1.1", "");
        assertEquals(
                decoded.replace("/", "\n"),
                String.join("\n", body(answer).lines().skip(1).limit(2).toList()));
    }

    @ParameterizedTest
    @CsvSource({"%01, 1", "%0A, 10", "%0D, 13", "%1F, 31", "%7F, 127"})
    void encodedControlCharactersAreDecodedAndDelivered(String sent, int decoded) throws Exception {
        String answer = raw("GET /api/echo/a" + sent + "b/c HTTP/1.1", "");
        assertTrue(body(answer).contains("\na" + (char) decoded + "b\nc\n"), answer);
    }

    @Test
    void aNulInThePathIs400AndEmpty() throws Exception {
        String answer = raw("GET /api/echo/a%00b/c HTTP/1.1", "");
        assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
        assertEquals("", body(answer));
    }

    @Test
    void uriContainsTheRawQuery() throws Exception {
        String query = "count=&count=1&b=%20+%2F&b&empty=&Count=2&%zz=%";
        String answer = raw("GET " + ECHO + "?" + query + " HTTP/1.1", "");
        // The URI is invalid, so a function that parses it fails, as in the Java worker.
        assertTrue(answer.startsWith("HTTP/1.1 500"), answer);
        String valid = query.replace("&%zz=%", "");
        List<String> lines =
                body(raw("GET " + ECHO + "?" + valid + " HTTP/1.1", "")).lines().toList();
        assertEquals("http://127.0.0.1" + ECHO + "?" + valid, lines.get(3));
        assertEquals("{b=  /,, count=,1,2}", lines.get(4));
    }

    @Test
    void queryParametersDropEmptyOnesAndJoinRepeatedOnes() throws Exception {
        assertEquals("{a=1,2, code=k}", lines(send(request(ECHO + "?a=1&b=&c&A=2&code=k")), 4, 5));
    }

    @Test
    void thePathInTheUriIsAlwaysEncoded() throws Exception {
        assertEquals(
                "http://127.0.0.1/api/echo/%7Ca%22/%5B",
                body(raw("GET /api/echo/|a\"/[ HTTP/1.1", "")).lines().toList().get(3));
    }

    @Test
    void headerNamesAreInLowerCaseAndRepeatsJoined() throws Exception {
        String answer = raw("GET /api/headers HTTP/1.1\r\nX-One: 1\r\nx-ONE: 2\r\nIdempotency-Key:  k ", "");
        assertTrue(body(answer).contains("idempotency-key=k"), answer);
        assertTrue(body(answer).contains("x-one=1,2"), answer);
    }

    @Test
    void anAbsentBodyIsNullOrEmpty() throws Exception {
        assertTrue(send(request("/api/headers")).body().endsWith("body null"));
        assertEquals("Optional.empty", lines(send(request(ECHO)), 5, 6));
    }

    @Test
    void aBodyIsDeliveredAsText() throws Exception {
        assertEquals("Optional[é]", lines(send(request(ECHO).POST(BodyPublishers.ofString("é"))), 5, 6));
        byte[] marked = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, 'h'};
        assertEquals("Optional[h]", lines(send(request(ECHO).POST(BodyPublishers.ofByteArray(marked))), 5, 6));
        byte[] notUtf8 = {'a', (byte) 0xFF};
        assertEquals(
                "Optional[a\uFFFD]",
                lines(
                        send(request(ECHO)
                                .header("Content-Type", "text/plain; charset=iso-8859-1")
                                .POST(BodyPublishers.ofByteArray(notUtf8))),
                        5,
                        6));
    }

    @Test
    void aChunkedBodyArrivesEmpty() throws Exception {
        HttpRequest.BodyPublisher chunked =
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("{}".getBytes(UTF_8)));
        assertEquals("Optional.empty", lines(send(request(ECHO).POST(chunked)), 5, 6));
        assertEquals(200, send(request(ECHO)).statusCode());
    }

    /**
     * An answer before the last chunk once closed the connection, and a client that was still sending never received
     * it.
     */
    @Test
    void aChunkedBodyIsReadToItsEndBeforeTheAnswer() throws Exception {
        for (String path : List.of(ECHO, "/api/nothing")) {
            try (Socket socket = new Socket("127.0.0.1", host.uri().getPort())) {
                String head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n";
                socket.getOutputStream().write((head + "2\r\n{}\r\n").getBytes(ISO_8859_1));
                socket.setSoTimeout(200);
                assertThrows(SocketTimeoutException.class, () -> socket.getInputStream()
                        .read());
                socket.setSoTimeout(0);
                socket.getOutputStream().write("0\r\n\r\n".getBytes(ISO_8859_1));
                assertEquals('H', socket.getInputStream().read());
            }
        }
    }

    @Test
    void aBinaryTypeIsDeliveredAsBytesAndOtherTypesAreParsedForThem() throws Exception {
        byte[] bytes = {0, (byte) 0xFF};
        assertEquals(
                "Optional[2]",
                send(request("/api/bytes")
                                .header("Content-Type", "application/octet-stream")
                                .POST(BodyPublishers.ofByteArray(bytes)))
                        .body());
        assertEquals(
                500,
                send(request("/api/bytes").POST(BodyPublishers.ofString("text")))
                        .statusCode());
    }

    @Test
    void aPojoIsReadFromJson() throws Exception {
        String point = "{\"x\": 1, \"y\": 2}";
        assertEquals(
                "Point[x=1, y=2]",
                send(request("/api/pojo").POST(BodyPublishers.ofString(point))).body());
        HttpResponse<String> answer = send(request("/api/pojo").POST(BodyPublishers.ofString("{")));
        assertEquals(500, answer.statusCode());
        assertEquals("", answer.body());
    }

    @Test
    void aBodyOverTheLimitIsRefusedUnread() throws Exception {
        String answer = raw("POST " + ECHO + " HTTP/1.1\r\nContent-Length: " + (HttpTriggers.MAX_BODY_BYTES + 1), "");
        assertTrue(answer.startsWith("HTTP/1.1 413"), answer);
    }

    @Test
    void aBodyOverTheLimitOfAnUnknownRouteIs404() throws Exception {
        String answer = raw("POST /api/nowhere HTTP/1.1\r\nContent-Length: " + (HttpTriggers.MAX_BODY_BYTES + 1), "");
        assertTrue(answer.startsWith("HTTP/1.1 404"), answer);
    }

    @Test
    void bindingNamesComeFromTheQueryThenTheBody() throws Exception {
        assertEquals(
                "2",
                send(request("/api/property?value=1&value=2").POST(BodyPublishers.ofString("{\"value\": 3}")))
                        .body());
        assertEquals(
                "3",
                send(request("/api/property").POST(BodyPublishers.ofString("{\"value\": 3}")))
                        .body());
    }

    @Test
    void anAbsentBindingNameIs500() throws Exception {
        assertEquals(500, send(request("/api/property")).statusCode());
        assertEquals(
                500,
                send(request("/api/property").POST(BodyPublishers.ofString("{\"value\": null}")))
                        .statusCode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "text  | text/plain; charset=utf-8      | é",
                "json  | application/json; charset=utf-8 | {}",
                "latin | text/html; charset=iso-8859-1  | x",
                "map   | text/plain; charset=utf-8      | {~  \"a\": [~    1~  ]~}",
            })
    void answersHaveADefaultTypeAndACharset(String kind, String type, String body) throws Exception {
        HttpResponse<String> answer = send(request("/api/answer?kind=" + kind));
        assertEquals(200, answer.statusCode());
        assertEquals(type, answer.headers().firstValue("Content-Type").orElseThrow());
        assertEquals(body.replace('~', '\n'), answer.body());
    }

    @Test
    void bytesAreSentAsTheyAre() throws Exception {
        HttpResponse<byte[]> answer =
                CLIENT.send(request("/api/answer?kind=bytes").build(), BodyHandlers.ofByteArray());
        assertArrayEquals(new byte[] {1, 2, (byte) 200}, answer.body());
        assertEquals("image/png", answer.headers().firstValue("Content-Type").orElseThrow());
    }

    @Test
    void oneHeaderOfEachNameIsSent() throws Exception {
        assertEquals(
                1,
                send(request("/api/answer?kind=twice"))
                        .headers()
                        .allValues("X-One")
                        .size());
    }

    @Test
    void noBodyAndNoAnswerAreEmpty() throws Exception {
        HttpResponse<String> created = send(request("/api/answer?kind=none"));
        assertEquals(201, created.statusCode());
        assertEquals("", created.body());
        assertEquals(204, send(request("/api/answer?kind=null")).statusCode());
    }

    @Test
    void anExceptionIs500AndEmpty() throws Exception {
        HttpResponse<String> answer = send(request("/api/answer?kind=error"));
        assertEquals(500, answer.statusCode());
        assertEquals("", answer.body());
    }

    @Test
    void lockedFunctionRequiresTheKey() throws Exception {
        HttpResponse<String> refused = send(request("/api/locked"));
        assertEquals(401, refused.statusCode());
        assertEquals("", refused.body());
        assertEquals(401, send(request("/api/locked?code=wrong")).statusCode());
        assertEquals(200, send(request("/api/locked?code=secret")).statusCode());
        assertEquals(
                200,
                send(request("/api/locked").header("x-functions-key", "secret")).statusCode());
        assertEquals(
                401,
                send(request("/api/locked?code=secret").header("x-functions-key", ""))
                        .statusCode());
        assertEquals(200, send(request("/api/headers?code=wrong")).statusCode());
    }

    @Test
    void theFunctionSeesItsContextAndItsOwnClassLoader() throws Exception {
        String first = send(request("/api/worker")).body();
        assertTrue(
                first.matches(
                        "Worker [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} Function.Worker traceparent= own=true .*"),
                first);
        assertTrue(
                HttpFunctions.class.getClassLoader() == Thread.currentThread().getContextClassLoader());
    }

    @Test
    void aHundredCallsRunAtOnce() {
        List<CompletableFuture<HttpResponse<String>>> calls = IntStream.range(0, 100)
                .mapToObj(i -> CLIENT.sendAsync(request("/api/allAtOnce").build(), BodyHandlers.ofString()))
                .toList();
        calls.forEach(call -> assertEquals(200, call.join().statusCode()));
    }

    @Test
    void aMalformedRequestIsRefusedWithoutABody() throws Exception {
        String answer = raw("GET / HTTP/1.1\r\nno colon", "");
        assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
        assertEquals("", body(answer));
    }

    /** A site in a browser can point its own host name at this machine and call the app as same-origin. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:PORT",
                "127.0.0.1.evil.example:PORT",
                "localhost.evil.example",
                "10.0.0.1:PORT",
                "0.0.0.0:PORT",
                "[::2]:PORT"
            })
    void anotherHostIsRefusedWithASentence(String name) throws Exception {
        String answer = rawFor(name, "GET " + ECHO + " HTTP/1.1");

        assertTrue(answer.startsWith("HTTP/1.1 421"), answer);
        assertEquals(
                "This host serves 127.0.0.1, localhost and [::1] only, whatever name leads to it: call " + host.uri()
                        + ".",
                body(answer));
        assertTrue(rawFor(name, "GET /admin/host/ping HTTP/1.1").startsWith("HTTP/1.1 421"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1:PORT",
                "localhost:1",
                "localhost:PORT",
                "LocalHost",
                "127.0.0.9:PORT",
                "[::1]:PORT"
            })
    void namesOfThisMachineAreServed(String name) throws Exception {
        String answer = rawFor(name, "GET /api/headers HTTP/1.1");

        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    }

    /** Any site's form or script can reach 127.0.0.1, and requests without a content type need no preflight. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://evil.example",
                "Origin: null",
                "Origin: http://localhost.evil.example",
                "Origin: http://127.0.0.1@evil.example",
                "Origin: http://evil.example\r\nSec-Fetch-Site: same-origin",
                "Sec-Fetch-Site: cross-site"
            })
    void aChangeThatAnotherSitesPageRequestsIsRefused(String header) throws Exception {
        for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
            String answer = raw(method + " " + ECHO + " HTTP/1.1\r\n" + header + "\r\nContent-Length: 0", "");

            assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
            assertTrue(body(answer).contains("the request's Origin or Sec-Fetch-Site is that of another site"), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://127.0.0.1:3000",
                "Origin: https://localhost\r\nSec-Fetch-Site: cross-site",
                "Origin: http://[::1]:8080",
                "Sec-Fetch-Site: same-origin",
                "Sec-Fetch-Site: none"
            })
    void aChangeThatAPageOfThisMachineRequestsIsServed(String header) throws Exception {
        String answer = raw("POST " + ECHO + " HTTP/1.1\r\n" + header + "\r\nContent-Length: 0", "");

        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    }

    @Test
    void aLinkOnAnotherSitesPageIsFollowed() throws Exception {
        String answer = raw("GET /api/headers HTTP/1.1\r\nSec-Fetch-Site: cross-site", "");

        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    }

    /** Each incomplete body once held a thread until the last one ended, and no other request was answered. */
    @Test
    void incompleteBodiesBlockNoOtherRequest() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket socket = new Socket("127.0.0.1", host.uri().getPort());
                slow.add(socket);
                String target = i % 2 == 0 ? ECHO : "/api/nothing";
                socket.setSoTimeout(10_000);
                socket.getOutputStream()
                        .write(("POST " + target
                                        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n")
                                .getBytes(ISO_8859_1));
                assertEquals(
                        "HTTP/1.1 100", new String(socket.getInputStream().readNBytes(12), ISO_8859_1), "call " + i);
            }

            HttpResponse<String> answer = CLIENT.send(
                    request("/api/headers").timeout(Duration.ofSeconds(10)).build(), BodyHandlers.ofString());

            assertEquals(200, answer.statusCode());
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void bodyThatNeverArrivesIs408() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", host.uri().getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST " + ECHO + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
                            .getBytes(ISO_8859_1));

            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);

            assertTrue(answer.startsWith("HTTP/1.1 408"), answer);
        }
    }

    private static HttpRequest.Builder request(String pathAndQuery) {
        return HttpRequest.newBuilder(URI.create(host.uri() + pathAndQuery));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends a head that no client library sends, and reads until the host closes the connection. */
    private static String raw(String head, String body) throws Exception {
        return raw(head, "127.0.0.1", body);
    }

    private static String rawFor(String name, String head) throws Exception {
        return raw(head, name.replace("PORT", Integer.toString(host.uri().getPort())), "");
    }

    private static String raw(String head, String name, String body) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", host.uri().getPort())) {
            socket.getOutputStream()
                    .write((head + "\r\nHost: " + name + "\r\nConnection: close\r\n\r\n" + body).getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static String body(String rawAnswer) {
        return rawAnswer.substring(rawAnswer.indexOf("\r\n\r\n") + 4);
    }

    private static String lines(HttpResponse<String> answer, int from, int to) {
        return String.join("\n", answer.body().lines().toList().subList(from, to));
    }
}
