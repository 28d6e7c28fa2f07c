package dev.numera.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.history.Fairness;
import dev.numera.fixtures.history.SoundHistory;
import dev.numera.localhost.Azurite;
import dev.numera.maintain.history.HistoryChecker;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import dev.numera.maintain.history.Progression;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs this app and the oldest one with compatible tables on one storage account, and proves the upgrades that
 * docs/operations.md calls safe.
 */
@Tag("long")
class UpgradeIT {
    /** The build that wrote the first rows of src/test/compat. */
    private static final String OLDER = "21c3a9f9eccd8540f368c46db718397516fb26df";

    private static final int ENDS = 6;
    /** The time after which the next end meets callers on all processes. */
    private static final Duration ALL_ARE_THERE = Duration.ofMillis(500);

    private static final int KEYS_ASKED_AGAIN = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String[] CREATE = {"If-None-Match", "*"};

    /** The hosts: one stays old, one is upgraded from the start, and one is upgraded and rolled back repeatedly. */
    private enum HostPlace {
        OLDER,
        PRESENT,
        CHANGING;

        boolean isOlder(int end) {
            return this == OLDER || this == CHANGING && end % 2 == 1;
        }
    }

    private static Path older;

    @BeforeAll
    static void build() throws Exception {
        older = OlderBuild.of(OLDER);
    }

    private static HostProcess start(Azurite azurite, boolean isOlder) {
        return isOlder
                ? HostProcess.start(older, azurite.connectionString(), Map.of(), Optional.empty())
                : HostProcess.start(azurite.connectionString(), Map.of());
    }

    private static NumeraClient client(HostProcess host) {
        return NumeraClient.ofAnyVersion(host.baseUri());
    }

    private static String path(String sequence) {
        return "/api/sequences/" + sequence;
    }

    @Test
    void bothNumberTheSameSequencesWhileTheyAreKilledUpgradedAndRolledBack() throws Exception {
        try (Azurite azurite = Azurite.inMemory()) {
            AtomicReferenceArray<HostProcess> hosts = new AtomicReferenceArray<>(HostPlace.values().length);
            for (HostPlace place : HostPlace.values()) {
                hosts.set(place.ordinal(), start(azurite, place != HostPlace.PRESENT));
            }
            NumeraClient ofOlder = client(hosts.get(0));
            NumeraClient ofPresent = client(hosts.get(1));
            String gapless = "{\"guarantee\": \"gapless\", \"format\": \"INV-{n:6}\"}";
            ofOlder.send("PUT", path("upgrade/invoice"), gapless, CREATE).expect(201);
            ofPresent.send("PUT", path("upgrade/receipt"), gapless, CREATE).expect(201);
            ofOlder.send("PUT", path("upgrade/row"), "{\"guarantee\": \"cached\", \"cacheSize\": 20}", CREATE)
                    .expect(201);

            AtomicBoolean goesOn = new AtomicBoolean(true);
            Pace pace = new Pace();
            Load invoices = load("upgrade/invoice", hosts, 2, true, pace, goesOn);
            Load receipts = load("upgrade/receipt", hosts, 1, true, pace, goesOn);
            Load orders = load("upgrade/order", hosts, 2, false, pace, goesOn);
            Load rows = load("upgrade/row", hosts, 2, false, pace, goesOn);
            for (int end = 0; end < ENDS; end++) {
                HostPlace place = HostPlace.values()[end % HostPlace.values().length];
                replace(hosts, place, azurite, end, pace);
                TimeUnit.NANOSECONDS.sleep(ALL_ARE_THERE.toNanos());
                if (end == ENDS / 3) {
                    advance(hosts.get(0), "upgrade/invoice", 10_000);
                    advance(hosts.get(0), "upgrade/row", 10_000);
                    advance(hosts.get(1), "upgrade/receipt", 10_000);
                }
                if (end == 2 * ENDS / 3) {
                    advance(hosts.get(1), "upgrade/invoice", 20_000);
                    advance(hosts.get(1), "upgrade/row", 20_000);
                    advance(hosts.get(0), "upgrade/receipt", 20_000);
                }
            }
            goesOn.set(false);
            for (Load load : List.of(invoices, receipts, orders, rows)) {
                load.await();
            }

            requireGapless(invoices, "upgrade/invoice", hosts);
            requireGapless(receipts, "upgrade/receipt", hosts);
            for (int number = 0; number < hosts.length(); number++) {
                orders.next("last", hosts.get(number).baseUri(), null);
                hosts.get(number).close();
            }
            SoundHistory.require(
                    new HistoryChecker(Progression.DEFAULT, orders.history().calls()).strict());
            SoundHistory.require(
                    new HistoryChecker(Progression.DEFAULT, rows.history().calls()).cached());
            for (Load load : List.of(invoices, receipts, orders, rows)) {
                List<ObservedCall> calls = load.history().calls();
                System.out.println(ENDS + " ends, two versions: " + calls.size() + " calls, failures "
                        + Fairness.of(calls).failures());
                assertTrue(calls.size() > ENDS, "the load is one");
            }
        }
    }

    private static Load load(
            String sequence,
            AtomicReferenceArray<HostProcess> hosts,
            int callersAtEach,
            boolean hasKeys,
            Pace pace,
            AtomicBoolean goesOn) {
        Load load = new Load(sequence, pace, NumeraClient::ofAnyVersion);
        for (HostPlace place : HostPlace.values()) {
            load.add(
                    place.name().toLowerCase(Locale.ROOT),
                    callersAtEach,
                    hasKeys,
                    () -> hosts.get(place.ordinal()).baseUri(),
                    goesOn::get);
        }
        return load;
    }

    /** Asks a host that is upgraded or rolled back to end, and kills the others. */
    private static void replace(
            AtomicReferenceArray<HostProcess> hosts, HostPlace place, Azurite azurite, int end, Pace pace) {
        HostProcess ended = hosts.get(place.ordinal());
        if (place == HostPlace.CHANGING) {
            ended.stop();
        } else {
            ended.kill();
        }
        hosts.set(place.ordinal(), pace.starting(() -> start(azurite, place.isOlder(end))));
        ended.close();
    }

    private static void advance(HostProcess host, String sequence, long nextAtLeast) {
        int status;
        do {
            status = client(host)
                    .send("POST", path(sequence) + "/advance", "{\"nextAtLeast\": " + nextAtLeast + "}")
                    .status();
        } while (status == 503);
        assertEquals(200, status);
    }

    /** Requires that both hosts return the numbers of each key, and the same complete ledger. */
    private static void requireGapless(Load load, String sequence, AtomicReferenceArray<HostProcess> hosts)
            throws Exception {
        load.history().calls().stream()
                .filter(call -> call.outcome() instanceof ObservedOutcome.Allocated)
                .limit(KEYS_ASKED_AGAIN)
                .forEach(call -> {
                    load.next("older", hosts.get(0).baseUri(), call.key());
                    load.next("present", hosts.get(1).baseUri(), call.key());
                });
        List<JsonNode> ledger = ListedLedger.read(client(hosts.get(1)), sequence, "");
        assertEquals(ledger, ListedLedger.read(client(hosts.get(0)), sequence, ""));
        List<ObservedCall> calls = load.history().calls();
        SoundHistory.require(new HistoryChecker(Progression.DEFAULT, calls)
                .gapless(ledger.stream().map(ListedLedger::entry).toList()));
    }

    /** Features that were used while only the present version ran, as the older version meets them after a rollback. */
    @Test
    void theOlderVersionRefusesOrIgnoresUnknownFeatures() throws Exception {
        try (Azurite azurite = Azurite.inMemory();
                HostProcess present = start(azurite, false)) {
            NumeraClient ofPresent = new NumeraClient(present.baseUri());
            define(ofPresent, "upgrade/dated", "{\"dateOrder\": \"ascending\"}");
            define(ofPresent, "upgrade/keyed", "{\"keys\": \"required\"}");
            define(ofPresent, "upgrade/flakes", "{\"guarantee\": \"snowflake\"}");
            define(ofPresent, "upgrade/said", "{\"warnAtPercent\": 50}");
            ofPresent.next("upgrade/said", "?reserve=true", "spoilt").expect(200);
            ofPresent
                    .send(
                            "POST",
                            path("upgrade/said") + "/status",
                            "{\"key\": \"spoilt\", \"status\": \"void\", \"reason\": \"torn\"}")
                    .expect(200);
            define(ofPresent, "upgrade/moved", "{\"guarantee\": \"gapless\"}");
            String location = ofPresent
                    .send(
                            "POST",
                            path("upgrade/moved") + "/imports",
                            "key,number\nold-1,1\nold-7,7\n",
                            "Content-Type",
                            "text/csv",
                            "Idempotency-Key",
                            "old")
                    .expect(202)
                    .location();
            ofPresent.awaitUpload(location, PATIENCE, present::output);

            try (HostProcess rolledBack = start(azurite, true)) {
                requireRefusedOrLeftAlone(ofPresent, client(rolledBack));
            }
        }
    }

    private static void define(NumeraClient client, String sequence, String definition) {
        client.send("PUT", path(sequence), definition, CREATE).expect(201);
    }

    private static void requireRefusedOrLeftAlone(NumeraClient ofPresent, NumeraClient ofOlder) {
        for (String sequence : List.of("upgrade/dated", "upgrade/flakes")) {
            ofPresent.next(sequence).expect(200);
            ofOlder.next(sequence).expectProblem(503, "needs-newer-version");
            ofOlder.get(path(sequence)).expectProblem(503, "needs-newer-version");
            ofPresent.next(sequence).expect(200);
        }
        ofOlder.next("upgrade/keyed").expectProblem(503, "needs-newer-version");
        assertEquals(
                5,
                ofOlder.get("/api/sequences?scope=upgrade")
                        .expect(200)
                        .body()
                        .get("sequences")
                        .size());

        // The older version does not know statuses and still returns a void key's numbers. That is the reason to void
        // nothing before a rollback.
        ofPresent.next("upgrade/said", "", "spoilt").expectProblem(409, "key-void");
        assertEquals(1, ofOlder.next("upgrade/said", "", "spoilt").expect(200).first());
        assertEquals(2, ofOlder.next("upgrade/said", "", "next").expect(200).first());
        ofPresent.next("upgrade/said", "", "spoilt").expectProblem(409, "key-void");
        assertEquals(
                50,
                ofPresent
                        .get(path("upgrade/said"))
                        .expect(200)
                        .body()
                        .get("warnAtPercent")
                        .intValue());

        assertEquals(7, ofOlder.next("upgrade/moved", "", "old-7").expect(200).first());
        assertEquals(8, ofOlder.next("upgrade/moved", "", "new-8").expect(200).first());
        assertEquals(9, ofPresent.next("upgrade/moved", "", "new-9").expect(200).first());
        JsonNode check =
                ofPresent.get(path("upgrade/moved") + "/check").expect(200).body();
        assertEquals(4, check.get("allocated").intValue(), check::toString);
        assertFalse(check.get("gaps").isEmpty(), "the check shows what the import skipped");
    }
}
