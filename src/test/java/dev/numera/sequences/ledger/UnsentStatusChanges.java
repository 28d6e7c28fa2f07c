package dev.numera.sequences.ledger;

import dev.numera.core.model.SequenceName;
import dev.numera.core.retry.CharacterBudget;
import dev.numera.sequences.access.PrintedAllocation;

/** Changes of status whose answers are not sent to a client. */
public final class UnsentStatusChanges {
    private UnsentStatusChanges() {}

    public static PrintedAllocation issue(StatusChanges statusChanges, SequenceName name, String key, String actor) {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            return statusChanges.issue(name, key, actor, share);
        }
    }

    public static PrintedAllocation makeVoid(
            StatusChanges statusChanges, SequenceName name, String key, String reason, String actor) {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            return statusChanges.makeVoid(name, key, reason, actor, share);
        }
    }
}
