/**
 * What callers observed of one sequence, and whether its promises held:
 * {@link dev.numera.maintain.history.HistoryChecker} judges the numbers,
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
 * <p>It reads no code and no data of the app: only what a caller sees. Depends on no other room.
 */
@NullMarked
package dev.numera.maintain.history;

import org.jspecify.annotations.NullMarked;
