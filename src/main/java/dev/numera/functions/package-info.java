/**
 * The bindings of the Azure Functions: each parses a request, calls, and makes an answer or a problem of it.
 * {@link dev.numera.functions.App} wires the process, {@link dev.numera.functions.Settings} reads the app settings,
 * {@link dev.numera.functions.Endpoint} is the one place where errors become HTTP answers.
 *
 * <p>Depends on all other rooms; nothing depends on it.
 */
package dev.numera.functions;
