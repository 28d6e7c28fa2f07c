package dev.numera.core.model;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Unicode forms of keys. Forms of the same key look alike: {@code ü} is one character, or a {@code u} and a
 * combining mark. Numera stores keys in NFC. Earlier versions stored each key as the caller sent it, so a lookup tries
 * every form that a caller may have sent.
 *
 * <p>Decision: {@code docs/decisions/keys-are-stored-in-nfc.md}.
 */
public final class KeyForms {
    /**
     * The first character that may have another Unicode form. Texts without it or any later character have one form.
     */
    private static final char FIRST_COMPOSED = '\u00C0';

    private KeyForms() {}

    /** Returns the form that is stored: NFC. */
    public static String stored(String key) {
        return isPlain(key) ? key : Normalizer.normalize(key, Form.NFC);
    }

    /** Whether a key has the same text in NFC and NFD, so that a single lookup suffices. */
    public static boolean isOnlyOne(String key) {
        return isPlain(key) || Normalizer.isNormalized(key, Form.NFC) && Normalizer.isNormalized(key, Form.NFD);
    }

    /**
     * Returns the distinct forms that a ledger may contain a key under: as sent, NFC and NFD. A lookup uses the first
     * form that it finds.
     */
    public static List<String> of(String sent) {
        if (isOnlyOne(sent)) {
            return List.of(sent);
        }
        Set<String> forms = new LinkedHashSet<>();
        forms.add(sent);
        forms.add(stored(sent));
        forms.add(Normalizer.normalize(sent, Form.NFD));
        return List.copyOf(forms);
    }

    /** Returns the form that the caller sent if it differs from the stored form, otherwise null. */
    static @Nullable String otherThanStored(String sent) {
        return stored(sent).equals(sent) ? null : sent;
    }

    private static boolean isPlain(String key) {
        for (int at = 0; at < key.length(); at++) {
            if (key.charAt(at) >= FIRST_COMPOSED) {
                return false;
            }
        }
        return true;
    }
}
