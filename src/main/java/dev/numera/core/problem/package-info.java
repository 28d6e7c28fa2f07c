/**
 * Says why a request is refused, in the same words over HTTP, from the queue and in batches. A new problem type goes
 * into {@link dev.numera.core.problem.ProblemType} and into {@code openapi.json}, which a test compares; the page of
 * all calls and the definition for connectors are made from that by {@code tools/api-page.mjs} and
 * {@code tools/connector.mjs}. A status of 503 means that the service failed, not the request. Who refuses throws a
 * {@link dev.numera.core.problem.ProblemException}, and for bad input makes it with
 * {@link dev.numera.core.problem.InvalidRequest}; an {@link dev.numera.core.problem.Result} is a value or the refusal
 * in its place. {@link dev.numera.core.problem.PrintableText} is what callers may choose as a key, a reason and the
 * like. {@link dev.numera.core.problem.EnumWord} is how enum constants are called outside.
 *
 * <pre>{@code
 * InvalidRequest invalid = new InvalidRequest().add("count", "must be from 1 to 10,000").add("date", "must be a date");
 * try {
 *     invalid.throwIfAny();
 * } catch (ProblemException refusal) {
 *     String detail = refusal.getMessage(); // count must be from 1 to 10,000 (and 1 more).
 *     int status = refusal.type().status(); // 400
 * }
 * }</pre>
 */
@NullMarked
package dev.numera.core.problem;

import org.jspecify.annotations.NullMarked;
