package dev.numera.functions;

import dev.numera.azure.StorageConnection;
import dev.numera.core.problem.EnumWord;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.Limits;
import dev.numera.sequences.access.AutoCreate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads and checks the app settings. A problem names the wrong setting, but never shows its value. Immutable.
 *
 * <p>Decision: {@code docs/decisions/many-calls-on-one-instance.md}.
 */
public final class Settings {
    static final String PREFIX = "Numera_";
    private static final String AUTO_CREATE = "Numera_AutoCreate";
    private static final String CONSOLE = "Numera_Console";
    static final String BACKUP_SCHEDULE = "Numera_BackupSchedule";
    private static final String ON = "on";
    private static final String OFF = "off";
    private static final String RIGHTS = "Numera_Rights";
    private static final String REQUIRED = "required";
    private static final String OPTIONAL = "optional";
    private static final String TRUE = "true";
    private static final String FALSE = "false";
    private static final String CREATE_TABLES = "Numera_CreateTables";
    /** An environment variable that exists in every function app on Azure, and nowhere else. */
    private static final String AZURE_SITE = "WEBSITE_SITE_NAME";

    /** A setting that is a whole number, with its bounds. */
    enum Limit {
        DEADLINE_MILLIS("Numera_DeadlineMillis", 10_000, 100, 200_000),
        STORAGE_TIMEOUT_MILLIS("Numera_StorageTimeoutMillis", 2_000, 50, 30_000),
        MAX_WAITING_CALLS("Numera_MaxWaitingCalls", 128, 1, 10_000),
        MAX_DAYS_AHEAD("Numera_MaxDaysAhead", 400, 0, 36_500),
        MAX_DAYS_BACK("Numera_MaxDaysBack", 3_660, 0, 36_500),
        KEEP_UPLOADS_DAYS("Numera_KeepUploadsDays", 30, 1, 3_650);

        private final String setting;
        private final int byDefault;
        private final int min;
        private final int max;

        Limit(String setting, int byDefault, int min, int max) {
            this.setting = setting;
            this.byDefault = byDefault;
            this.min = min;
            this.max = max;
        }
    }

    private final Map<String, String> values;
    private final List<String> warnings;

    private Settings(Map<String, String> values) {
        this.values = values;
        this.warnings = unknownNames()
                .map(name -> sentence(name, "is unknown to this version, and ignored. " + knownNames()))
                .toList();
    }

    /**
     * Reads and checks all settings.
     *
     * @param environment the app settings, which the host passes as environment variables
     * @throws ProblemException {@code misconfigured}, naming the first wrong setting
     */
    public static Settings of(Map<String, String> environment) {
        Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        values.putAll(environment);
        Settings settings = new Settings(values);
        settings.requireKnownNamesUnlessOnAzure();
        Arrays.stream(Limit.values()).forEach(settings::number);
        settings.autoCreate();
        settings.createsTables();
        settings.hasConsole();
        settings.requiresRights();
        settings.storage();
        settings.requireBackups();
        return settings;
    }

    /** Returns every known setting with the prefix {@value #PREFIX} and its default, in alphabetical order. */
    public static SortedMap<String, String> defaults() {
        SortedMap<String, String> defaults = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Arrays.stream(Limit.values()).forEach(limit -> defaults.put(limit.setting, String.valueOf(limit.byDefault)));
        defaults.put(AUTO_CREATE, EnumWord.of(AutoCreate.ALWAYS));
        defaults.put(BACKUP_SCHEDULE, OFF);
        defaults.put(CREATE_TABLES, TRUE);
        defaults.put(CONSOLE, ON);
        defaults.put(RIGHTS, OPTIONAL);
        return defaults;
    }

    /**
     * Returns a sentence for each setting that this version does not know. Only on Azure can there be any; elsewhere
     * the app refuses them.
     */
    List<String> warnings() {
        return warnings;
    }

    AutoCreate autoCreate() {
        return value(AUTO_CREATE)
                .map(value -> EnumWord.find(value, AutoCreate.class)
                        .orElseThrow(() -> noChoice(AUTO_CREATE, EnumWord.list(AutoCreate.class))))
                .orElse(AutoCreate.ALWAYS);
    }

    public Duration storageTimeout() {
        return millis(Limit.STORAGE_TIMEOUT_MILLIS);
    }

    public Limits limits() {
        return new Limits(
                millis(Limit.DEADLINE_MILLIS),
                storageTimeout(),
                number(Limit.MAX_WAITING_CALLS),
                number(Limit.MAX_DAYS_AHEAD),
                number(Limit.MAX_DAYS_BACK));
    }

    /**
     * Whether the app creates missing tables. It must not do so on Azure: if a table was lost, numbering would restart.
     */
    boolean createsTables() {
        return is(CREATE_TABLES, TRUE, FALSE, !isOnAzure());
    }

    /** Whether the console is served. On Azure it is off by default. */
    boolean hasConsole() {
        return is(CONSOLE, ON, OFF, !isOnAzure());
    }

    /** Whether every call with a key must state its rights. */
    boolean requiresRights() {
        return is(RIGHTS, REQUIRED, OPTIONAL, false);
    }

    Duration keepsUploads() {
        return Duration.ofDays(number(Limit.KEEP_UPLOADS_DAYS));
    }

    StorageConnection storage() {
        return StorageConnection.of(values);
    }

    /**
     * Checks the schedule and the address of backups. The host runs the timer, but would report neither of these
     * faults.
     */
    private void requireBackups() {
        String schedule = values.getOrDefault(BACKUP_SCHEDULE, OFF);
        if (!schedule.isBlank() && !schedule.strip().equals(OFF)) {
            try {
                NcrontabSchedule.require(schedule);
            } catch (IllegalArgumentException e) {
                throw misconfigured(
                        BACKUP_SCHEDULE, "must be " + OFF + " or six fields such as 0 0 2 * * *: " + e.getMessage());
            }
            storage().setting(StorageConnection.Service.BLOBS);
        }
    }

    /**
     * Refuses unknown settings, except on Azure: during an upgrade or a rollback, the settings there may belong to
     * another version of the app.
     */
    private void requireKnownNamesUnlessOnAzure() {
        if (!isOnAzure()) {
            unknownNames().findFirst().ifPresent(name -> {
                throw misconfigured(name, "is unknown. " + knownNames());
            });
        }
    }

    /**
     * Returns the unknown names with the prefix. Names in capitals do not count: they are variables of other programs,
     * such as the examples, which the shell that starts the app may have set.
     */
    private Stream<String> unknownNames() {
        Set<String> known = defaults().keySet();
        return values.keySet().stream().filter(name -> name.startsWith(PREFIX) && !known.contains(name));
    }

    private static String knownNames() {
        return "The settings are " + String.join(", ", defaults().keySet());
    }

    private boolean isOnAzure() {
        return values.containsKey(AZURE_SITE);
    }

    private Duration millis(Limit limit) {
        return Duration.ofMillis(number(limit));
    }

    private int number(Limit limit) {
        return value(limit.setting).map(value -> number(limit, value)).orElse(limit.byDefault);
    }

    private static int number(Limit limit, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number >= limit.min && number <= limit.max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through: not a number is as wrong as one out of bounds.
        }
        throw misconfigured(limit.setting, "must be a whole number from " + limit.min + " to " + limit.max);
    }

    private boolean is(String name, String yes, String no, boolean byDefault) {
        String value = value(name).orElse(byDefault ? yes : no);
        if (!value.equals(yes) && !value.equals(no)) {
            throw noChoice(name, yes + ", " + no);
        }
        return value.equals(yes);
    }

    /** Returns the value of a setting. A blank value counts as missing. */
    private Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    private static ProblemException noChoice(String name, String words) {
        return misconfigured(name, "must be one of " + words);
    }

    private static ProblemException misconfigured(String setting, String why) {
        return new ProblemException(ProblemType.MISCONFIGURED, sentence(setting, why), Map.of("setting", setting));
    }

    private static String sentence(String setting, String why) {
        return "The setting " + setting + " " + why + ".";
    }
}
