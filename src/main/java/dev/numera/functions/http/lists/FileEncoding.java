package dev.numera.functions.http.lists;

import dev.numera.core.problem.Excerpt;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The encodings that a file may have. */
enum FileEncoding {
    UTF_8(StandardCharsets.UTF_8),
    WINDOWS_1252(Charset.forName("windows-1252")),
    ISO_8859_1(StandardCharsets.ISO_8859_1),
    ISO_8859_15(Charset.forName("ISO-8859-15")),
    /** Needs a byte order mark, because the order of the bytes would otherwise be a guess. */
    UTF_16(StandardCharsets.UTF_16);

    private static final int LAST_OF_ASCII = 0x7F;

    private final Charset charset;

    FileEncoding(Charset charset) {
        this.charset = charset;
    }

    /** Returns the name that requests use, such as {@code windows-1252}. */
    String word() {
        return charset.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the encoding with this name, or with one that IANA registers for it.
     *
     * @param parameter names the source of the name in the problem
     * @throws ProblemException {@code invalid-request}
     */
    static FileEncoding of(String parameter, String name) {
        return Stream.of(values())
                .filter(encoding -> encoding.word().equalsIgnoreCase(name)
                        || encoding.charset.aliases().stream().anyMatch(alias -> alias.equalsIgnoreCase(name)))
                .findFirst()
                .orElseThrow(() -> InvalidRequest.because(
                        parameter,
                        "must be one of "
                                + Stream.of(values()).map(FileEncoding::word).collect(Collectors.joining(", "))
                                + ", not " + Excerpt.of(name)));
    }

    /** Returns the encoding that the byte order mark at the start of a file states; empty without a mark. */
    static Optional<FileEncoding> ofMark(byte[] file) {
        if (startsWith(file, 0xEF, 0xBB, 0xBF)) {
            return Optional.of(UTF_8);
        }
        return startsWith(file, 0xFE, 0xFF) || startsWith(file, 0xFF, 0xFE) ? Optional.of(UTF_16) : Optional.empty();
    }

    /** Returns UTF-8 if the file can be read so, and otherwise Windows-1252, the most frequent other encoding. */
    static FileEncoding assumed(byte[] file) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file));
            return UTF_8;
        } catch (CharacterCodingException e) {
            return WINDOWS_1252;
        }
    }

    private static boolean startsWith(byte[] file, int... mark) {
        for (int at = 0; at < mark.length; at++) {
            if (at >= file.length || Byte.toUnsignedInt(file[at]) != mark[at]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the host, which reads every text as UTF-8 unless a mark states UTF-16, has decoded this text rightly. */
    boolean isReadByHost(String text) {
        return this == UTF_8 || this == UTF_16 || text.chars().allMatch(unit -> unit <= LAST_OF_ASCII);
    }

    /**
     * Decodes a file.
     *
     * @throws ProblemException {@code invalid-request} that names the first line with bytes that are no character
     */
    String decode(byte[] file) {
        CharsetDecoder decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer bytes = ByteBuffer.wrap(file);
        CharBuffer text = CharBuffer.allocate(file.length + 1);
        CoderResult result = decoder.decode(bytes, text, true);
        if (result.isError()) {
            long line = 1 + text.flip().chars().filter(unit -> unit == '\n').count();
            throw InvalidRequest.because(
                    "line " + line,
                    String.format(
                            Locale.ROOT,
                            "has the byte 0x%02X, which is no character in %s: state the encoding of the file",
                            file[bytes.position()],
                            word()));
        }
        decoder.flush(text);
        return text.flip().toString();
    }
}
