/**
 * The command line program for operators: {@link dev.numera.maintain.Maintain} is the main class of
 * {@code numera-maintain.jar}. Package {@code azure} exports backups, because the app's timer does so too.
 *
 * <pre>{@code
 * List<String> lines = Maintain.run(System.getenv(), "export", "numera-backup.gz");
 * lines.forEach(System.out::println);
 * }</pre>
 */
@NullMarked
package dev.numera.maintain;

import org.jspecify.annotations.NullMarked;
