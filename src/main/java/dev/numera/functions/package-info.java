/**
 * The bindings of the Azure Functions: each parses a request, calls, and makes an answer or a problem of it.
 * {@link dev.numera.functions.App} wires the process, {@link dev.numera.functions.Settings} reads the app settings,
 * {@link dev.numera.functions.Exchange} is the one place where errors become HTTP answers. Here are the bindings that
 * number, and what all of them share; those of definitions, ledgers and batches have rooms of their own within it.
 *
 * <p>A new setting goes into {@code Settings}. Its documents and the infrastructure must say the same: both tables of
 * {@code docs/settings.md}, {@code README.md}, {@code local.settings.json.example}, {@code infra/main.bicep} and
 * {@code infra/main.parameters.json}; {@code AgreementTest} compares them.
 *
 * <p>Depends on {@code storage}, {@code batch}, {@code sequence}, {@code model}, {@code execution}, {@code format},
 * {@code json} and {@code problem}; only {@code functions.sequence}, {@code functions.ledger} and
 * {@code functions.batch} depend on it. The rooms' arrows are held by {@code RoomsTest}, and most are drawn in
 * {@code docs/architecture.md}.
 */
@NullMarked
package dev.numera.functions;

import org.jspecify.annotations.NullMarked;
