package dev.numera.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.azure.functions.HttpResponseMessage;
import dev.numera.functions.App;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An app with a wrong setting serves nothing. It names the setting, but not its value, to every caller and in its log.
 */
class MisconfiguredTest {
    private static final String VALUE = "s3cret-value";
    private static final String STORAGE = "UseDevelopmentStorage=true";
    private static final Logger FUNCTIONS = Logger.getLogger("dev.numera.functions");

    private final List<LogRecord> logged = new ArrayList<>();
    private final Handler log = new Handler() {
        @Override
        public void publish(LogRecord message) {
            logged.add(message);
        }

        @Override
        public void flush() {
            // This handler holds nothing back.
        }

        @Override
        public void close() {
            // This handler opens nothing.
        }
    };

    @BeforeEach
    void openLog() {
        FUNCTIONS.addHandler(log);
    }

    @AfterEach
    void closeLog() {
        FUNCTIONS.removeHandler(log);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Numera_Attempts", "Numera_MaxWaitingCalls", "Numera_AutoCreate", "Numera_Console"})
    void aSettingThatIsUnknownOrWrongIsNamed(String setting) throws IOException {
        assertNamed(setting, Map.of("NumeraStorage", STORAGE, setting, VALUE));
    }

    @Test
    void aLimitHasBounds() throws IOException {
        assertNamed("Numera_DeadlineMillis", Map.of("NumeraStorage", STORAGE, "Numera_DeadlineMillis", "99"));
    }

    @Test
    void aMissingConnectionIsNamed() throws IOException {
        assertNamed("NumeraStorage", Map.of());
    }

    @Test
    void aConnectionStringThatIsNoneIsNamed() throws IOException {
        assertNamed("NumeraStorage", Map.of("NumeraStorage", VALUE));
    }

    @Test
    void aKeyThatIsNoneIsNamed() throws IOException {
        assertNamed(
                "NumeraStorage",
                Map.of("NumeraStorage", "DefaultEndpointsProtocol=https;AccountName=numera;AccountKey=" + VALUE));
    }

    @Test
    void aMissingSecondUriIsNamed() throws IOException {
        assertNamed(
                "NumeraStorage__queueServiceUri",
                Map.of("NumeraStorage__tableServiceUri", "https://" + VALUE + ".invalid"));
    }

    private void assertNamed(String setting, Map<String, String> settings) throws IOException {
        App app = new App(settings);
        for (HttpResponseMessage answer : List.of(
                new PlatformFunctions(app).health(Requests.of("/api/health", null, Map.of())),
                new AllocateFunction(app)
                        .allocate(Requests.of("/api/sequences/App1/order/next", null, Map.of()), "App1", "order"),
                new PlatformFunctions(app).openApi(Requests.of("/api/openapi.json", null, Map.of())),
                new PlatformFunctions(app).docs(Requests.of("/api/docs", null, Map.of())))) {
            assertNamed(setting, answer);
        }
        List<LogRecord> errors = logged.stream()
                .filter(message -> message.getLevel() == Level.SEVERE)
                .toList();
        assertEquals(1, errors.size(), this::log);
        assertTrue(errors.get(0).getMessage().contains(setting), this::log);
        assertFalse(log().contains(VALUE), this::log);
    }

    private static void assertNamed(String setting, HttpResponseMessage answer) throws IOException {
        String text = String.valueOf(answer.getBody());
        JsonNode body = new ObjectMapper().readTree(text);
        assertEquals(503, answer.getStatusCode(), text);
        assertEquals("urn:problem-type:numera:misconfigured", body.get("type").textValue());
        assertTrue(answer.getHeader("Content-Type").startsWith("application/problem+json"), text);
        assertEquals(setting, body.path("setting").textValue());
        assertTrue(body.get("detail").textValue().contains(setting), text);
        assertFalse(text.contains(VALUE), text);
        assertNull(answer.getHeader("Retry-After"));
    }

    private String log() {
        SimpleFormatter format = new SimpleFormatter();
        return logged.stream().map(format::format).reduce("", String::concat);
    }
}
