/**
 * Answers the HTTP calls of the owner of a sequence: definitions and their changes, the state of its counters, advances
 * and closings.
 *
 * <pre>{@code
 * // Given: App app, HttpRequestMessage<Optional<String>> request
 * SequenceFunctions functions = new SequenceFunctions(app);
 * HttpResponseMessage answer = functions.getDefinition(request, "shop", "invoice");
 * }</pre>
 *
 * <p>{@link dev.numera.functions.http.sequence.SequenceFunctions} has them; {@code SequenceJson} is how a definition is
 * read, and how all of these are written.
 */
@NullMarked
package dev.numera.functions.http.sequence;

import org.jspecify.annotations.NullMarked;
