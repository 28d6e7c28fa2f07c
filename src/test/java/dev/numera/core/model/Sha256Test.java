package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Sha256Test {
    @Test
    void readingTheHashChangesNothing() {
        Sha256 hash = new Sha256();
        hash.add("a");

        assertEquals(Sha256.hex("a"), hash.hex());
        assertEquals(Sha256.hex("a"), hash.hex());
        hash.add("b");
        assertEquals(Sha256.hex("ab"), hash.hex());
    }
}
