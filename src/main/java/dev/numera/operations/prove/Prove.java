package dev.numera.operations.prove;

import dev.numera.operations.prove.Address.AccessKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The command {@code prove}. */
public final class Prove {
    private Prove() {}

    /**
     * Calls a deployment for some seconds, judges what it answered, writes the two files, and prints a summary. Blocks
     * until then.
     *
     * @param environment has the function keys
     * @param arguments those after the command's name
     * @param out for the summary, line by line
     * @return whether no promise was broken
     * @throws CannotProve an argument, a key or an address is wrong, or the deployment answers no more
     */
    public static boolean run(Map<String, String> environment, List<String> arguments, Consumer<String> out) {
        ProofOptions options = ProofOptions.parse(arguments);
        Map<AccessKey, String> keys = new EnumMap<>(AccessKey.class);
        for (AccessKey key : AccessKey.values()) {
            keys.put(key, usable(key, environment.getOrDefault(key.variable, "")));
        }
        Proof proof = proof(options, keys);
        write(proof, options);
        proof.summary().forEach(out);
        return proof.violations().isEmpty();
    }

    /** No message contains the key. */
    private static String usable(AccessKey key, String value) {
        if (value.chars().allMatch(unit -> unit > ' ' && unit <= '~')) {
            return value;
        }
        throw new CannotProve(key.variable + " must have visible ASCII characters only: copy the key again, without"
                + " spaces and line ends.");
    }

    private static Proof proof(ProofOptions options, Map<AccessKey, String> keys) {
        HttpClient http = Address.client();
        List<FaultyProxy> proxies = new ArrayList<>();
        try {
            List<Address> addresses = new ArrayList<>();
            for (URI uri : options.addresses()) {
                URI base = uri;
                if (options.faultsPort().isPresent()) {
                    int port = options.faultsPort().getAsInt();
                    proxies.add(FaultyProxy.before(uri, http, port == 0 ? 0 : port + proxies.size()));
                    base = proxies.get(proxies.size() - 1).uri();
                }
                addresses.add(new Address(uri.toString(), base, http, keys));
            }
            return new ProofRun(options, addresses, () -> proxies.forEach(FaultyProxy::awaitLateCalls)).run();
        } finally {
            proxies.forEach(FaultyProxy::close);
        }
    }

    private static void write(Proof proof, ProofOptions options) {
        try {
            new HistoryFiles(proof).write(options.folder());
        } catch (IOException e) {
            throw new CannotProve("The files cannot be written to '" + options.folder() + "': " + e.getMessage()
                    + ". Name another folder with --out.");
        }
    }
}
