package dev.numera.sequence;

/** A definition that this instance had kept turns out to read otherwise now, and nothing was done by the old one. */
final class OutdatedDefinitionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient KnownDefinition present;

    OutdatedDefinitionException(KnownDefinition present) {
        super("The definition of " + present.stored().name() + " was changed.", null, false, false);
        this.present = present;
    }

    KnownDefinition present() {
        return present;
    }
}
