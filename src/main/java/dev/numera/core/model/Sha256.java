package dev.numera.core.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts, one after the other in UTF-8. Not thread-safe. */
public final class Sha256 {
    private static final int PIECE_BYTES = 8_192;

    private final MessageDigest hash;

    /** Of no text yet. */
    public Sha256() {
        try {
            hash = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    /** 64 hexadecimal digits in lower case. */
    public static String hex(String... texts) {
        Sha256 all = new Sha256();
        for (String text : texts) {
            all.add(text);
        }
        return all.hex();
    }

    /** Piece by piece: an upload is long, and would take its length again in bytes. */
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

    /** Of the texts so far, as 64 hexadecimal digits in lower case; more may follow. */
    public String hex() {
        try {
            // A digest resets what it reads.
            MessageDigest copy = (MessageDigest) hash.clone();
            return HexFormat.of().formatHex(copy.digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("SHA-256 of this Java platform cannot be copied.", e);
        }
    }
}
