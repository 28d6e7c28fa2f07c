package dev.numera.azure;

import com.azure.data.tables.models.TableEntity;
import dev.numera.core.format.FiscalYear;
import dev.numera.core.format.Format;
import dev.numera.core.format.Revision;
import dev.numera.core.format.YearStart;
import dev.numera.core.model.DateOrder;
import dev.numera.core.model.Definition;
import dev.numera.core.model.DefinitionDraft;
import dev.numera.core.model.DefinitionField;
import dev.numera.core.model.FormatHistory;
import dev.numera.core.model.KeyForm;
import dev.numera.core.model.KeyPolicy;
import dev.numera.core.model.Sequence;
import dev.numera.core.model.SequenceName;
import dev.numera.core.model.Series;
import dev.numera.core.model.Standing;
import dev.numera.core.model.Suspension;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.json.Checked;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps a definition to its row and back. The format is a public contract, described in docs/tables.md.
 *
 * <p>Decision: {@code docs/decisions/definitions-state-their-feature-level.md}.
 */
public final class DefinitionRows {
    private static final String IN_USE = "inUse";
    private static final String NEEDS = "needs";
    private static final String SUSPENDED_AT = "suspendedAt";
    private static final String SUSPENDED_BY = "suspendedBy";
    private static final String SUSPENDED_REASON = "suspendedReason";
    private static final String MAINTENANCE_AT = "maintenanceAt";
    private static final String RESTORE_MARGIN = "restoreMargin";
    private static final String LATEST_MARGIN = "latestMargin";
    private static final String WIDENED_FROM = "widenedFrom";
    private static final String KEY_FORM = "keyForm";
    private static final String FISCAL_YEAR_START_DAY = "fiscalYearStartDay";
    private static final int MAX_REMARK_UNITS = 1_000;
    private static final LocalDate ANY_DATE = LocalDate.of(2026, 1, 1);
    private static final String TWO_DIGIT_YEARS_UNTIL = "twoDigitYearsUntil";
    private static final String TIME_ZONE_UNSET = "timeZoneUnset";
    /**
     * The zone of a definition that states none. The column is never empty, because earlier versions need a zone in
     * every row.
     */
    private static final String UTC = "UTC";

    /**
     * Columns that may be missing or have the value shown here; both mean that the definition does not set the field.
     */
    private static final Map<DefinitionField<?>, Object> MAY_LACK = Map.of(
            DefinitionField.FORMAT,
            "",
            DefinitionField.MAX_LENGTH,
            0,
            DefinitionField.DATE_ORDER,
            EnumWord.of(DateOrder.NONE),
            DefinitionField.KEYS,
            EnumWord.of(KeyPolicy.OPTIONAL),
            DefinitionField.DESCRIPTION,
            "",
            DefinitionField.CONTACT,
            "",
            DefinitionField.WARN_AT_PERCENT,
            Definition.DEFAULT_WARN_AT_PERCENT);

    private DefinitionRows() {}

    /** Returns the columns to write when a definition allocates its first number. */
    static TableEntity mark(SequenceName name) {
        return new TableEntity(RowKeys.partition(name), RowKeys.DEFINITION).addProperty(IN_USE, true);
    }

    /** Returns the columns that a new key form changes. */
    static TableEntity keyForm(Sequence stored) {
        return new TableEntity(RowKeys.partition(stored.name()), RowKeys.DEFINITION)
                .addProperty(NEEDS, stored.needs())
                .addProperty(KEY_FORM, EnumWord.of(stored.keyForm()));
    }

    static TableEntity write(Sequence stored) {
        Definition definition = stored.definition();
        SequenceName name = stored.name();
        FormatHistory formats = stored.formats();
        TableEntity row = new TableEntity(RowKeys.partition(name), RowKeys.DEFINITION)
                .addProperty("scope", name.scope())
                .addProperty("name", name.name())
                .addProperty("id", stored.id())
                .addProperty(NEEDS, stored.needs())
                .addProperty(IN_USE, stored.isInUse())
                .addProperty(TIME_ZONE_UNSET, definition.fixed().timeZone() == null)
                .addProperty("formatRevision", formats.current())
                .addProperty(TWO_DIGIT_YEARS_UNTIL, stored.twoDigitYearsUntil())
                .addProperty("retiredAt", text(stored.retiredAt()));
        putSuspension(row, stored.suspension());
        row.addProperty(RESTORE_MARGIN, stored.restoreMargin()).addProperty(LATEST_MARGIN, stored.latestMargin());
        if (stored.widenedFrom() != null) {
            row.addProperty(WIDENED_FROM, stored.widenedFrom());
        }
        if (stored.keyForm() != KeyForm.AS_SENT) {
            row.addProperty(KEY_FORM, EnumWord.of(stored.keyForm()));
        }
        for (DefinitionField<?> field : DefinitionField.ALL) {
            row.addProperty(field.name(), column(field, definition));
        }
        row.addProperty(
                FISCAL_YEAR_START_DAY, definition.fixed().fiscalYearStart().day());
        StoredRow.putLong(
                row, FormatColumns.FORMATS, FormatColumns.json(formats).toString());
        return row;
    }

    private static void putSuspension(TableEntity row, Suspension suspension) {
        row.addProperty(SUSPENDED_AT, text(suspension.at()))
                .addProperty(SUSPENDED_BY, text(suspension.actor()))
                .addProperty(SUSPENDED_REASON, text(suspension.reason()))
                .addProperty(MAINTENANCE_AT, text(suspension.maintenanceAt()));
    }

    /**
     * Returns the columns of a restored definition, which is suspended until the maintenance ends. Raises the feature
     * level, so that versions that do not know suspension refuse the row.
     *
     * @param margin of the restore, which is added to the restore margin of the backup; 0 if it is not known yet
     */
    public static SortedMap<String, Object> restored(
            SortedMap<String, Object> columns, Instant maintenanceAt, long margin) {
        SortedMap<String, Object> restored = new TreeMap<>(columns);
        restored.put(MAINTENANCE_AT, maintenanceAt.toString());
        restored.put(LATEST_MARGIN, margin);
        if (margin > 0) {
            restored.merge(
                    RESTORE_MARGIN, margin, (earlier, added) -> earlier instanceof Long sum ? sum + margin : earlier);
        }
        restored.computeIfPresent(
                NEEDS,
                (name, needs) -> needs instanceof Integer level
                        ? (Object) Math.max(level, Definition.SUSPENSION_FEATURES)
                        : needs);
        return restored;
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static Suspension suspension(StoredRow row) {
        return new Suspension(
                row.instantOrNull(SUSPENDED_AT),
                row.optional(SUSPENDED_BY).map(StoredRow::actor).orElse(null),
                row.optional(SUSPENDED_REASON).map(StoredRow::note).orElse(null),
                row.instantOrNull(MAINTENANCE_AT));
    }

    /** Returns a column's value; never null, because a row is changed by merges, and a merge removes no column. */
    private static Object column(DefinitionField<?> field, Definition definition) {
        Object value = field.stored(definition);
        if (value == null) {
            return Objects.requireNonNull(field == DefinitionField.TIME_ZONE ? UTC : MAY_LACK.get(field));
        }
        if (value instanceof YearStart start) {
            return start.month();
        }
        return value instanceof Enum<?> constant ? EnumWord.of(constant) : value;
    }

    /**
     * Reads a definition, and checks that its formats can print its numbers.
     *
     * @throws ProblemException {@code needs-newer-version}
     */
    static Sequence read(StoredRow row) {
        SequenceName name = name(row);
        requireKnown(name.toString(), row.int32(NEEDS, 1, Integer.MAX_VALUE));
        Sequence stored = stored(name, row);
        if (!stored.name().isTemplate()) {
            requirePrintable(row, stored);
        }
        return stored;
    }

    /**
     * Checks that each format can print its numbers. The caller skips templates: their formats may contain variables,
     * such as digits, that only a sequence replaces.
     */
    private static void requirePrintable(StoredRow row, Sequence known) {
        List<Revision> revisions = known.formats().revisions();
        for (int index = 0; index < revisions.size(); index++) {
            try {
                known.texts().text(index + 1, ANY_DATE, revisions.get(index).least());
            } catch (IllegalArgumentException | ProblemException e) {
                throw row.wrong(FormatColumns.FORMATS, "cannot print its numbers (" + e.getMessage() + ")");
            }
        }
    }

    /**
     * Refuses the definition of a backup if it needs a newer release. A definition that is otherwise unreadable passes.
     *
     * @throws ProblemException {@code needs-newer-version}
     */
    public static void requireKnown(String partition, SortedMap<String, Object> columns) {
        if (columns.get(NEEDS) instanceof Integer needs) {
            requireKnown(partition.replace(':', '/'), needs);
        }
    }

    /**
     * Checks the feature level. Must run before any other column is read, because a newer version may have changed
     * their form.
     */
    private static void requireKnown(String name, int needs) {
        if (needs > Definition.KNOWN_FEATURES) {
            throw new ProblemException(
                    ProblemType.NEEDS_NEWER_VERSION,
                    "The definition of " + name + " needs a version of the app that knows features of level "
                            + needs + "; this one knows level " + Definition.KNOWN_FEATURES
                            + ". Update this instance.");
        }
    }

    static SequenceName name(StoredRow row) {
        SequenceName name = row.sequence();
        if (!RowKeys.partition(name).equals(row.partition())) {
            throw row.wrong("scope or name", "is that of " + name + ", whose definition is in another partition");
        }
        return name;
    }

    private static Sequence stored(SequenceName name, StoredRow row) {
        Definition definition = definition(row);
        return new Sequence(
                name,
                StoredRow.id(row.string("id")),
                definition,
                FormatColumns.read(row, definition),
                twoDigitYearsUntil(row),
                standing(row),
                row.version());
    }

    private static Standing standing(StoredRow row) {
        return new Standing(
                row.bool(IN_USE),
                row.instantOrNull("retiredAt"),
                row.int64OrNull(WIDENED_FROM, -Series.LARGEST_VALUE, Series.LARGEST_VALUE),
                suspension(row),
                row.has(RESTORE_MARGIN) ? row.int64(RESTORE_MARGIN, 0, Series.LARGEST_VALUE) : 0,
                row.has(LATEST_MARGIN) ? row.int64(LATEST_MARGIN, 0, Series.LARGEST_VALUE) : 0,
                row.has(KEY_FORM) ? row.choice(KEY_FORM, KeyForm.class) : KeyForm.AS_SENT);
    }

    private static int twoDigitYearsUntil(StoredRow row) {
        return row.int32OrElse(
                TWO_DIGIT_YEARS_UNTIL, Sequence.EARLIER_TWO_DIGIT_YEARS_UNTIL, FiscalYear.FIRST + 99, FiscalYear.LAST);
    }

    private static Definition definition(StoredRow row) {
        DefinitionDraft.Builder draft = new DefinitionDraft.Builder();
        TableEntity entity = row.entity();
        for (DefinitionField<?> field : DefinitionField.ALL) {
            if (!isLeftOut(row, entity, field)) {
                put(draft, field, row);
            }
        }
        Definition definition = draft.build().filled();
        long start = definition.fixed().start();
        if (start < definition.minValue() || start > definition.maxValue()) {
            throw row.wrong("start, minValue or maxValue", "is wrong: start is not between minValue and maxValue");
        }
        return definition;
    }

    /**
     * Whether the row does not set the field. Only some fields may be missing: for the others, a default would change
     * the numbers.
     */
    private static boolean isLeftOut(StoredRow row, TableEntity entity, DefinitionField<?> field) {
        if (field == DefinitionField.TIME_ZONE) {
            // An earlier version that sets a zone leaves the mark that there was none.
            return row.boolOrFalse(TIME_ZONE_UNSET) && UTC.equals(entity.getProperty(field.name()));
        }
        Object lacking = MAY_LACK.get(field);
        Object column = lacking == null ? null : entity.getProperty(field.name());
        return lacking != null && (column == null || column.equals(lacking));
    }

    private static <T> void put(DefinitionDraft.Builder draft, DefinitionField<T> field, StoredRow row) {
        if (field == DefinitionField.FISCAL_YEAR_START) {
            draft.put(DefinitionField.FISCAL_YEAR_START, fiscalYearStart(row));
            return;
        }
        Class<T> type = field.type();
        Checked column = row.property(field.name(), type.isEnum() ? String.class : type);
        T value = field.value(column.scalar()).orElseThrow(() -> column.refused("must be " + field.kind()));
        field.flaw(value).ifPresent(flaw -> {
            throw column.refused(flaw);
        });
        if (value instanceof String) {
            requireUsable(column, field);
        }
        draft.put(field, value);
    }

    /** Reads the month and the day. Earlier versions stored no day. */
    private static YearStart fiscalYearStart(StoredRow row) {
        return new YearStart(
                row.int32(DefinitionField.FISCAL_YEAR_START.name(), 1, 12),
                row.int32OrElse(FISCAL_YEAR_START_DAY, 1, 1, YearStart.MAX_DAY));
    }

    private static void requireUsable(Checked column, DefinitionField<?> field) {
        if (field == DefinitionField.FORMAT) {
            column.string(1, Format.MAX_TEMPLATE_LENGTH);
        } else if (field == DefinitionField.TIME_ZONE) {
            requireTimeZone(column);
        } else {
            column.string(1, MAX_REMARK_UNITS);
        }
    }

    private static void requireTimeZone(Checked column) {
        try {
            ZoneId.of(column.string(1, StoredRow.MAX_ID_UNITS));
        } catch (DateTimeException e) {
            throw column.refused("must be a zone of the IANA database, or an offset");
        }
    }
}
