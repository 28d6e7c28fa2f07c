package dev.numera.functions.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {
    private static final Instant SENT = Instant.parse("2026-11-21T23:59:59Z");
    private static final Instant LATER = Instant.parse("2026-11-23T12:00:00Z");
    private static final String JSON = "{\"keys\": [\"é数\"]}";

    @ParameterizedTest
    @ValueSource(strings = {JSON, " \r\n" + JSON, "[1, 2]", "abcd", "not JSON", "{\"cut", "1234567890"})
    void plainTextIsTakenAsItIs(String message) {
        Envelope envelope = Envelope.open(message);

        assertEquals(message, envelope.content());
        assertFalse(envelope.isBase64());
        assertEquals(JSON, envelope.seal(JSON));
    }

    @Test
    void base64IsDecodedAndTheAnswerIsEncoded() {
        Envelope envelope = Envelope.open(base64(JSON));

        assertEquals(JSON, envelope.content());
        assertTrue(envelope.isBase64());
        assertEquals("eyJhIjoxfQ==", envelope.seal("{\"a\":1}"));
    }

    @Test
    void base64InLinesIsDecodedToo() {
        String long64 = "{\"keys\": [\"" + "k".repeat(200) + "\"]}";
        String inLines = Base64.getMimeEncoder(76, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(long64.getBytes(StandardCharsets.UTF_8));

        assertEquals(long64, Envelope.open(inLines + "\n").content());
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheText() {
        assertEquals(JSON, Envelope.open("\uFEFF" + JSON).content());
        assertEquals(JSON, Envelope.open(base64("\uFEFF" + JSON)).content());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1}", "eyJhIjoxfQ=="})
    void capacityFillsAMessage(String message) {
        Envelope envelope = Envelope.open(message);

        assertEquals(65_536, envelope.seal("x".repeat(envelope.capacityBytes())).length());
    }

    private static Stream<String> messages() {
        return Stream.of(
                JSON,
                " \r\n" + JSON,
                "\uFEFF" + JSON,
                base64(JSON),
                base64("{\"keys\": [\"a\"]}"),
                base64("{\"keys\": [\"ab\"]}") + "\n",
                base64("{\"keys\": [\"ab\"]}").replace("=", ""),
                " "
                        + Base64.getMimeEncoder()
                                .encodeToString(("{\"keys\": [\"" + "k".repeat(200) + "\"]}").getBytes(UTF_8)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aCopyHoldsTheOriginalCharacterForCharacterAndTheTimeOfIt(String message) {
        Envelope original = Envelope.open(message);
        assertFalse(original.isCopy());
        assertEquals(LATER, original.sentAt(LATER));

        String text = original.copy(SENT).orElseThrow();
        Envelope copy = Envelope.open(text);

        assertTrue(copy.isCopy());
        assertEquals(message, copy.original());
        assertEquals(original.content(), copy.content());
        assertEquals(original.isBase64(), copy.isBase64());
        assertEquals(SENT, copy.sentAt(LATER));
        assertEquals(text, copy.copy(copy.sentAt(LATER)).orElseThrow(), "a copy of a copy is the same");
    }

    @Test
    void aCopyIsReadableAndInTheMessagesEncoding() {
        String copy = "{\"insertedAt\": \"2026-11-21T23:59:59Z\"}\n" + JSON;

        assertEquals(Optional.of(copy), Envelope.open(JSON).copy(SENT.plusMillis(999)));
        assertEquals(Optional.of(base64(copy)), Envelope.open(base64(JSON)).copy(SENT));
    }

    @Test
    void aCopyFitsAMessageOrThereIsNone() {
        String largest = "{" + "k".repeat(65_536 - 39 - 1);

        assertEquals(65_536, Envelope.open(largest).copy(SENT).orElseThrow().length());
        assertEquals(Optional.empty(), Envelope.open(largest + "k").copy(SENT));
        assertEquals(Optional.empty(), Envelope.open("{" + "é".repeat(32_760)).copy(SENT), "bytes count");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"insertedAt\": \"2026-13-21T23:59:59Z\"}\n" + JSON,
                "{\"insertedAt\": \"2026-11-21T23:59:59+\"}\n" + JSON,
                "{\"insertedAt\": \"2026-11-21T23:59:59Z\"} " + JSON,
                "{\"insertedAt\": \"2026-11-21T23:59:59Z\"}",
            })
    void anInexactFirstLineIsContent(String message) {
        assertFalse(Envelope.open(message).isCopy());
        assertEquals(message, Envelope.open(message).original());
        assertFalse(Envelope.open(base64(message)).isCopy());
        assertEquals(message, Envelope.open(base64(message)).content());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2026-11-23T12:05:01Z", "9999-12-31T23:59:59Z", "2016-11-14T11:59:59Z", "0001-01-01T00:00:00Z"})
    void aTimeThatNoCopyCanHaveIsRefused(String forged) {
        Envelope copy = Envelope.open("{\"insertedAt\": \"" + forged + "\"}\n" + JSON);

        ProblemException refused = assertThrows(ProblemException.class, () -> copy.sentAt(LATER));

        assertEquals(ProblemType.INVALID_REQUEST, refused.type());
        assertTrue(
                refused.getMessage().startsWith("insertedAt is " + forged + ", which must be"), refused.getMessage());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
