package dev.numera.client;

/**
 * The number of a text.
 *
 * @param period null if the sequence is never reset
 */
public record ParsedText(long number, String period) {
    static ParsedText of(Fields fields) {
        return new ParsedText(fields.number("number"), fields.string("period"));
    }
}
