/**
 * The calls over HTTP: a class for each resource parses a request, calls {@code sequences}, and answers.
 *
 * <p>{@link dev.numera.functions.http.HttpCall} is the one place where errors become HTTP answers. Here are the call
 * that allocates numbers, the console, and what all calls share; definitions, the ledger and lists have packages of
 * their own below.
 */
@NullMarked
package dev.numera.functions.http;

import org.jspecify.annotations.NullMarked;
