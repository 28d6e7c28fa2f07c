package dev.numera.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.numera.problem.ProblemException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A definition as it stands in storage.
 *
 * @param id made when the sequence was: another one stands for another beginning
 * @param isInUse whether a number may have been taken under it; then its fixed fields are fixed
 * @param retiredAt null unless retired
 * @param version for the next conditional write; null where it is not known
 * @param twoDigitYearsUntil the last of the 100 years, calendar and fiscal ones, that two digits of a year stand for;
 *     it never moves, so that no text is read as of another century later
 */
public record StoredDefinition(
        SequenceName name,
        String id,
        Definition definition,
        FormatHistory formats,
        boolean isInUse,
        @Nullable Instant retiredAt,
        @Nullable String version,
        int twoDigitYearsUntil) {
    /** That of definitions that were stored without one, all of them in 2026. */
    public static final int EARLIER_TWO_DIGIT_YEARS_UNTIL = 2075;

    /** Documents of half a century before and of half a century after the first number. */
    private static final int YEARS_AFTER = 49;

    /** @param today the day on which it is stored, in its own time zone */
    public static StoredDefinition first(SequenceName name, Definition definition, LocalDate today) {
        return new StoredDefinition(
                name,
                UUID.randomUUID().toString(),
                definition,
                FormatHistory.of(definition),
                false,
                null,
                null,
                today.getYear() + YEARS_AFTER);
    }

    /**
     * The next state of this one.
     *
     * @throws ProblemException {@code too-many-formats}
     */
    public StoredDefinition changedTo(Definition changed) {
        FormatHistory changedFormats = isInUse ? formats.changedTo(definition, changed) : FormatHistory.of(changed);
        return new StoredDefinition(name, id, changed, changedFormats, isInUse, null, version, twoDigitYearsUntil);
    }

    /** The same with another id, for a sequence that starts again after its table was lost. */
    public StoredDefinition recreated() {
        return new StoredDefinition(
                name,
                UUID.randomUUID().toString(),
                definition,
                formats,
                isInUse,
                retiredAt,
                version,
                twoDigitYearsUntil);
    }

    public StoredDefinition retired(Instant at) {
        return new StoredDefinition(name, id, definition, formats, isInUse, at, version, twoDigitYearsUntil);
    }

    public StoredDefinition inUse() {
        return new StoredDefinition(name, id, definition, formats, true, retiredAt, version, twoDigitYearsUntil);
    }

    public StoredDefinition at(@Nullable String newVersion) {
        return new StoredDefinition(name, id, definition, formats, isInUse, retiredAt, newVersion, twoDigitYearsUntil);
    }

    /** The entity tag over HTTP, quotes included: of what its owner can see, so that a mark does not make it stale. */
    public String tag() {
        String content = DefinitionField.ALL.stream()
                .map(field -> delimited(field.of(definition)))
                .collect(Collectors.joining("", id + retiredAt, ""));
        return '"' + UUID.nameUUIDFromBytes(content.getBytes(UTF_8)).toString() + '"';
    }

    /** With its length: a free text may hold whatever else would stand between two values. */
    private static String delimited(@Nullable Object value) {
        return value == null ? "-" : value.toString().length() + ":" + value;
    }

    public boolean isRetired() {
        return retiredAt != null;
    }
}
