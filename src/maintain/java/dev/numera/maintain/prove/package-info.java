/**
 * The command {@code numera-maintain.jar prove}: runs clients on scratch sequences of a deployment and checks their
 * answers with {@code dev.numera.maintain.history}. Start with {@link dev.numera.maintain.prove.Prove}.
 *
 * <pre>{@code
 * List<String> arguments = List.of("https://numera.example.com/api", "--seconds", "30");
 * boolean isKept = Prove.run(System.getenv(), arguments, System.out::println);
 * }</pre>
 *
 * <p>It calls the deployment only over HTTP, like any client.
 */
@NullMarked
package dev.numera.maintain.prove;

import org.jspecify.annotations.NullMarked;
