/**
 * Checks from the calls of its callers whether a sequence kept its promises:
 * {@link dev.numera.maintain.history.HistoryChecker} checks the numbers,
 * {@link dev.numera.maintain.history.StatusChecker} the statuses. {@code numera-maintain.jar prove} and the tests use
 * the same.
 *
 * <pre>{@code
 * ObservedOutcome one = new ObservedOutcome.Allocated(1, 1, 1, 1, false);
 * ObservedCall first = new ObservedCall("a", "1", 0, 10, "order-1", 1, one);
 * ObservedCall second = new ObservedCall("b", "2", 20, 30, "order-2", 1, one);
 * HistoryChecker checker = new HistoryChecker(Progression.DEFAULT, List.of(first, second));
 * int duplicates = checker.distinct().size(); // 1
 * }</pre>
 *
 * <p>It uses no code and no data of the app, only the answers that a caller receives.
 */
@NullMarked
package dev.numera.maintain.history;

import org.jspecify.annotations.NullMarked;
