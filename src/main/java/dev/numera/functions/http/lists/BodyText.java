package dev.numera.functions.http.lists;

import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.queue.Envelope;
import dev.numera.json.RequestBody;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of an uploaded list. The Functions host passes a text body on as UTF-8 and replaces all other bytes, so a
 * file in another encoding is sent in base64.
 */
final class BodyText {
    static final String ENCODING = "encoding";
    private static final String TRANSFER = "content-transfer-encoding";
    private static final String BASE64 = "base64";
    private static final int MAX_UNITS = 32 * 1024 * 1024;
    private static final Pattern CHARSET = Pattern.compile(";\\s{0,9}charset=\"?([^\"; ]{1,40})");

    private BodyText() {}

    /** A text with the encoding that its file had. */
    record File(String text, FileEncoding encoding) {}

    /**
     * Returns the body without the byte order mark that some programs write.
     *
     * @param call its share holds the memory of the body and its rows
     * @param encoding as the query states; null if it states none, and then UTF-8
     * @throws ProblemException {@code invalid-request}, {@code too-large}, {@code length-required}, {@code overloaded}
     */
    static String of(HttpCall call, @Nullable String encoding) {
        return file(call, encoding, file -> FileEncoding.UTF_8).text();
    }

    /**
     * Returns the body as {@link #of} does, except that Windows-1252 is assumed if no encoding is stated and the file
     * is no UTF-8.
     */
    static File inspected(HttpCall call, @Nullable String encoding) {
        return file(call, encoding, FileEncoding::assumed);
    }

    private static File file(HttpCall call, @Nullable String encoding, Function<byte[], FileEncoding> assumed) {
        String body = call.body();
        RequestBody.requireLength(body, MAX_UNITS);
        File file = isBase64(call) ? decoded(call, body, encoding, assumed) : asReadByHost(call, body, encoding);
        if (file.text().indexOf('\0') >= 0) {
            throw InvalidRequest.because(
                    "body", "must be UTF-8: it contains the character U+0000, which suggests UTF-16");
        }
        return new File(Envelope.withoutMark(file.text()), file.encoding());
    }

    /**
     * Returns the encoding of the file as the headers state it, for example {@code base64 windows-1252}; empty for a
     * text body, which the host has decoded.
     *
     * @throws ProblemException {@code invalid-request} for another transfer encoding
     */
    static String transferOf(HttpCall call) {
        return isBase64(call) ? BASE64 + " " + charset(call).orElse("") : "";
    }

    private static boolean isBase64(HttpCall call) {
        String transfer = call.headers().text(TRANSFER);
        if (transfer != null && !transfer.equalsIgnoreCase(BASE64)) {
            throw InvalidRequest.because("Content-Transfer-Encoding", "must be base64, or be left out");
        }
        return transfer != null;
    }

    private static File asReadByHost(HttpCall call, String body, @Nullable String encoding) {
        UploadedRows.hold(body, call.share());
        FileEncoding stated = stated(call, encoding).orElse(FileEncoding.UTF_8);
        if (!stated.isReadByHost(body)) {
            throw InvalidRequest.because(
                    ENCODING,
                    "is " + stated.word()
                            + ", which the host cannot read from a text body: send the file in base64, with"
                            + " the header Content-Transfer-Encoding: base64");
        }
        RequestBody.requireUtf8(body);
        return new File(body, stated);
    }

    private static File decoded(
            HttpCall call, String body, @Nullable String encoding, Function<byte[], FileEncoding> assumed) {
        call.share().hold(body.length());
        byte[] file = bytes(body);
        Optional<FileEncoding> stated = stated(call, encoding);
        Optional<FileEncoding> marked = FileEncoding.ofMark(file);
        if (stated.isPresent() && marked.isPresent() && !stated.equals(marked)) {
            throw InvalidRequest.because(
                    ENCODING,
                    "is " + stated.get().word() + ", but the file begins with the byte order mark of "
                            + marked.get().word() + ": leave the parameter out, or correct it");
        }
        if (marked.isEmpty() && stated.equals(Optional.of(FileEncoding.UTF_16))) {
            throw InvalidRequest.because(ENCODING, "is utf-16, but the file has no byte order mark");
        }
        FileEncoding used = stated.or(() -> marked).orElseGet(() -> assumed.apply(file));
        String text = used.decode(file);
        UploadedRows.hold(text, call.share());
        return new File(text, used);
    }

    /** Decodes base64, with or without line breaks. */
    private static byte[] bytes(String body) {
        try {
            return Base64.getDecoder().decode(body.replace("\r", "").replace("\n", ""));
        } catch (IllegalArgumentException e) {
            throw InvalidRequest.because("body", "must be base64, as its Content-Transfer-Encoding states");
        }
    }

    /** Returns the encoding that the query or the content type states; empty if neither states any. */
    private static Optional<FileEncoding> stated(HttpCall call, @Nullable String encoding) {
        Optional<FileEncoding> inQuery = Optional.ofNullable(encoding).map(name -> FileEncoding.of(ENCODING, name));
        Optional<FileEncoding> inType = charset(call).map(name -> FileEncoding.of("charset", name));
        if (inQuery.isPresent() && inType.isPresent() && !inQuery.equals(inType)) {
            throw InvalidRequest.because(
                    ENCODING,
                    "is " + inQuery.get().word() + ", but the Content-Type has the charset "
                            + inType.get().word() + ": state one of them");
        }
        return inQuery.or(() -> inType);
    }

    private static Optional<String> charset(HttpCall call) {
        String type = Objects.requireNonNullElse(call.headers().text("content-type"), "");
        Matcher found = CHARSET.matcher(type.toLowerCase(Locale.ROOT));
        return found.find() ? Optional.of(Excerpt.of(found.group(1))) : Optional.empty();
    }
}
