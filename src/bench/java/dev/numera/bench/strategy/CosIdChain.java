package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;
import dev.numera.counter.CounterId;
import dev.numera.counter.CounterStore;
import me.ahoo.cosid.segment.SegmentChainId;

/** CosId's chain of segments, made on first use: the first segment is fetched at once. */
final class CosIdChain implements Strategy {
    private final CounterStore store;
    private final CounterId id;
    private final int step;
    private volatile SegmentChainId chain;

    CosIdChain(CounterStore store, CounterId id, int step) {
        this.store = store;
        this.id = id;
        this.step = step;
    }

    @Override
    public void prepare(int numbersWanted) {
        OpenCounter.in(store, id);
    }

    @Override
    public long next(Window window) {
        SegmentChainId made = chain;
        return (made == null ? make() : made).generate();
    }

    private synchronized SegmentChainId make() {
        if (chain == null) {
            chain = new SegmentChainId(new StoreDistributor(store, id, step));
        }
        return chain;
    }
}
