/**
 * Turns numbers into texts and back: templates with their tokens, periods, fiscal years and check digits. Also finds
 * formats of one sequence that could write the same text. Pure functions on immutable values.
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
 * <p>Start with {@link dev.numera.core.format.Format}, which compiles templates, writes texts and parses them with
 * {@code TextReader}. See also {@link dev.numera.core.format.Period} and {@link dev.numera.core.format.Revision}. A new
 * check digit goes into {@link dev.numera.core.format.CheckDigit}; a date token into
 * {@link dev.numera.core.format.DateToken} and, if it shows a year, into {@link dev.numera.core.format.Format},
 * {@link dev.numera.core.format.TemplateCompiler} and {@link dev.numera.core.format.DateSearch}; any other token into
 * {@link dev.numera.core.format.TemplateCompiler} and {@link dev.numera.core.format.FormatPart}. Add each new token to
 * the pattern for formats in {@code openapi.json} as well.
 *
 * <p>Knows neither sequences nor storage.
 */
@NullMarked
package dev.numera.core.format;

import org.jspecify.annotations.NullMarked;
