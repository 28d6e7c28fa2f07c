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
 * <p>{@link dev.numera.functions.http.sequence.SequenceFunctions} has most of the calls, and {@code ClosingFunctions}
 * has the closings. {@code SequenceJson} reads definitions and writes the answers.
 */
@NullMarked
package dev.numera.functions.http.sequence;

import org.jspecify.annotations.NullMarked;
