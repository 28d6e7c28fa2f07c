package dev.numera.maintain.prove;

import dev.numera.maintain.prove.Address.AccessKey;
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
     * Calls a deployment for some seconds, checks its answers, prints a summary and writes the two history files.
     * Blocks until all of this is done.
     *
     * @param environment the environment variables with the function keys
     * @param arguments the arguments after the command's name
     * @param out receives the summary line by line
     * @return whether the deployment kept every promise; false even if the files cannot be written
     * @throws CannotProve an argument, a key or an address is wrong, the deployment stops answering, or it kept every
     *     promise but the files cannot be written
     */
    public static boolean run(Map<String, String> environment, List<String> arguments, Consumer<String> out) {
        ProofOptions options = ProofOptions.parse(arguments);
        Map<AccessKey, String> keys = new EnumMap<>(AccessKey.class);
        for (AccessKey key : AccessKey.values()) {
            keys.put(key, functionKey(environment, key.variable));
        }
        Proof proof = proof(options, keys);
        proof.summary().forEach(out);
        boolean isKept = proof.violations().isEmpty();
        try {
            new HistoryFiles(proof).write(options.folder());
        } catch (IOException e) {
            String failure = "The files cannot be written to '" + options.folder() + "': " + e.getMessage()
                    + ". Name another folder with --out.";
            if (isKept) {
                throw new CannotProve(failure);
            }
            out.accept(failure);
        }
        return isKept;
    }

    /**
     * Returns a function key from the environment, or an empty text.
     *
     * @throws CannotProve the key is not usable in a header; the message does not contain it
     */
    public static String functionKey(Map<String, String> environment, String variable) {
        String value = environment.getOrDefault(variable, "");
        if (value.chars().allMatch(unit -> unit > ' ' && unit <= '~')) {
            return value;
        }
        throw new CannotProve(variable + " must have visible ASCII characters only: copy the key again, without"
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
}
