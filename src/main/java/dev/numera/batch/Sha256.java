package dev.numera.batch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts. */
public final class Sha256 {
    private Sha256() {}

    /** 64 hexadecimal digits in lower case, of the texts one after the other in UTF-8. */
    public static String hex(String... texts) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            for (String text : texts) {
                hash.update(text.getBytes(UTF_8));
            }
            return HexFormat.of().formatHex(hash.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
