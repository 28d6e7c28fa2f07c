/**
 * Writes a CSV line that a spreadsheet shows as text, without running any cell as a formula. In the columns of texts and keys it converts no
 * cell into a number or a date either.
 */
export function csvLine(cells: readonly unknown[], literals: readonly number[]): string {
  return line(cells, (text, column) => literals.includes(column) ? preserved(text) : harmless(text), ',');
}

/** Writes a CSV line like the service with `for=spreadsheet`: a spreadsheet converts no cell into a number or a date. */
export function preservedLine(cells: readonly unknown[], separator: string): string {
  return line(cells, preserved, separator);
}

function line(cells: readonly unknown[], cell: (text: string, column: number) => string, separator: string): string {
  return cells.map((content, column) => quoted(cell(String(content ?? ''), column), separator)).join(separator) + '\r\n';
}

/** Returns the separator that spreadsheets expect with the language of the browser. */
export function listSeparator(): string {
  return (0.5).toLocaleString().includes(',') ? ';' : ',';
}

/**
 * Disarms formulas in the same way as the service. Puts an apostrophe before text that a spreadsheet would run as a formula: at the start,
 * or after any character that separates cells under some setting. Text that already has apostrophes there gets one more. Quotes give no
 * protection, because the spreadsheet may split a row at another separator.
 */
export function harmless(text: string): string {
  return /^[+-]\d+([.,]\d+)?$/.test(text) ? text
    : /^'/.test(text) && isConverted(text) ? `'${disarmed(text)}` : disarmed(text);
}

/** Puts an apostrophe before formulas, and before text that a spreadsheet would convert, such as 0047 and 1-2, like the service. */
export function preserved(text: string): string {
  return STABLE.test(text) ? text : isConverted(text) ? `'${disarmed(text)}` : disarmed(text);
}

function disarmed(text: string): string {
  return text.replace(/(^|[,;\t\r\n])("*)('*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g, "$1$2$3'").replace(/^('*)(?=[\t\r\n])/, "$1'");
}

function isConverted(text: string): boolean {
  return !/^"*'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^'*[\t\r\n]/.test(text) && changes(text.replace(/^'+/, ''));
}

const STABLE = /^(?:-?[1-9][0-9]{0,10}|0)$/;
const words = (list: string) => new Set(list.split(' '));
const LOGICAL = words('true false wahr falsch');
const MARKS = words('e t z a p am pm');
const CURRENCIES = words('eur usd gbp chf');
const WEEKDAYS = words('mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday'
  + ' mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag');
const MONTHS = [...words('january february march april may june july august september october november december'
  + ' januar jänner februar feber märz mrz mai juni juli oktober dezember'
  + ' janvier février mars avril juin juillet août septembre octobre novembre décembre'
  + ' enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'
  + ' gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre januari februari maart mei augustus'
  + ' janeiro fevereiro março maio junho julho setembro outubro novembro dezembro')];

/** The rules of the service's class SpreadsheetConversion, where they are explained. */
function changes(text: string): boolean {
  if (STABLE.test(text)) {
    return false;
  }
  const digit = text.search(/\p{Nd}/u);
  const all = [...text.matchAll(/\p{L}+/gu)].map(({0: word, index}) => [word.toLowerCase(), digit >= 0 && index > digit] as const);
  const found = all.map(([word]) => word);
  const isMonth = (word: string) => word.length > 2 && MONTHS.some(month => month.startsWith(word));
  const numbers = text.match(/\p{Nd}+/gu)?.length ?? 0;
  const isValue = all.every(([word, isAfter]) => LOGICAL.has(word) || CURRENCIES.has(word) || WEEKDAYS.has(word) || isMonth(word) || isAfter && MARKS.has(word))
    && (numbers > 0 || found.some(word => LOGICAL.has(word)))
    && (numbers > 1 || found.some(isMonth) || !found.some(word => WEEKDAYS.has(word)));
  return isValue || text.startsWith('#');
}

function quoted(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
