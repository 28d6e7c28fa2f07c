/**
 * Runs the app in a process. {@link dev.numera.functions.App} creates its objects, and
 * {@link dev.numera.functions.Settings} reads the app settings.
 *
 * <pre>{@code
 * App app = new App(System.getenv());
 * app.requireHealthy();
 * Sequences sequences = app.sequences();
 * }</pre>
 *
 * <p>To add a setting, add it to {@code Settings}, to the documents and to the infrastructure: both tables of
 * {@code docs/settings.md}, {@code local.settings.json.example}, {@code infra/main.bicep} and
 * {@code infra/main.parameters.json}. {@code AgreementTest} compares them.
 */
@NullMarked
package dev.numera.functions;

import org.jspecify.annotations.NullMarked;
