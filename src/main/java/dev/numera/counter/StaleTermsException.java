package dev.numera.counter;

/**
 * A request was made under a definition that was changed before the first number: it has no key where one is needed, or names a period that
 * the sequence does not have. Nothing was consumed. To be asked again under the terms as they are now.
 */
public final class StaleTermsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StaleTermsException() {
        super("The definition was changed before the first number of the sequence.", null, false, false);
    }
}
