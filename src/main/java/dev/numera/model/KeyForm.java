package dev.numera.model;

/** In which Unicode form the keys of a sequence are stored. */
public enum KeyForm {
    /** As they were sent: by earlier versions, and as long as no key has another form. */
    AS_SENT,
    /** In NFC from now on, once no write of an earlier version can win any more. */
    BECOMING_NFC,
    /** In NFC. Keys of earlier versions keep their form. */
    NFC
}
