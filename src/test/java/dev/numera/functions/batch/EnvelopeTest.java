package dev.numera.functions.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {
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
    void whatItCanHoldFillsAMessage(String message) {
        Envelope envelope = Envelope.open(message);

        assertEquals(65_536, envelope.seal("x".repeat(envelope.capacityBytes())).length());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
