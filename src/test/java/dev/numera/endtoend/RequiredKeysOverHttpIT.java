package dev.numera.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.SharedHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A strict sequence whose owner requires keys: a caller that loses its key gets an error instead of other numbers. */
class RequiredKeysOverHttpIT {
    private static final String[] CREATE = {"If-None-Match", "*"};
    private static final String[] ANY = {"If-Match", "*"};

    private final NumeraClient client = SharedHost.client();

    private static String path(String name) {
        return "/api/sequences/" + name;
    }

    @Test
    void aCallWithoutAKeyIsRefusedAndTakesNothing() {
        client.send("PUT", path("keyed/order"), "{\"keys\": \"required\"}", CREATE)
                .expect(201);

        client.next("keyed/order").expectProblem(400, "key-required");
        assertEquals(
                1,
                client.next("keyed/order", "", "order-1")
                        .expect(200)
                        .body()
                        .get("first")
                        .intValue());
        assertEquals(
                2,
                client.get(path("keyed/order") + "/state")
                        .expect(200)
                        .body()
                        .get("next")
                        .intValue());
    }

    @Test
    void theRuleMayChangeAtAnyTime() {
        JsonNode defined = client.send("PUT", path("keyed/changed"), "{}", CREATE)
                .expect(201)
                .body();
        assertEquals("optional", defined.get("keys").textValue());
        client.next("keyed/changed").expect(200);

        client.send("PATCH", path("keyed/changed"), "{\"keys\": \"required\"}", ANY)
                .expect(200);
        client.next("keyed/changed").expectProblem(400, "key-required");
        client.send("PATCH", path("keyed/changed"), "{\"keys\": null}", ANY).expect(200);
        client.next("keyed/changed").expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"keys\": \"required\", \"guarantee\": \"gapless\"}",
                "{\"keys\": \"required\", \"guarantee\": \"cached\"}",
                "{\"keys\": \"required\", \"guarantee\": \"snowflake\"}",
                "{\"keys\": \"required\", \"cycle\": true, \"maxValue\": 9}",
                "{\"keys\": \"forbidden\"}"
            })
    void onlyAStrictSequenceWithoutCycleMayRequireKeys(String definition) {
        JsonNode problem = client.send("PUT", path("keyed/wrong"), definition, CREATE)
                .expectProblem(400, "invalid-request")
                .body();

        assertEquals(1, problem.get("errors").size(), problem::toString);
        assertEquals("keys", problem.get("errors").get(0).get("field").textValue());
    }

    @Test
    void aTemplateThatRequiresKeysCreatesNothingForACallWithoutOne() {
        client.send("PUT", path("~/keyed-template"), "{\"keys\": \"required\"}", CREATE)
                .expect(201);

        client.next("keyed/keyed-template").expectProblem(400, "key-required");
        client.get(path("keyed/keyed-template")).expectProblem(404, "unknown-sequence");
        JsonNode created =
                client.next("keyed/keyed-template", "", "order-1").expect(200).body();
        assertEquals(true, created.get("created").booleanValue());
    }
}
