package dev.numera.processes;

import dev.numera.fixtures.HostProcess;
import dev.numera.fixtures.NumeraClient;
import dev.numera.fixtures.proxy.Fault;
import dev.numera.fixtures.proxy.FaultProxy;
import dev.numera.localhost.Azurite;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Processes of the packaged app on one account, each behind its own fault proxy for the tables. Thread-safe. */
final class SoakHosts implements AutoCloseable {
    private static final double SHARE_OF_FAULTS = 0.02;
    /** The app's timeout for a storage request. Some faults last longer. */
    private static final Duration STORAGE_TIMEOUT = Duration.ofSeconds(2);

    private final List<FaultProxy> proxies = new ArrayList<>();
    private final AtomicReferenceArray<HostProcess> hosts;

    SoakHosts(int count, Azurite azurite) {
        hosts = new AtomicReferenceArray<>(count);
        for (int number = 0; number < count; number++) {
            proxies.add(FaultProxy.before(azurite.ports()));
            hosts.set(number, start(number));
        }
    }

    private HostProcess start(int number) {
        return HostProcess.start(proxies.get(number).connectionString(), Map.of());
    }

    int count() {
        return hosts.length();
    }

    URI base(int number) {
        return hosts.get(number).baseUri();
    }

    NumeraClient client(int number) {
        return new NumeraClient(base(number));
    }

    void killAndRestart(int number) {
        HostProcess killed = hosts.get(number);
        killed.kill();
        hosts.set(number, start(number));
        killed.close();
    }

    void injectFaults(long seed) {
        for (FaultProxy proxy : proxies) {
            proxy.injectRandomly(seed + proxy.port(), SHARE_OF_FAULTS, Fault.all(STORAGE_TIMEOUT));
        }
    }

    /** Waits until no fault is in progress, and returns the number of faults since the last call. */
    long heal() throws InterruptedException, TimeoutException {
        long faults = 0;
        for (FaultProxy proxy : proxies) {
            proxy.heal();
            proxy.awaitLateWrites();
            faults += proxy.traffic().faults().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            proxy.traffic().forget();
        }
        return faults;
    }

    ProcessSize size(int number) throws Exception {
        return ProcessSize.of(hosts.get(number).process());
    }

    @Override
    public void close() {
        for (int number = 0; number < hosts.length(); number++) {
            Optional.ofNullable(hosts.get(number)).ifPresent(HostProcess::close);
        }
        proxies.forEach(FaultProxy::close);
    }
}
