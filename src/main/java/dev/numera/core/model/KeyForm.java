package dev.numera.core.model;

/** The Unicode form that a sequence stores its keys in. */
public enum KeyForm {
    /**
     * Keys are stored as the caller sends them. Sequences stay in this state until the first request whose key has
     * several Unicode forms.
     */
    AS_SENT,
    /** Changing to NFC: instances of earlier versions may still store a key as the caller sent it. */
    BECOMING_NFC,
    /** New keys are stored in NFC. Keys that earlier versions stored keep their form. */
    NFC
}
