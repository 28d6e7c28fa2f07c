package dev.numera.fault;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.model.SequenceName;
import dev.numera.fixtures.Effort;
import dev.numera.fixtures.SharedAzurite;
import dev.numera.fixtures.history.Fairness;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.fixtures.proxy.RequestKind;
import dev.numera.maintain.history.History;
import dev.numera.maintain.history.ObservedCall;
import dev.numera.maintain.history.ObservedOutcome;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many callers of one sequence on three instances, while every tenth request meets a random fault. Callers change to
 * the next sequence after at most 1,000 allocations, because Azurite's requests take longer the more rows a partition
 * has.
 */
class MixedFaultsIT {
    private static final int INSTANCES = 3;
    private static final int CALLERS = 32;
    private static final double PROBABILITY = 0.1;
    private static final long SEED = 5;
    private static final Set<RequestKind> ALL_KINDS = EnumSet.allOf(RequestKind.class);

    private static final RawTables TABLES = new RawTables(SharedAzurite.connectionString());

    @ParameterizedTest
    @EnumSource
    void threeHundredAllocations(Promise promise) throws Exception {
        allocate(promise, 1, 300, "mixed-300");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void fiveThousandAllocations(Promise promise) throws Exception {
        allocate(promise, Effort.times(5), 1_000, "mixed-5000");
    }

    private static void allocate(Promise promise, int sequences, int allocationsEach, String room) throws Exception {
        SequenceName template = promise.defineTemplate(Instance.patient(SharedAzurite.connectionString()), room, 5);
        try (FaultProxy proxy = FaultProxy.before(SharedAzurite.ports())) {
            List<Instance> instances = instances(proxy);
            List<ObservedCall> calls = new ArrayList<>();
            for (int number = 0; number < sequences; number++) {
                proxy.injectRandomly(SEED + number, PROBABILITY, Fault.all(Instance.STORAGE_TIMEOUT), ALL_KINDS);
                calls.addAll(allocate(
                        promise,
                        new SequenceName("faults-" + number, template.name()),
                        allocationsEach,
                        instances,
                        proxy));
            }
            assertTrue(
                    proxy.traffic().faults().size() > 10,
                    () -> "Too few kinds of faults: " + proxy.traffic().faults());
            System.out.printf(
                    "%s: %d calls, %d requests, %d faults, problems returned: %s%n",
                    promise,
                    calls.size(),
                    proxy.traffic().received().size(),
                    proxy.traffic().faults().values().stream()
                            .mapToLong(Long::longValue)
                            .sum(),
                    Fairness.of(calls).failures());
        }
    }

    private static List<ObservedCall> allocate(
            Promise promise, SequenceName sequence, int allocations, List<Instance> instances, FaultProxy proxy)
            throws Exception {
        History history = new History();
        allocate(promise, sequence, allocations, history, instances);
        proxy.heal();
        requireNumbers(promise, sequence, history, instances, "at once");
        proxy.awaitLateWrites();
        requireNumbers(promise, sequence, history, instances, "later");
        promise.requireKept(history.calls(), sequence, TABLES);
        return history.calls();
    }

    private static List<Instance> instances(FaultProxy proxy) {
        List<Instance> instances = new ArrayList<>();
        for (int number = 0; number < INSTANCES; number++) {
            instances.add(Instance.hasty("instance-" + number, proxy.connectionString()));
        }
        return instances;
    }

    private static void allocate(
            Promise promise, SequenceName sequence, int allocations, History history, List<Instance> instances)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        AtomicInteger taken = new AtomicInteger();
        List<Future<?>> callers = new ArrayList<>();
        for (int number = 0; number < CALLERS; number++) {
            Instance instance = instances.get(number % INSTANCES);
            String caller = "caller-" + number;
            callers.add(threads.submit(() -> {
                int own = 0;
                while (taken.getAndIncrement() < allocations) {
                    String key = promise.hasKeys() ? caller + "-" + own++ : null;
                    insist(instance, history, caller, sequence, key);
                }
            }));
        }
        for (Future<?> caller : callers) {
            caller.get();
        }
        threads.shutdown();
    }

    /** Repeats a request until it gets numbers, like a caller, with the same key if it has one. */
    private static void insist(Instance instance, History history, String caller, SequenceName sequence, String key) {
        ObservedOutcome outcome;
        do {
            outcome = instance.next(history, caller, sequence, key, 1);
            Instance.requireClear(outcome);
        } while (!(outcome instanceof ObservedOutcome.Allocated));
    }

    private static void requireNumbers(
            Promise promise, SequenceName sequence, History history, List<Instance> instances, String when) {
        for (Instance instance : instances) {
            String key = promise.hasKeys() ? when + " on " + instance.name() : null;
            instance.requireNumbers(history, "last " + when, sequence, key, 1);
        }
    }
}
