package dev.numera.bench.virtual;

import dev.numera.contract.CounterTable;
import dev.numera.contract.MemoryCounterStore;
import dev.numera.core.counter.Transaction;
import dev.numera.core.retry.StoreFailure;
import dev.numera.core.retry.WriteResult;
import dev.numera.sequences.SequenceStores;
import dev.numera.sequences.access.DefinitionStore;
import dev.numera.sequences.ledger.LedgerStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A table in memory at the distance that {@link Storage} describes. A request takes effect after half of its exchange.
 * If the exchange takes longer than the instance waits, the instance sees a failure, but the request still takes
 * effect. Only the running thread of {@link VirtualTime} may use it.
 */
final class DistantTable {
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final VirtualTime time;
    private final Storage storage;
    private final Duration timeout;
    private final SplittableRandom random;
    private final MemoryCounterStore table;
    /** The time at which the partition will have served every request that has arrived. */
    private long freeNanos;

    private long requests;
    private long operations;

    /** @param timeout how long an instance waits for an answer */
    DistantTable(VirtualTime time, Storage storage, Duration timeout, SplittableRandom random) {
        this.time = time;
        this.storage = storage;
        this.timeout = timeout;
        this.random = random;
        this.table = new MemoryCounterStore(time::nanoTime);
    }

    /** The table itself, without the distance. */
    MemoryCounterStore table() {
        return table;
    }

    /** The number of requests that were sent. */
    long requests() {
        return requests;
    }

    /** The number of entities that the requests wrote or read, at least one for each request. */
    long operations() {
        return operations;
    }

    SequenceStores stores() {
        CounterTable counters = distant(CounterTable.class);
        return new SequenceStores(
                counters, counters, distant(DefinitionStore.class), distant(LedgerStore.class), () -> {
                    throw new IllegalStateException("No sequence leases a worker.");
                });
    }

    private <T> T distant(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> send(method, args)));
    }

    private Object send(Method method, Object[] args) {
        if (method.getDeclaringClass() == Object.class) {
            return invoke(method, args);
        }
        int together = requests(args);
        int entities = entities(args);
        requests += together;
        operations += entities;
        Exchange exchange = new Exchange(method, args, entities);
        exchange.begin(LongStream.range(0, together)
                .map(each -> storage.exchangeNanos(random))
                .max()
                .orElse(0));
        if (exchange.isAnswered) {
            return exchange.answer();
        }
        StoreFailure failure = new StoreFailure("The table did not answer within " + timeout + ".", true, null);
        if (method.getReturnType() == WriteResult.class) {
            return new WriteResult.Unknown(failure);
        }
        throw failure;
    }

    /** Returns how many requests a call sends: point reads of several keys are separate, parallel requests. */
    private static int requests(Object[] args) {
        return args != null && args.length > 1 && args[1] instanceof Collection<?> keys ? keys.size() : 1;
    }

    private static int entities(Object[] args) {
        if (args != null && args.length == 1 && args[0] instanceof Transaction write) {
            int ledgerRows = write.rows().size() + write.allocations().size();
            return 1 + ledgerRows + write.answered().size() + (write.marksDefinition() ? 1 : 0);
        }
        return requests(args);
    }

    private Object invoke(Method method, Object[] args) {
        try {
            return method.invoke(table, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException thrown ? thrown : new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One request and its answer. */
    private final class Exchange {
        private final Method method;
        private final Object[] args;
        private final int entities;
        private boolean isAnswered;
        private Object answer;
        private RuntimeException thrown;

        Exchange(Method method, Object[] args, int entities) {
            this.method = method;
            this.args = args;
            this.entities = entities;
        }

        /** Blocks until the answer arrives, or until the instance's timeout. */
        void begin(long nanos) {
            long stall = storage.stallNanos(random);
            boolean stallsOnTheWayThere = stall > 0 && random.nextBoolean();
            long there = nanos / 2 + (stallsOnTheWayThere ? stall : 0);
            long back = nanos / 2 + (stallsOnTheWayThere ? 0 : stall);
            Runnable waking = time.waking();
            time.at(time.nanoTime() + timeout.toNanos(), waking);
            time.at(time.nanoTime() + there, () -> time.at(servedNanos(), () -> takeEffect(back, waking)));
            time.block();
        }

        private long servedNanos() {
            if (storage.entitiesPerSecond() == 0) {
                return time.nanoTime();
            }
            freeNanos = Math.max(freeNanos, time.nanoTime()) + entities * SECOND_NANOS / storage.entitiesPerSecond();
            return freeNanos;
        }

        private void takeEffect(long backNanos, Runnable waking) {
            try {
                answer = invoke(method, args);
            } catch (RuntimeException e) {
                thrown = e;
            }
            time.at(time.nanoTime() + backNanos, () -> {
                isAnswered = true;
                waking.run();
            });
        }

        private Object answer() {
            if (thrown != null) {
                throw thrown;
            }
            return answer;
        }
    }
}
