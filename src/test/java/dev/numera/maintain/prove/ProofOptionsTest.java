package dev.numera.maintain.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProofOptionsTest {
    private static final String LOCAL = "http://127.0.0.1:7071/api";

    private static ProofOptions parse(String arguments) {
        return ProofOptions.parse(List.of(arguments.split(" ")));
    }

    @Test
    void optionsMayBeBeforeAndAfterAddresses() {
        assertEquals(
                new ProofOptions(
                        List.of(URI.create(LOCAL), URI.create("http://localhost:7072/api")),
                        60,
                        16,
                        100_000,
                        OptionalInt.of(0),
                        Path.of("target")),
                parse("--seconds 60 " + LOCAL + "/ --callers 16 --numbers 100000 http://localhost:7072/api --faults 0"
                        + " --out target"));
    }

    @Test
    void everyOptionHasADefault() {
        assertEquals(
                new ProofOptions(
                        List.of(URI.create("https://app.example/api")),
                        10,
                        8,
                        10_000,
                        OptionalInt.empty(),
                        Path.of("")),
                parse("https://app.example/api"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--seconds 5 | Name 1 to 8 addresses of the deployment, such as http://127.0.0.1:7071/api, not 0.",
                "ftp://a/api | An address must look like https://HOST/api, without a query, not ftp://a/api.",
                "http://a:99999/api | The port of http://a:99999/api is too large: at most 65535.",
                "a.example | An address must look like https://HOST/api, without a query, not a.example.",
                "http:///api | An address must look like https://HOST/api, without a query, not http:///api.",
                "http://a/api?code=1 | An address must look like https://HOST/api, without a query, not http://a/api?code=1.",
                "http://me@a/api | An address must look like https://HOST/api, without a query, not http://me@a/api.",
                "http://a/api http://a/api/ | An address appears twice: name each once.",
                "http://a/api --seconds 0 | --seconds must be a whole number from 1 to 3,600, not 0.",
                "http://a/api --seconds 3601 | --seconds must be a whole number from 1 to 3,600, not 3601.",
                "http://a/api --callers 65 | --callers must be a whole number from 1 to 64, not 65.",
                "http://a/api --callers | --callers must be a whole number from 1 to 64, not nothing.",
                "http://a/api --numbers 9 | --numbers must be a whole number from 10 to 100,000, not 9.",
                "http://a/api --numbers 1e3 | --numbers must be a whole number from 10 to 100,000, not 1e3.",
                "http://a/api --faults 65536 | --faults must be a whole number from 0 to 65,535, not 65536.",
                "http://a/api --faults 0 | --faults works only with a local app, such as http://127.0.0.1:7071/api, not with http://a/api.",
                "https://localhost/api --faults 0 | --faults works only with a local app, such as http://127.0.0.1:7071/api, not with https://localhost/api.",
                "http://localhost/api http://127.0.0.1/api --faults 65535 | --faults needs a port for each address, and the last one would be 65536: choose at most 65534.",
                "http://a/api --out nowhere/at/all | --out must be a folder that exists, not nowhere/at/all.",
                "http://a/api --seconds 5 --seconds 6 | The option --seconds appears twice: name it once.",
                "http://a/api --fast 1 | Unknown option --fast: prove takes --seconds, --callers, --numbers, --faults and --out."
            })
    void aWrongArgumentIsNamed(String arguments, String message) {
        assertEquals(
                message, assertThrows(CannotProve.class, () -> parse(arguments)).getMessage());
    }

    @Test
    void nineAddressesAreTooMany() {
        List<String> nine = new ArrayList<>(IntStream.range(0, 9)
                .mapToObj(port -> "http://a:" + port + "/api")
                .toList());

        assertTrue(assertThrows(CannotProve.class, () -> ProofOptions.parse(nine))
                .getMessage()
                .endsWith(", not 9."));
    }

    @Test
    void anAddressWhereNothingListensIsNamed() {
        String message = assertThrows(
                        CannotProve.class, () -> Prove.run(Map.of(), List.of("http://127.0.0.1:1/api"), line -> {}))
                .getMessage();

        assertTrue(message.startsWith("http://127.0.0.1:1/api does not answer GET /health: "), message);
        assertEquals(1, message.lines().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret\r", "sec ret", "s\u00e9cret", "secret\u007f"})
    void aKeyThatNoHeaderCanCarryIsRefusedAndNotPrinted(String key) {
        assertEquals(
                "NUMERA_KEY must have visible ASCII characters only: copy the key again, without spaces and line ends.",
                assertThrows(
                                CannotProve.class,
                                () -> Prove.run(
                                        Map.of("NUMERA_KEY", key), List.of("http://127.0.0.1:9/api"), line -> {}))
                        .getMessage());
    }
}
