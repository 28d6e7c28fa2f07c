package dev.numera.bench.harness;

import dev.numera.bench.strategy.Connections;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The worker processes of a run. Starts each worker when it is first needed and keeps it for later measurements, so
 * that it stays warm.
 */
public final class Crew implements AutoCloseable {
    private final Connections.Addresses addresses;
    private final Path folder;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private int cells;

    /** @param folder an existing folder for files that the processes exchange */
    public Crew(Connections.Addresses addresses, Path folder) {
        this.addresses = addresses;
        this.folder = folder;
    }

    /** Measures a strategy under a load. Blocks for the preparation, the warm-up and the windows. */
    public Measured measure(Cell cell) {
        String sequence = "bench" + ++cells;
        List<WorkerProcess> working = IntStream.range(0, cell.load().processes())
                .mapToObj(this::worker)
                .toList();
        int numbersWanted = cell.load().callers()
                + (int) ((cell.warmUpMillis() + cell.windows() * cell.windowMillis())
                        * cell.strategy().numbersPerMilliAtMost());
        for (int i = 0; i < working.size(); i++) {
            working.get(i)
                    .send(new Order.Open(
                            cell.strategy(),
                            cell.backoff(),
                            sequence,
                            i,
                            cell.load().graphsEach(),
                            numbersWanted));
            working.get(i).answer();
        }
        if (cell.warmUpMillis() > 0) {
            run(cell, working, cell.warmUpMillis(), Integer.MAX_VALUE);
        }
        Measured best = IntStream.range(0, cell.windows())
                .mapToObj(window -> run(cell, working, cell.windowMillis(), cell.maxCalls()))
                .max(Comparator.comparingDouble(Measured::numbersPerSecond))
                .orElseThrow();
        for (WorkerProcess worker : working) {
            worker.send(new Order.Close());
            worker.answer();
        }
        return best;
    }

    private Measured run(Cell cell, List<WorkerProcess> working, long millis, int maxCalls) {
        List<Path> histories = new ArrayList<>();
        for (int i = 0; i < working.size(); i++) {
            Path history = folder.resolve("calls-" + i);
            histories.add(history);
            int calls = Math.min(maxCalls, Cell.MANY_CALLS);
            working.get(i)
                    .send(new Order.Run(
                            cell.load().callersEach(), cell.load().pauseMillis(), millis, calls, history.toString()));
        }
        List<Report> reports = working.stream().map(WorkerProcess::report).toList();
        return Measured.of(cell, reports, History.read(histories));
    }

    private WorkerProcess worker(int index) {
        while (workers.size() <= index) {
            workers.add(new WorkerProcess(addresses));
        }
        return workers.get(index);
    }

    @Override
    public void close() {
        workers.forEach(WorkerProcess::close);
    }
}
