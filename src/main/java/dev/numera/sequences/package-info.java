/**
 * Everything that can be done with sequences, whichever interface the request comes by.
 * {@link dev.numera.sequences.Sequences} wires one process and is where each caller starts.
 *
 * <p>Each call goes through {@code sequences.access}, which finds the definition and bounds the call; the package of
 * its subject does the rest. A request for numbers is a {@link dev.numera.core.model.NumberRequest}. Knows neither
 * Azure nor, except for the words of its refusals, HTTP.
 */
@NullMarked
package dev.numera.sequences;

import org.jspecify.annotations.NullMarked;
