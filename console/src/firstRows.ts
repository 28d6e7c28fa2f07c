/** Reads the first rows of a CSV file as the service does, so that the user can choose columns before sending the file. */

export const SEPARATORS = {comma: ',', semicolon: ';', tab: '\t'} as const;
export type Separator = keyof typeof SEPARATORS;

/** Returns the separators in the header line, outside of quotes. */
export function separatorsOf(text: string): Separator[] {
  const header = text.split(/\r?\n/, 1)[0]!.replace(/"[^"]*"/g, '');
  return (Object.keys(SEPARATORS) as Separator[]).filter(name => header.includes(SEPARATORS[name]));
}

export function firstRows(text: string, separator: Separator, count: number): string[][] {
  const reader = new RowReader(SEPARATORS[separator]);
  for (let at = 0; at < text.length && reader.rows.length < count; at++) {
    reader.take(text[at]!);
  }
  return reader.rows.length < count ? reader.finished() : reader.rows;
}

class RowReader {
  readonly rows: string[][] = [];
  private cells: string[] = [];
  private cell = '';
  private quoted = false;
  /** Whether the previous character ended a quoted part. A second quote directly after it is part of the cell. */
  private unquoted = false;

  constructor(private readonly separator: string) {}

  take(sign: string): void {
    const doubled = sign === '"' && this.unquoted;
    this.unquoted = sign === '"' && this.quoted;
    if (sign === '"') {
      this.cell += doubled ? sign : '';
      this.quoted = !this.quoted;
    } else if (this.quoted || ![this.separator, '\n', '\r'].includes(sign)) {
      this.cell += sign;
    } else if (sign === this.separator) {
      this.endCell();
    } else if (sign === '\n') {
      this.endRow();
    }
  }

  finished(): string[][] {
    if (this.cells.length || this.cell) {
      this.endRow();
    }
    return this.rows;
  }

  private endRow(): void {
    this.endCell();
    this.rows.push(this.cells);
    this.cells = [];
  }

  private endCell(): void {
    this.cells.push(this.cell);
    this.cell = '';
  }
}
