/**
 * The refusals of requests, with the same texts over HTTP, from the queue and in batches. A status of 503 means that
 * the service failed, not the request.
 *
 * <p>Code that refuses a request throws a {@link dev.numera.core.problem.ProblemException}; for bad input,
 * {@link dev.numera.core.problem.InvalidRequest} builds it. A {@link dev.numera.core.problem.Result} is a value or the
 * refusal in its place. {@link dev.numera.core.problem.PrintableText} has the rules for texts that callers choose, such
 * as keys and reasons. {@link dev.numera.core.problem.EnumWord} spells enum constants for JSON, rows and settings.
 *
 * <p>To add a problem type, add it to {@link dev.numera.core.problem.ProblemType} and to {@code openapi.json}; a test
 * compares them. {@code tools/api-page.mjs} and {@code tools/connector.mjs} generate the page of all calls and the
 * definition for connectors from that file.
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
