package dev.numera.functions.http;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of calls that rights distinguish. No right includes another one. */
public enum Right {
    /** Allows to take numbers, send lists of keys and set statuses. */
    ALLOCATE("Numera.Allocate"),
    /** Allows to read definitions, ledgers and lists. */
    READ("Numera.Read"),
    /** Allows to define and change sequences, import numbers and record closings. */
    DEFINE("Numera.Define"),
    /** Allows to handle failed messages, which belong to no scope. */
    OPERATE("Numera.Operate");

    private final String word;

    Right(String word) {
        this.word = word;
    }

    /** Returns the right with this word, if any. Case matters. */
    static Optional<Right> find(String word) {
        return Arrays.stream(values()).filter(right -> right.word.equals(word)).findFirst();
    }

    /** Returns the right as callers write it, for one scope or, for null, without a scope. */
    String in(@Nullable String scope) {
        return scope == null ? word : word + ":" + scope;
    }
}
