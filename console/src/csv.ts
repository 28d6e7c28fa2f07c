/** Cells as a spreadsheet takes them without running anything. */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(cell => quoted(harmless(String(cell ?? '')))).join(',') + '\r\n';
}

/**
 * As the service itself does: an apostrophe before what a spreadsheet takes for a formula, at the start or after what separates cells in
 * some setting of it, one more where the text has some there already. Quotes do not protect what follows, since a row may be split at
 * another separator.
 */
export function harmless(text: string): string {
  return /^[+-]\d+([.,]\d+)?$/.test(text) ? text
    : text.replace(/(^|[,;\t\r\n])("*)('*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, "$1$2$3'").replace(/^('*)(?=[\t\r\n])/, "$1'");
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
