package dev.numera.functions.http.lists;

import dev.numera.sequences.lists.CellText;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Recognizes columns that contain the status of numbers, by their headers or their cells. docs/import.md describes the
 * check.
 */
final class StatusWords {
    private static final Set<String> HEADERS = Set.of(
            "status",
            "statut",
            "stato",
            "estado",
            "situação",
            "void",
            "voided",
            "cancelled",
            "canceled",
            "cancellation",
            "storno",
            "storniert",
            "stornierung",
            "entwertet",
            "ungültig",
            "annulliert",
            "anulada",
            "anulado",
            "anulación",
            "cancelada",
            "cancelado",
            "annulé",
            "annulée",
            "annulation",
            "annullata",
            "annullato",
            "geannuleerd");

    private static final Set<String> VOID = Set.of(
            "void",
            "voided",
            "cancelled",
            "canceled",
            "storno",
            "storniert",
            "entwertet",
            "ungültig",
            "annulliert",
            "anulada",
            "anulado",
            "cancelada",
            "cancelado",
            "annulé",
            "annulée",
            "annullata",
            "annullato",
            "geannuleerd",
            "x",
            "y",
            "j",
            "yes",
            "ja",
            "si",
            "sí",
            "sì",
            "oui",
            "sim",
            "true",
            "wahr",
            "vrai");

    /** The words for numbers that are not void. */
    private static final Set<String> NOT_VOID = Set.of(
            "issued",
            "reserved",
            "valid",
            "gültig",
            "ausgestellt",
            "emitida",
            "emitido",
            "émise",
            "emessa",
            "n",
            "no",
            "nein",
            "non",
            "não",
            "nee",
            "false",
            "falsch",
            "faux");

    private StatusWords() {}

    static boolean isHeader(String name) {
        return HEADERS.contains(CellText.folded(name.replaceFirst("\\?\\s*$", "")));
    }

    /** Whether all cells are words for a status, and at least one of them means void. */
    static boolean areIn(Supplier<Stream<String>> cells) {
        return cells.get().allMatch(cell -> isVoid(cell) || NOT_VOID.contains(CellText.folded(cell)))
                && cells.get().anyMatch(StatusWords::isVoid);
    }

    private static boolean isVoid(String cell) {
        return VOID.contains(CellText.folded(cell));
    }
}
