package dev.numera.counter;

import dev.numera.model.Request;
import java.util.List;

/** How many keyed allocations one write holds, for callers that have more of them. */
public final class KeyedWrite {
    public static final int MAX_KEYS = Group.MAX_ROWS;

    private KeyedWrite() {}

    /** How many of the keys, from the first one on, fit one write: at least one, if there is one. */
    public static int reach(List<String> keys) {
        int units = 0;
        int reach = 0;
        while (reach < keys.size() && reach < MAX_KEYS) {
            units += Request.Allocate.ledgerUnits(keys.get(reach));
            if (reach > 0 && units > Group.MAX_LEDGER_UNITS) {
                break;
            }
            reach++;
        }
        return reach;
    }
}
