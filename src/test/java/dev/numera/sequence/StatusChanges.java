package dev.numera.sequence;

import dev.numera.execution.CharacterBudget;
import dev.numera.model.SequenceName;

/** Changes of status whose answers are not sent to a client. */
public final class StatusChanges {
    private StatusChanges() {}

    public static Numbers issue(Statuses statuses, SequenceName name, String key, String actor) {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            return statuses.issue(name, key, actor, share);
        }
    }

    public static Numbers makeVoid(Statuses statuses, SequenceName name, String key, String reason, String actor) {
        try (CharacterBudget.Share share = CharacterBudget.OF_THE_PROCESS.open()) {
            return statuses.makeVoid(name, key, reason, actor, share);
        }
    }
}
