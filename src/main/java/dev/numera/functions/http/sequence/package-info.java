/**
 * The bindings for the owner of a sequence: definitions, their changes and actors, the state of sequences and their
 * counters, and advancing one.
 *
 * <pre>{@code
 * // Given: App app, HttpRequestMessage<Optional<String>> request
 * SequenceFunctions functions = new SequenceFunctions(app);
 * HttpResponseMessage answer = functions.getDefinition(request, "shop", "invoice");
 * }</pre>
 *
 * <p>{@link dev.numera.functions.http.sequence.SequenceFunctions} has them; {@code SequenceJson} is how a definition is
 * read, and how all of these are written. Depends on {@code functions}, {@code sequences}, {@code sequences.lists},
 * {@code core.model}, {@code json} and {@code core.problem}; nothing depends on it.
 */
@NullMarked
package dev.numera.functions.http.sequence;

import org.jspecify.annotations.NullMarked;
