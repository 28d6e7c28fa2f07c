/**
 * Answers the HTTP calls. A class for each resource parses the request, calls {@code sequences} and writes the answer.
 *
 * <pre>{@code
 * // Given: App app, HttpRequestMessage<Optional<String>> request
 * HttpResponseMessage answer = HttpCall.answer(app, request, Need.in("shop", Right.READ), call -> {
 *     SequenceName name = new SequenceName("shop", "invoice");
 *     Sequence known = app.sequences().editor().get(name);
 *     return call.ok(new Fields().put("name", known.name().name()));
 * });
 * }</pre>
 *
 * <p>{@link dev.numera.functions.http.HttpCall} is the only class that turns errors into HTTP answers. This package
 * contains the call that allocates numbers, the console, and the code that all calls share. The calls on definitions,
 * the ledger and lists are in the packages below.
 */
@NullMarked
package dev.numera.functions.http;

import org.jspecify.annotations.NullMarked;
