/**
 * Answers the calls over HTTP: a class for each resource parses a request, calls {@code sequences}, and answers.
 *
 * <pre>{@code
 * // Given: App app, HttpRequestMessage<Optional<String>> request
 * HttpResponseMessage answer = HttpCall.answer(request, call -> {
 *     SequenceName name = new SequenceName("shop", "invoice");
 *     Sequence known = app.sequences().editor().get(name);
 *     return call.ok(new Fields().put("name", known.name().name()));
 * });
 * }</pre>
 *
 * <p>{@link dev.numera.functions.http.HttpCall} is the one place where errors become HTTP answers. Here are the call
 * that allocates numbers, the console, and what all calls share; definitions, the ledger and lists have packages of
 * their own below.
 */
@NullMarked
package dev.numera.functions.http;

import org.jspecify.annotations.NullMarked;
