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
 * Logs the problems that only an operator can end, because the status of an answer does not distinguish them from other
 * problems. Writes at most one line a minute for each sequence and problem, as long as callers meet it. Thread-safe.
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

    /** Makes the call and logs each such problem that it returns or throws. */
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

    /**
     * Logs the problem if it needs an operator. An exhausted range with numbers left does not: one request was too
     * large.
     */
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
        // One of the callers that meet the problem at once writes the line.
        if (written.asMap().putIfAbsent(line, true) == null) {
            LOG.log(level, line);
        }
    }
}
