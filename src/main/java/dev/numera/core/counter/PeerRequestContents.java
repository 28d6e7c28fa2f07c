package dev.numera.core.counter;

import dev.numera.core.model.NumberRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leading requests of a group that fit one peer request. The rest waits for the next peer request, in the same
 * order. A repeated key is left out: it waits for the answer to the first one, and takes no number. Not thread-safe.
 */
final class PeerRequestContents {
    private final List<WaitingCall.Slot> slots = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    private int rows;
    private int units;
    private boolean isFull;

    List<WaitingCall.Slot> slots() {
        return slots;
    }

    List<NumberRequest> requests() {
        return slots.stream().map(slot -> (NumberRequest) slot.request).toList();
    }

    boolean holdsSomeOf(WaitingCall call) {
        return call.openSlots().stream().anyMatch(slots::contains);
    }

    /** The earliest opening time of these requests in previous posts; null if none was posted before. */
    @Nullable
    Instant openedAt() {
        return slots.stream()
                .flatMap(slot -> slot.openedAt().stream())
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    void add(WaitingCall.Slot slot) {
        NumberRequest request = (NumberRequest) slot.request;
        String key = request.key();
        if (key != null && keys.contains(key)) {
            return;
        }
        isFull |= slots.size() == WriteLimits.PEER_ALLOCATIONS
                || rows + request.rows() > WriteLimits.PEER_KEYS
                || units + request.ledgerUnits() > WriteLimits.PEER_LEDGER_UNITS;
        if (!isFull) {
            if (key != null) {
                keys.add(key);
            }
            slots.add(slot);
            rows += request.rows();
            units += request.ledgerUnits();
        }
    }
}
