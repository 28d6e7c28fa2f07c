package dev.numera.core.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the SHA-256 of one or more texts in UTF-8, as if they were one text. Not thread-safe. */
public final class Sha256 {
    private static final int PIECE_BYTES = 8_192;

    private final MessageDigest hash;

    /** Creates a hash of no text. */
    public Sha256() {
        try {
            hash = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    /** Returns the hash of some texts as 64 hexadecimal digits in lower case. */
    public static String hex(String... texts) {
        Sha256 all = new Sha256();
        for (String text : texts) {
            all.add(text);
        }
        return all.hex();
    }

    /** Adds a text. Encodes it in pieces, because the bytes of a long upload would need as much memory again. */
    public void add(String text) {
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

    /** Returns the hash of the texts so far as 64 hexadecimal digits in lower case. More texts may follow. */
    public String hex() {
        try {
            // digest() resets its instance, so the hash is read from a copy.
            MessageDigest copy = (MessageDigest) hash.clone();
            return HexFormat.of().formatHex(copy.digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("SHA-256 of this Java platform cannot be copied.", e);
        }
    }
}
