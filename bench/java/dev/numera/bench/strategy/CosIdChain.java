package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;
import dev.numera.core.model.CounterId;
import dev.numera.sequences.SequenceStores;
import me.ahoo.cosid.segment.SegmentChainId;

/** CosId's chain of segments. It is created on first use, because it fetches its first segment at once. */
final class CosIdChain implements Strategy {
    private final SequenceStores stores;
    private final CounterId id;
    private final int step;
    private volatile SegmentChainId chain;

    CosIdChain(SequenceStores stores, CounterId id, int step) {
        this.stores = stores;
        this.id = id;
        this.step = step;
    }

    @Override
    public void prepare(int numbersWanted) {
        OpenCounter.in(stores, id);
    }

    @Override
    public long next(Window window) {
        SegmentChainId made = chain;
        return (made == null ? make() : made).generate();
    }

    private synchronized SegmentChainId make() {
        if (chain == null) {
            chain = new SegmentChainId(new StoreDistributor(stores.counters(), id, step));
        }
        return chain;
    }
}
