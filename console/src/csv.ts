/** Writes a CSV line that a spreadsheet shows as text, without running any cell as a formula. */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(cell => quoted(harmless(String(cell ?? '')))).join(',') + '\r\n';
}

/**
 * Disarms formulas in the same way as the service. Puts an apostrophe before text that a spreadsheet would run as a formula: at the start,
 * or after any character that separates cells under some setting. Text that already has apostrophes there gets one more. Quotes give no
 * protection, because the spreadsheet may split a row at another separator.
 */
export function harmless(text: string): string {
  return /^[+-]\d+([.,]\d+)?$/.test(text) ? text
    : text.replace(/(^|[,;\t\r\n])("*)('*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, "$1$2$3'").replace(/^('*)(?=[\t\r\n])/, "$1'");
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
