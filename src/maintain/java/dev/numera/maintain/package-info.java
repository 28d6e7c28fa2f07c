/**
 * The command line program for operators: {@link dev.numera.maintain.Maintain} is the main class of
 * {@code numera-maintain.jar}. Package {@code azure} exports backups, because the app's timer does so too.
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
