package dev.numera.batch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts. */
public final class Sha256 {
    private static final int PIECE_BYTES = 8_192;

    private Sha256() {}

    /** 64 hexadecimal digits in lower case, of the texts one after the other in UTF-8. */
    public static String hex(String... texts) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            for (String text : texts) {
                update(hash, text);
            }
            return HexFormat.of().formatHex(hash.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    /** Piece by piece: an upload is long, and would take its length again in bytes. */
    private static void update(MessageDigest hash, String text) {
        CharsetEncoder encoder = UTF_8.newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        CharBuffer characters = CharBuffer.wrap(text);
        ByteBuffer bytes = ByteBuffer.allocate(PIECE_BYTES);
        boolean hasMore = true;
        while (hasMore) {
            hasMore = encoder.encode(characters, bytes, true).isOverflow();
            hash.update(bytes.flip());
            bytes.clear();
        }
    }
}
