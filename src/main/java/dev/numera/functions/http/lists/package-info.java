/**
 * Answers the HTTP calls on lists: uploading keys, or numbers of another system, as JSON, text or CSV, and reading the
 * results.
 *
 * <pre>{@code
 * // Given: App app, HttpRequestMessage<Optional<String>> request
 * ListFunctions functions = new ListFunctions(app);
 * HttpResponseMessage answer = functions.listBatches(request, "shop", "invoice");
 * }</pre>
 *
 * <p>Start with {@link dev.numera.functions.http.lists.ListFunctions} for a list and
 * {@link dev.numera.functions.http.lists.PoisonFunctions} for the messages that failed.
 */
@NullMarked
package dev.numera.functions.http.lists;

import org.jspecify.annotations.NullMarked;
