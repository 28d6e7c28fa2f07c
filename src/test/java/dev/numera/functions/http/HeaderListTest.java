package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.numera.core.problem.ProblemException;
import dev.numera.sequences.definition.Precondition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderListTest {
    @Test
    void emptyElementsAreLeftOut() {
        assertEquals(List.of("a", "b"), HeaderList.of(" , a ,, ,b,"));
        assertEquals(List.of(), HeaderList.of(" ,\t,"));
    }

    @Test
    void separatorsInQuotesSeparateNothing() {
        assertEquals(List.of("a=\"x,\\\",y\"", "b"), HeaderList.of("a=\"x,\\\",y\", b"));
        assertEquals(List.of("a", "b=\"x;y\""), HeaderList.parameters("a; b=\"x;y\" ;"));
        assertEquals(List.of("\"a\\\"", "\"b\""), HeaderList.ofTags("\"a\\\",\"b\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"zz\",,\"tag\"",
                ",\"zz\",\"tag\",",
                " , \"zz\"\t,\"tag\" ,, ",
                "\"tag\" , \"zz\"",
            })
    void entityTags(String ifMatch) {
        assertEquals(
                Precondition.tagged(Set.of("\"zz\"", "\"tag\"")),
                new RequestHeaders(Map.of("if-match", ifMatch), false).precondition());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "tag", "\"tag", "\"a\" \"b\"", "\"a\"\"b\"", "* , \"a\"", "\"a\", w/\"b\""})
    void noEntityTags(String ifMatch) {
        assertThrows(
                ProblemException.class, () -> new RequestHeaders(Map.of("if-match", ifMatch), false).precondition());
    }
}
