package dev.numera.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * All schedules of a {@link SmallScenario} up to a number of faults, depth first. Each run replays the choices of the
 * run before it up to the last choice that had an alternative, and then takes the next alternative.
 *
 * <p>A run ends when it meets a state again that was met with at least as many faults left. A state is the contents of
 * the table, the observations of every process, the writes in flight, and the part of the calls' history that a verdict
 * depends on. A process has no other source of events (see {@link ChosenProcess}), so equal states have equal futures,
 * except for the names of random ids, which {@link PlainIds} replaces. States are compared by their
 * {@link Fingerprint}.
 */
final class Exploration {
    /**
     * The schedules that were enumerated.
     *
     * @param schedules runs that reached their end
     * @param cut runs that ended in a state that was met before
     * @param states different states with more than one possible next step
     * @param failure the trace of the first schedule that broke a promise; null if none did
     */
    record Enumerated(long schedules, long cut, int states, List<String> failure) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "%,d schedules, and %,d cut at one of %,d states", schedules, cut, states);
        }
    }

    private final SmallScenario scenario;
    private final WrongStore.Wrong wrong;
    private final int faults;
    private final Executor threads;
    /** The states that were met, with the number of faults that were left. */
    private final Map<Fingerprint.Bits, Integer> met = new HashMap<>();

    Exploration(SmallScenario scenario, WrongStore.Wrong wrong, int faults, Executor threads) {
        this.scenario = scenario;
        this.wrong = wrong;
        this.faults = faults;
        this.threads = threads;
    }

    /**
     * Explores all schedules of the app without planted bugs.
     *
     * @throws AssertionError with the trace of the first schedule that breaks a promise
     */
    static Enumerated requireSound(SmallScenario scenario, int faults) {
        Enumerated result = new Exploration(scenario, WrongStore.Wrong.NOTHING, faults, Seeds.THREADS).run();
        if (result.failure() != null) {
            throw new AssertionError(String.join("\n", result.failure()));
        }
        return result;
    }

    /** Explores the schedules and stops at the first one that breaks a promise. */
    Enumerated run() {
        long schedules = 0;
        long cut = 0;
        List<Integer> path = new ArrayList<>();
        while (path != null) {
            Path chooser = new Path(path);
            SmallRun run = new SmallRun(scenario, wrong, faults, chooser, threads, null);
            chooser.run = run;
            try {
                run.run();
            } catch (AssertionError e) {
                return new Enumerated(schedules, cut, met.size(), traced(chooser.chosen, e));
            }
            if (chooser.isCut) {
                cut++;
            } else {
                schedules++;
            }
            path = chooser.next();
        }
        return new Enumerated(schedules, cut, met.size(), null);
    }

    private List<String> traced(List<Integer> choices, AssertionError failure) {
        List<String> trace = new ArrayList<>();
        Path again = new Path(choices);
        again.run = new SmallRun(scenario, wrong, faults, again, threads, trace);
        try {
            again.run.run();
            trace.add("The replay did not fail: the run depends on more than the choices.");
        } catch (AssertionError e) {
            trace.add("It fails: " + e.getMessage());
        }
        trace.add("The first time: " + failure.getMessage());
        return trace;
    }

    /** The choices of one run: a prefix of earlier choices, then always the first alternative. */
    private final class Path implements Turns.Chooser {
        private final List<Integer> prefix;
        private final List<Integer> chosen = new ArrayList<>();
        private final List<Integer> alternatives = new ArrayList<>();
        private SmallRun run;
        private boolean isCut;

        Path(List<Integer> prefix) {
            this.prefix = prefix;
        }

        @Override
        public int choose(List<Turns.PossibleMove> moves, int faultsLeft) {
            if (moves.size() == 1) {
                return 0;
            }
            int choice = 0;
            if (chosen.size() < prefix.size()) {
                choice = prefix.get(chosen.size());
            } else if (!isNew(faultsLeft)) {
                isCut = true;
                return NONE;
            }
            chosen.add(choice);
            alternatives.add(moves.size());
            return choice;
        }

        private boolean isNew(int faultsLeft) {
            Fingerprint.Bits state = run.state();
            if (met.getOrDefault(state, -1) >= faultsLeft) {
                return false;
            }
            met.put(state, faultsLeft);
            return true;
        }

        /** Returns the next prefix, or null after the last one. */
        List<Integer> next() {
            int last = chosen.size() - 1;
            while (last >= 0 && chosen.get(last) == alternatives.get(last) - 1) {
                last--;
            }
            if (last < 0) {
                return null;
            }
            List<Integer> next = new ArrayList<>(chosen.subList(0, last + 1));
            next.set(last, chosen.get(last) + 1);
            return next;
        }
    }
}
