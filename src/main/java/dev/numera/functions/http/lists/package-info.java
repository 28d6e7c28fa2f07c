/**
 * Answers the HTTP calls that send lists of keys, or of numbers of another system, as JSON, text or CSV, and those that
 * read the results.
 *
 * <pre>{@code
 * // Given: App app, HttpRequestMessage<Optional<String>> request
 * ListFunctions functions = new ListFunctions(app);
 * HttpResponseMessage answer = functions.listBatches(request, "shop", "invoice");
 * }</pre>
 *
 * <p>Start at {@link dev.numera.functions.http.lists.ListFunctions} for a list and
 * {@link dev.numera.functions.http.lists.PoisonFunctions} for the messages that failed.
 */
@NullMarked
package dev.numera.functions.http.lists;

import org.jspecify.annotations.NullMarked;
