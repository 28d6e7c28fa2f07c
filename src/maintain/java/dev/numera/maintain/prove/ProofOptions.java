package dev.numera.maintain.prove;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The options of {@code prove}.
 *
 * @param addresses addresses of one deployment, each with its route prefix and without a trailing slash
 * @param numbers the most new numbers that callers request
 * @param faultsPort the port of the first proxy, 0 for any free port; empty for no faults
 * @param folder the folder for the two history files
 */
record ProofOptions(List<URI> addresses, int seconds, int callers, int numbers, OptionalInt faultsPort, Path folder) {
    static final int SECONDS_MAX = 3_600;
    static final int CALLERS_MAX = 64;
    static final int NUMBERS_MIN = 10;
    static final int NUMBERS_MAX = 100_000;
    static final int ADDRESSES_MAX = 8;

    private static final int PORT_MAX = 65_535;
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    /** @throws CannotProve an argument is wrong; the message names it */
    static ProofOptions parse(List<String> arguments) {
        List<URI> addresses = new ArrayList<>();
        ProofOptions options = new ProofOptions(List.of(), 10, 8, 10_000, OptionalInt.empty(), Path.of(""));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("--")) {
                addresses.add(address(argument));
                continue;
            }
            if (!seen.add(argument)) {
                throw new CannotProve("The option " + argument + " appears twice: name it once.");
            }
            options = options.with(argument, i + 1 < arguments.size() ? arguments.get(++i) : "");
        }
        return options.at(addresses);
    }

    private ProofOptions with(String option, String value) {
        return switch (option) {
            case "--seconds" ->
                new ProofOptions(
                        addresses, within(option, value, 1, SECONDS_MAX), callers, numbers, faultsPort, folder);
            case "--callers" ->
                new ProofOptions(
                        addresses, seconds, within(option, value, 1, CALLERS_MAX), numbers, faultsPort, folder);
            case "--numbers" ->
                new ProofOptions(
                        addresses,
                        seconds,
                        callers,
                        within(option, value, NUMBERS_MIN, NUMBERS_MAX),
                        faultsPort,
                        folder);
            case "--faults" ->
                new ProofOptions(
                        addresses,
                        seconds,
                        callers,
                        numbers,
                        OptionalInt.of(within(option, value, 0, PORT_MAX)),
                        folder);
            case "--out" -> new ProofOptions(addresses, seconds, callers, numbers, faultsPort, folder(value));
            default ->
                throw new CannotProve("Unknown option " + option
                        + ": prove takes --seconds, --callers, --numbers, --faults and --out.");
        };
    }

    private ProofOptions at(List<URI> all) {
        if (all.isEmpty() || all.size() > ADDRESSES_MAX) {
            throw new CannotProve("Name 1 to " + ADDRESSES_MAX
                    + " addresses of the deployment, such as http://127.0.0.1:7071/api, not " + all.size() + ".");
        }
        if (new HashSet<>(all).size() < all.size()) {
            throw new CannotProve("An address appears twice: name each once.");
        }
        if (faultsPort.isPresent()) {
            all.forEach(ProofOptions::requireLocal);
            int last = faultsPort.getAsInt() + all.size() - 1;
            if (faultsPort.getAsInt() > 0 && last > PORT_MAX) {
                throw new CannotProve("--faults needs a port for each address, and the last one would be " + last
                        + ": choose at most " + (PORT_MAX - all.size() + 1) + ".");
            }
        }
        return new ProofOptions(List.copyOf(all), seconds, callers, numbers, faultsPort, folder);
    }

    /** Refuses remote addresses, because faults may only hit an app without other callers. */
    private static void requireLocal(URI address) {
        if (!"http".equals(address.getScheme()) || !LOOPBACK.contains(address.getHost())) {
            throw new CannotProve("--faults works only with a local app, such as http://127.0.0.1:7071/api, not with "
                    + address + ".");
        }
    }

    private static int within(String option, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The value is not a number: refused below, like a number out of range.
        }
        throw new CannotProve(String.format(
                Locale.ROOT,
                "%s must be a whole number from %,d to %,d, not %s.",
                option,
                least,
                most,
                value.isEmpty() ? "nothing" : value));
    }

    private static Path folder(String value) {
        try {
            Path folder = Path.of(value);
            if (!value.isEmpty() && Files.isDirectory(folder)) {
                return folder;
            }
        } catch (InvalidPathException e) {
            // The value is not a path: refused below, like a folder that does not exist.
        }
        throw new CannotProve("--out must be a folder that exists, not " + (value.isEmpty() ? "nothing" : value) + ".");
    }

    private static URI address(String text) {
        String trimmed = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        try {
            URI address = new URI(trimmed);
            boolean isPlain = address.getRawQuery() == null
                    && address.getRawFragment() == null
                    && address.getRawUserInfo() == null;
            String scheme = address.getScheme();
            if (address.getPort() > PORT_MAX) {
                throw new CannotProve("The port of " + text + " is too large: at most " + PORT_MAX + ".");
            }
            if (address.getHost() != null && isPlain && ("http".equals(scheme) || "https".equals(scheme))) {
                return address;
            }
        } catch (URISyntaxException e) {
            // The text is not a URI: refused below, like an address of another form.
        }
        throw new CannotProve("An address must look like https://HOST/api, without a query, not " + text + ".");
    }
}
