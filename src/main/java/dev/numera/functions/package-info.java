/**
 * Runs the app in a process: {@link dev.numera.functions.App} wires it, {@link dev.numera.functions.Settings} reads the
 * app settings.
 *
 * <pre>{@code
 * App app = new App(System.getenv());
 * app.requireHealthy();
 * Sequences sequences = app.sequences();
 * }</pre>
 *
 * <p>A new setting goes into {@code Settings}. Its documents and the infrastructure must say the same: both tables of
 * {@code docs/settings.md}, {@code local.settings.json.example}, {@code infra/main.bicep} and
 * {@code infra/main.parameters.json}; {@code AgreementTest} compares them.
 */
@NullMarked
package dev.numera.functions;

import org.jspecify.annotations.NullMarked;
