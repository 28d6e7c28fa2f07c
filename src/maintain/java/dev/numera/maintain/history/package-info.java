/**
 * What callers observed of one sequence, and whether its promises held:
 * {@link dev.numera.maintain.history.HistoryChecker} judges the numbers,
 * {@link dev.numera.maintain.history.StatusChecker} the statuses. {@code numera-maintain.jar prove} and the tests use
 * the same.
 *
 * <p>It reads no code and no data of the app: only what a caller sees. Depends on no other room.
 */
@NullMarked
package dev.numera.maintain.history;

import org.jspecify.annotations.NullMarked;
