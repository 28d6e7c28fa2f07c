package dev.numera.functions.http;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The name of a file in CSV, in the same form as the console's: the scope, the sequence and the content, then ISO
 * dates, so that the files of a sequence sort by content and date.
 *
 * @param text valid on every file system, and in a header without escapes
 */
public record CsvName(String text) {
    /** Returns the name with these parts, such as {@code shop-invoice-ledger-2026-11-01-2026-11-30.csv}. */
    public static CsvName of(@Nullable Object... parts) {
        String joined =
                Stream.of(parts).filter(Objects::nonNull).map(Object::toString).collect(Collectors.joining("-"));
        return new CsvName(joined.replaceAll("[^\\w.~-]", "_") + ".csv");
    }

    /** Returns the header value with which a browser or {@code curl -OJ} saves the answer under this name. */
    String disposition() {
        return "attachment; filename=\"" + text + "\"";
    }
}
