/**
 * {@code numera-maintain.jar prove}: clients on scratch sequences of a deployment, whose answers
 * {@code dev.numera.maintain.history} judges. {@link dev.numera.maintain.prove.Prove} is its entry.
 *
 * <pre>{@code
 * List<String> arguments = List.of("--url", "https://numera.example.com", "--scope", "proof", "--name", "orders");
 * boolean isKept = Prove.run(System.getenv(), arguments, System.out::println);
 * }</pre>
 *
 * <p>It calls a deployment over HTTP only, as any client does. Depends on {@code maintain.history} and {@code json};
 * {@code maintain} uses it.
 */
@NullMarked
package dev.numera.maintain.prove;

import org.jspecify.annotations.NullMarked;
