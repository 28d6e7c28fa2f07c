/**
 * What an operator does from a shell: {@link dev.numera.maintain.Maintain} is the main class of
 * {@code numera-maintain.jar}. Backups are read from the tables by {@code azure}, for the app's timer does the same.
 *
 * <pre>{@code
 * List<String> lines = Maintain.run(System.getenv(), "export", "numera-backup.gz");
 * lines.forEach(System.out::println);
 * }</pre>
 *
 * <p>Depends on {@code maintain.prove}, {@code maintain.restore}, {@code azure}, {@code sequences}, {@code core.model}
 * and {@code core.retry}; no room depends on it.
 */
@NullMarked
package dev.numera.maintain;

import org.jspecify.annotations.NullMarked;
