/**
 * Turns numbers into texts and back: templates, their tokens, periods and fiscal years, check digits, and which formats
 * of one sequence could write one text. Pure functions on immutable values.
 *
 * <pre>{@code
 * FormatContext invoice = new FormatContext("shop", "invoice", 1, 99_999, ResetEvery.YEAR, 1);
 * Format format = Format.compile("INV-{yyyy}-{n:5}");
 * LocalDate day = LocalDate.of(2026, 11, 28);
 * String text = format.text(invoice, day, 42); // INV-2026-00042
 * ParsedText read = format.parse("INV-2026-00042", invoice, day);
 * long number = read.number(); // 42
 * Period period = read.period(); // 2026
 * }</pre>
 *
 * <p>Start with {@link dev.numera.core.format.Format} (compile, write, and parse, which {@code TextReader} does),
 * {@link dev.numera.core.format.Period} and {@link dev.numera.core.format.Revision}. A new check digit goes into
 * {@link dev.numera.core.format.CheckDigit}; a date token into {@link dev.numera.core.format.DateToken} and, if it
 * shows a year, into {@link dev.numera.core.format.Format}, {@link dev.numera.core.format.TemplateCompiler} and
 * {@link dev.numera.core.format.DateSearch}; any other token into {@link dev.numera.core.format.TemplateCompiler} and
 * {@link dev.numera.core.format.FormatPart}. The pattern of formats in {@code openapi.json} has each of them.
 *
 * <p>Knows neither sequences nor storage.
 */
@NullMarked
package dev.numera.core.format;

import org.jspecify.annotations.NullMarked;
