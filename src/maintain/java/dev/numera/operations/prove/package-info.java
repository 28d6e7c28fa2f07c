/**
 * {@code numera-maintain.jar prove}: clients on scratch sequences of a deployment, whose answers
 * {@code dev.numera.history} judges. {@link dev.numera.operations.prove.Prove} is its entry.
 *
 * <p>It calls a deployment over HTTP only, as any client does. Depends on {@code history} and {@code json};
 * {@code operations} uses it.
 */
@NullMarked
package dev.numera.operations.prove;

import org.jspecify.annotations.NullMarked;
