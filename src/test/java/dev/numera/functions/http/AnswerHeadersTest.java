package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.core.problem.InvalidRequest;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.retry.StoreFailure;
import dev.numera.functions.App;
import dev.numera.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The headers that tell a browser or a cache how it may use an answer. */
class AnswerHeadersTest {
    private final HttpRequestMessage<Optional<String>> request = Requests.of("/api/x", null, Map.of());
    private final App app = new App(Map.of("NumeraStorage", "UseDevelopmentStorage=true"));
    private final PlatformFunctions openApi = new PlatformFunctions(app);

    @Test
    void noBrowserTakesAnAnswerForAnotherType() {
        List<HttpResponseMessage> answers = List.of(
                HttpCall.answer(app, request, Need.NOTHING, call -> call.json(200, Json.object())),
                HttpCall.answer(app, request, Need.NOTHING, call -> call.csv("a,b", CsvForm.PLAIN, CsvName.of("a"))),
                HttpCall.answer(app, request, Need.NOTHING, call -> {
                    throw InvalidRequest.because("a", "is wrong");
                }),
                openApi.openApi(request));

        for (HttpResponseMessage answer : answers) {
            assertEquals("nosniff", answer.getHeader("X-Content-Type-Options"), answer.getBody()::toString);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/csv | true",
                "Text/CSV; charset=utf-8 | true",
                "application/json;q=0, text/csv | true",
                "text/csv, application/json | false",
                "text/csv;q=0 | false",
                "*/* | false"
            })
    void csvIsForThoseWhoAcceptItAndNotJson(String accept, boolean wantsCsv) {
        HttpResponseMessage answer = HttpCall.answer(
                app,
                Requests.of("/api/x", null, Map.of("accept", accept)),
                Need.NOTHING,
                call -> call.json(200, Json.object().put("csv", call.wantsCsv())));

        assertEquals("{\"csv\":" + wantsCsv + "}", answer.getBody().toString());
    }

    /**
     * During a deployment a newer instance may answer the next attempt, so the answer suggests one. Waiting does not
     * end a suspension.
     */
    @ParameterizedTest
    @CsvSource({"STORAGE_UNAVAILABLE, 1", "NEEDS_NEWER_VERSION, 1", "SUSPENDED,", "ROLLED_BACK,"})
    void whereAnotherTryCanHelpTheAnswerStatesWhen(ProblemType type, String seconds) {
        HttpResponseMessage answer = HttpCall.answer(app, request, Need.NOTHING, call -> {
            throw new ProblemException(type, "detail");
        });

        assertEquals(seconds, answer.getHeader("Retry-After"));
    }

    @Test
    void aRowThatCannotBeReadStaysSoHoweverLongOneWaits() {
        HttpResponseMessage answer = HttpCall.answer(app, request, Need.NOTHING, call -> {
            throw new StoreFailure("The row cannot be read", false, null);
        });

        assertEquals(503, answer.getStatusCode());
        assertNull(answer.getHeader("Retry-After"));
    }

    @Test
    void theDocumentIsSentAgainOnlyWhereItHasChanged() {
        HttpResponseMessage first = openApi.openApi(request);
        String tag = first.getHeader("ETag");
        assertEquals(200, first.getStatusCode());
        assertEquals("no-cache", first.getHeader("Cache-Control"));
        assertEquals("application/json", first.getHeader("Content-Type"));

        for (String tags : List.of(tag, "W/" + tag, "\"other\", " + tag, "*")) {
            HttpResponseMessage again =
                    openApi.openApi(Requests.of("/api/openapi.json", null, Map.of("if-none-match", tags)));
            assertEquals(304, again.getStatusCode(), tags);
            assertEquals(tag, again.getHeader("ETag"));
            assertEquals("no-cache", again.getHeader("Cache-Control"));
            assertNull(again.getBody());
        }
        assertEquals(
                200,
                openApi.openApi(Requests.of("/api/openapi.json", null, Map.of("if-none-match", "\"other\"")))
                        .getStatusCode());
    }

    @Test
    void thePageOfTheInterfaceForbidsScriptsAndIsSentAgainOnlyWhereItHasChanged() {
        HttpResponseMessage first = openApi.docs(request);
        assertEquals(200, first.getStatusCode());
        assertEquals("no-cache", first.getHeader("Cache-Control"));
        assertEquals("text/html; charset=utf-8", first.getHeader("Content-Type"));
        assertEquals("nosniff", first.getHeader("X-Content-Type-Options"));
        assertEquals("no-referrer", first.getHeader("Referrer-Policy"));
        assertEquals(
                "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action"
                        + " 'none'",
                first.getHeader("Content-Security-Policy"));

        HttpResponseMessage again =
                openApi.docs(Requests.of("/api/docs", null, Map.of("if-none-match", first.getHeader("ETag"))));
        assertEquals(304, again.getStatusCode());
        assertEquals(first.getHeader("ETag"), again.getHeader("ETag"));
        assertNull(again.getBody());
    }
}
