package dev.numera.sequence;

import dev.numera.model.Allocation;
import dev.numera.model.Change.FieldChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** What of some allocations an earlier closing has not counted so. Not thread-safe. */
final class ClosingComparison {
    private static final Comparator<Allocation> IN_ORDER =
            Comparator.comparing(Allocation::period).thenComparing(Allocation::first);

    private final Closing earlier;
    private final TreeSet<Allocation> first = new TreeSet<>(IN_ORDER);
    private long numbers;

    ClosingComparison(Closing earlier) {
        this.earlier = earlier;
    }

    void add(Allocation allocation) {
        if (earlier.hasSeen(allocation.status(), allocation.period(), allocation.first())) {
            return;
        }
        numbers += allocation.count();
        first.add(allocation);
        if (first.size() > Closing.MAX_LISTED) {
            first.pollLast();
        }
    }

    List<FieldChange> result() {
        List<FieldChange> result = new ArrayList<>();
        result.add(Closing.field(Closing.CHANGED_COUNT, numbers));
        result.addAll(Closing.changed(first));
        return result;
    }
}
