import {allOf, Problem, type ApiRequest} from '../api.ts';
import {audit, sizeOf, type Audit, type Gap} from '../audit.ts';
import {csvLine} from '../csv.ts';
import type {Refusal} from '../problems.ts';
import type {Path} from '../router.ts';
import {CHIPS, RESULT} from '../terms.ts';
import {amount, today, type Definition, type Num} from '../words.ts';
import type {Entry} from './entries.ts';

/** The range to check: dates of documents, or numbers of one period or of all. */
export type Range = {readonly dateFrom?: string; readonly dateTo?: string; readonly date?: string | undefined; readonly from?: string; readonly to?: string};

/** A refused row of an import. */
export interface RefusedRow {
  readonly import: string;
  readonly sentAt?: string | undefined;
  /** The key. It is missing, like the fields after it, if the service could not read the row. */
  readonly key?: string;
  readonly line?: number;
  readonly number?: Num;
  readonly text?: string;
  readonly date?: string;
  readonly problem: Refusal;
}

/** Everything that a check shows and saves to a file. */
export interface Books {
  readonly audits: readonly Audit[];
  readonly voided: readonly Entry[];
  readonly reserved: readonly Entry[];
  /** Missing if the key may not read imports. */
  readonly refused?: readonly RefusedRow[] | undefined;
}

/** The severity, name and explanation of each kind of gap. */
export const GAP_KINDS = {
  missing: ['bad', 'missing', 'The ledger has no row of these numbers, so rows were removed or an old backup was restored. Contact the operator.'],
  twice: ['bad', 'twice', 'These numbers have two keys: another program wrote into the ledger. Contact the operator.'],
  unimported: ['warn', 'not imported', 'An import left these numbers out. Import them, or accept the gap with a reason.'],
  unrecorded: ['warn', 'unrecorded', 'Allocated without a key, or skipped. A strict sequence keeps no row of these.'],
  advanced: ['quiet', CHIPS.skipped, 'The sequence was advanced past these numbers: they belong to no key.'],
} as const;

export function checkOf(path: Path, range: Range): ApiRequest {
  return {call: 'CheckLedger', path, query: range};
}

/** Reads the check page after page, then the voided, reserved and refused entries. Reports everything known so far after each step. */
export async function readBooks(request: ApiRequest, report: (books: Books) => void, signal: AbortSignal): Promise<void> {
  let books: Books = {audits: [], voided: [], reserved: [], refused: []};
  const add = (more: Partial<Books>) => report(books = {...books, ...more});
  // Clears the previous result, which would look like the current one.
  add({});
  await audit(request, audits => add({audits}), signal);
  const path = request.path as Path;
  const marked = (status: string) => allOf<Entry>({call: 'ReadLedger', path, query: {...request.query, status, limit: 1000}}, page => page.entries, signal);
  const [voided, reserved, refused] = await Promise.all([marked('void'), marked('reserved'), refusedRows(path, request.query as Range, signal)]);
  add({voided, reserved, refused});
}

type Listed = {readonly id?: string; readonly dryRun?: boolean; readonly sentAt?: string; readonly status?: string; readonly counts?: {readonly refused: number}};

/**
 * Reads the refused rows of the imports that are still kept, except of dry runs. Includes rows without a readable date, because any date is
 * possible. Undefined if the key may not read imports.
 */
export async function refusedRows(path: Path, {dateFrom, dateTo}: Range, signal: AbortSignal): Promise<readonly RefusedRow[] | undefined> {
  try {
    const imports = await allOf<Listed>({call: 'ListImports', path}, page => page.imports, signal);
    const rows: RefusedRow[] = [];
    for (const {id, sentAt} of imports.filter(({status, dryRun, counts}) => status !== 'pending' && !dryRun && counts?.refused)) {
      const refused = await allOf<RefusedRow>({call: 'ReadImport', path: {...path, id: id!}, query: {outcome: 'refused', limit: 1000}}, page => page.rows, signal);
      rows.push(...refused.map(row => ({...row, import: id!, sentAt})));
    }
    return rows.filter(({date}) => !date || (!dateFrom || date >= dateFrom) && (!dateTo || date <= dateTo));
  } catch (e) {
    if (e instanceof Problem && e.status === 401) {
      return undefined;
    }
    throw e;
  }
}

/** Returns how many numbers are in gaps of these kinds. */
export function countOf(audits: readonly Audit[], kinds: readonly Gap['kind'][], increment: Num): number {
  return audits.flatMap(({gaps}) => gaps).filter(({kind}) => kinds.includes(kind))
    .reduce((sum, gap) => sum + sizeOf(gap, increment), 0);
}

export function sumOf(audits: readonly Audit[], of: (audit: Audit) => number): number {
  return audits.reduce((all, audit) => all + of(audit), 0);
}

/** Returns the result. It is green only if nothing is left to do; a refused row may be a document without a number. */
export function verdictOf({audits, refused, reserved: open}: Books, {increment = 1}: Definition): [kind: 'good' | 'warn' | 'bad', sign: string, said: string] {
  const wrong = countOf(audits, ['missing', 'twice'], increment);
  const unrecorded = countOf(audits, ['unrecorded'], increment);
  const unimported = countOf(audits, ['unimported'], increment);
  const reserved = Math.max(sumOf(audits, audit => audit.reserved), open.reduce((sum, {count = 1}) => sum + count, 0));
  const rows = refused?.length ? `, but ${amount(refused.length, 'row')} of imports ${refused.length === 1 ? 'was' : 'were'} refused` : '';
  return wrong ? ['bad', '✕', `${amount(wrong, 'number')} cannot be accounted for`]
    : unimported ? ['warn', '!', `Nothing is missing, but an import left out ${amount(unimported, 'number')}`]
    : unrecorded ? ['warn', '!', `Nothing is missing, but ${amount(unrecorded, 'number')} ${unrecorded === 1 ? 'has' : 'have'} no entry`]
    : rows ? ['warn', '!', `Every number is accounted for${rows}`]
    : reserved ? ['warn', '!', `Every number is accounted for, but ${amount(reserved)} ${reserved === 1 ? 'is' : 'are'} still reserved`]
    : ['good', '✓', 'Every number is accounted for'];
}

/** Returns how many of the reserved numbers were reserved before a day in a time zone. */
export function reservedBefore(reserved: readonly Entry[], day: string, timeZone: string | undefined): number {
  return reserved.filter(({statusAt, allocatedAt}) => today(timeZone, new Date(statusAt ?? allocatedAt)) < day)
    .reduce((sum, {count = 1}) => sum + count, 0);
}

const COLUMNS = ['section', 'what', 'number', 'to', 'text', 'key', 'period', 'date', 'at', 'actor', 'reason', 'actorId'];
const LITERALS = ['text', 'key'].map(name => COLUMNS.indexOf(name));

type Line = readonly unknown[];

/** Writes a line of the table as CSV. The text of a summary is a sentence or a count, which has no digits to lose. */
export function csvOf(line: Line): string {
  return csvLine(line, line[0] === 'summary' ? [] : LITERALS);
}

/** Returns the content of the page as the lines of one table. */
export function linesOf(facts: readonly (readonly [string, unknown])[], verdict: string, books: Books): Line[] {
  const entry = (what: string) => (one: Entry): Line => [
    what, one.kind, one.first, one.last, one.texts?.join(' '), one.key, one.period, one.date, ...(one.statusAt ? [one.statusAt, one.statusActor, one.reason, one.statusActorId] : [one.allocatedAt, one.actor, one.reason, one.actorId]),
  ];
  const lines: Line[] = [
    COLUMNS,
    ['summary', RESULT, '', '', verdict],
    ...facts.map(([what, value]): Line => ['summary', what, '', '', value]),
    ...books.audits.flatMap(({period, gaps}) => gaps.map(({kind, first, last, reason}): Line => ['gap', kind, first, last, '', '', period, '', '', '', reason])),
    ...books.voided.map(entry('void')),
    ...books.reserved.map(entry('reserved')),
    ...(books.refused ?? []).map((row): Line => [
      'refused', 'import', row.number, '', row.text, row.key, '', row.date, row.sentAt, '', row.problem.detail ?? row.problem.title,
    ]),
  ];
  return lines.map(line => COLUMNS.map((_, column) => line[column]));
}
