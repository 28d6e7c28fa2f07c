package dev.numera.sequences.numbering;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.numera.core.model.CallResult;
import dev.numera.core.model.SequenceName;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import dev.numera.core.problem.Result;
import dev.numera.core.retry.Clock;
import dev.numera.sequences.access.PrintedAllocation;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Problems that only an operator can end, in the log: the status of an answer does not distinguish them from others. A
 * line a minute for each sequence and problem, as long as callers meet it. Thread-safe.
 */
public final class Alarms {
    /** The alert rule looks for this text. */
    public static final String EXHAUSTED = "All numbers are used up";

    /** The alert rule looks for this text. */
    public static final String ROLLED_BACK = "The counter was rolled back";

    private static final Logger LOG = Logger.getLogger(Alarms.class.getName());
    private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);
    private static final int MAX_REMEMBERED = 10_000;

    private final Cache<String, Boolean> written;

    Alarms(Clock time) {
        this.written = Caffeine.newBuilder()
                .expireAfterWrite(BETWEEN_LINES)
                .maximumSize(MAX_REMEMBERED)
                .ticker(time::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    /** What the call answers or throws; a problem of that kind is written down first. */
    CallResult<PrintedAllocation> watch(SequenceName name, Supplier<CallResult<PrintedAllocation>> call) {
        try {
            CallResult<PrintedAllocation> numbered = call.get();
            for (Result<PrintedAllocation> result : numbered.results()) {
                if (result.isRefused()) {
                    write(name, result.refusal());
                }
            }
            return numbered;
        } catch (ProblemException e) {
            write(name, e);
            throw e;
        }
    }

    /** Where numbers are left, one request was too large. */
    private void write(SequenceName name, ProblemException problem) {
        if (problem.type() == ProblemType.EXHAUSTED) {
            if (problem.members().get("left") instanceof Number left && left.longValue() == 0) {
                write(Level.WARNING, EXHAUSTED, name);
            }
        } else if (problem.type() == ProblemType.ROLLED_BACK) {
            write(Level.SEVERE, ROLLED_BACK, name);
        }
    }

    private void write(Level level, String text, SequenceName name) {
        String line = text + ": scope " + name.scope() + ", name " + name.name();
        // Of callers that meet it together one writes.
        if (written.asMap().putIfAbsent(line, true) == null) {
            LOG.log(level, line);
        }
    }
}
