import {useMemo, useRef} from '../html.ts';
import {useAnswer, useSettled, type Answer} from '../requests.ts';
import {send, type ApiRequest, type FileBytes} from '../api.ts';
import {amount, type Num} from '../words.ts';
import type {Path} from '../router.ts';

/** The parameters that state how a file is meant. */
export interface Parameters {
  readonly [parameter: string]: string | number | readonly string[] | undefined;
  /** The columns that have no role, although they may look like one. */
  readonly ignore?: readonly string[];
}

export interface FileColumn {
  readonly name: string;
  readonly looksLike: string;
  readonly firstCell?: string;
  readonly empty: number;
  /** Each notation that reads all dates of the column. */
  readonly dateFormats?: readonly string[];
}

interface Sample {
  readonly line: number;
  readonly key: string;
  readonly number: Num;
  readonly text?: string;
  readonly date?: string;
  readonly status?: string;
  readonly reason?: string;
}

export interface Range {
  readonly numbers: number;
  readonly firstDate?: string;
  readonly lastDate?: string;
  readonly firstText?: string;
  readonly lastText?: string;
}

/** The service's reading of a file. The fields from `refused` on are missing while there are problems. */
export interface Inspection {
  readonly encoding: string;
  readonly separator: string;
  readonly headerLine: number;
  readonly rows: number;
  readonly columns: readonly FileColumn[];
  /** The parameters that the caller has not stated, but that follow from the file without doubt. */
  readonly suggested: Parameters;
  readonly problems: readonly {readonly field: string; readonly reason: string}[];
  readonly refused?: {readonly count: number; readonly first: readonly {readonly line: number; readonly detail: string}[]};
  readonly samples?: readonly Sample[];
  readonly repeated?: {readonly equal: number; readonly contradicting: number; readonly first: readonly {readonly line: number; readonly otherLine: number; readonly kind: string}[]};
  readonly gaps?: {readonly count: number; readonly first: readonly {readonly period?: string; readonly first: Num; readonly last: Num}[]};
  readonly range?: Range;
}

const TYPING_MILLIS = 400;

/**
 * Loads the reading of a file under the stated parameters, and again when the parameters change. `busy` is true until both agree. Keeps the
 * reading before a problem.
 */
export function useInspection(path: Path, body: FileBytes | undefined, stated: Parameters): Answer<Inspection> {
  const wanted = useMemo(() => ({body, stated}), [body?.id, JSON.stringify(stated)]);
  const settled = useSettled(wanted, TYPING_MILLIS);
  const request: ApiRequest | null = body && settled.body ? {call: 'InspectImport', path, body: settled.body, type: 'text/csv', query: settled.stated} : null;
  const answer = useAnswer<Inspection>(request, async (requested, report, signal) => {
    const {parameters, ...inspection} = (await send<Inspection & {parameters: Parameters}>(requested, signal)).body;
    report({...inspection, suggested: Object.fromEntries(Object.entries(parameters).filter(([name]) => !(name in requested.query!)))});
  });
  const busy = answer.busy || settled !== wanted;
  // A refused parameter, such as a notation that is half typed, does not change the columns of the file.
  const last = useRef<{of: string; value: Inspection} | undefined>(undefined);
  if (settled.body && answer.value && !answer.busy) {
    last.current = {of: settled.body.id, value: answer.value};
  }
  const isKnown = body && (busy || last.current?.of === body.id);
  return {...answer, value: isKnown ? last.current?.value : undefined, busy};
}

/** The columns of a row by their parameter, with the name that the service looks for if the parameter is missing. */
export const ROLES = {
  keyColumn: 'key', numberColumn: 'number', textColumn: 'text', dateColumn: 'date', statusColumn: 'status', reasonColumn: 'reason',
} as const;

export type Role = keyof typeof ROLES;

/** The parameters that depend on the column of a role. */
const ABOUT: Readonly<Partial<Record<Role, readonly string[]>>> = {
  numberColumn: ['grouping', 'decimal', 'maxNumber'], dateColumn: ['dateFormat', 'century'], statusColumn: ['statusMap', 'reason'],
};

/** The parameters that decide where the header line is. If one changes, the columns may have other names. */
const STRUCTURE = ['encoding', 'separator', 'headerLine'];

export function isCalled(title: string, name: string): boolean {
  const folded = (text: string) => text.trim().normalize('NFC').toLowerCase();
  return folded(title) === folded(name);
}

/** Returns the column that has a role: the parameter's, or the one with the default name unless it is ignored; empty if there is none. */
export function columnOf(role: Role, parameters: Parameters, names: readonly string[]): string {
  const stated = parameters[role] as string | undefined;
  const column = stated ?? names.find(name => isCalled(name, ROLES[role])) ?? '';
  return (parameters.ignore ?? []).some(ignored => isCalled(ignored, column)) ? '' : column;
}

const ISO = 'yyyy-MM-dd';

/** Returns the notations to choose from. ISO needs no parameter. */
export function notationsOf(column: FileColumn | undefined): readonly string[] {
  return (column?.dateFormats ?? []).filter(format => format !== ISO);
}

/** Whether the dates of a column have no reading without a stated notation. */
export function isNotationOpen(column: FileColumn | undefined): boolean {
  return notationsOf(column).length > 0 && !column!.dateFormats!.includes(ISO);
}

/**
 * Returns the open decisions about the dates in a list of keys, by parameter. Without them, each number would have the day of the upload,
 * forever.
 */
export function undecidedDates(columns: readonly FileColumn[], parameters: Parameters): Record<string, string> {
  const date = columnOf('dateColumn', parameters, columns.map(({name}) => name));
  if (date) {
    const isOpen = isNotationOpen(columns.find(({name}) => isCalled(name, date))) && !parameters['dateFormat'];
    return isOpen ? {dateFormat: 'is required: choose how the dates are meant'} : {};
  }
  const ignored = parameters.ignore ?? [];
  const dated = columns.find(({name, looksLike}) => looksLike.endsWith('dates') && !ignored.some(each => isCalled(each, name)));
  return dated ? {dateColumn: `is required: ${dated.name} has dates. Choose a column, or ignore ${dated.name}`} : {};
}

/** Returns the parameters after a column has been chosen for a role. The column that had the role before is ignored if there is no new one. */
export function withRole(stated: Parameters, role: Role, column: string, before: string): Parameters {
  const dependent = new Set<string>([role, ...(ABOUT[role] ?? [])]);
  const kept = Object.fromEntries(Object.entries(stated).filter(([name, value]) => !dependent.has(name) && !(name in ROLES && value === column)));
  const ignored = (stated.ignore ?? []).filter(name => name !== column);
  return {...kept, ...(column ? {[role]: column} : {}), ignore: column || !before ? ignored : [...ignored, before]};
}

export function withIgnored(stated: Parameters, column: string, isIgnored: boolean): Parameters {
  const others = (stated.ignore ?? []).filter(name => name !== column);
  return {...stated, ignore: isIgnored ? [...others, column] : others};
}

/** Returns the parameters after one has been stated. An empty value leaves the parameter out. */
export function withParameter(stated: Parameters, parameter: string, value: string): Parameters {
  const {[parameter]: _, ...others} = stated;
  const kept = STRUCTURE.includes(parameter) ? Object.fromEntries(Object.entries(others).filter(([name]) => STRUCTURE.includes(name) || name === 'until')) : others;
  return value ? {...kept, [parameter]: value} : kept;
}

const longDays = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC'});

function longDay(date: string): string {
  return longDays.format(Date.parse(date));
}

/** Returns the numbers that would be stored, in words; undefined while that is unknown. */
export function storedBy({range}: Inspection): string | undefined {
  if (!range) {
    return undefined;
  }
  const {numbers, firstDate, lastDate, firstText, lastText} = range;
  return [
    amount(numbers, 'number'),
    ...(!firstDate || !lastDate ? [] : [firstDate === lastDate ? `dated ${longDay(firstDate)}` : `dated ${longDay(firstDate)} to ${longDay(lastDate)}`]),
    ...(!firstText || !lastText ? [] : [firstText === lastText ? firstText : `${firstText} to ${lastText}`]),
  ].join(', ');
}

const DATE_PARTS: Readonly<Record<string, string>> = {yyyy: '(?<year>\\d{4})', MM: '(?<month>\\d\\d)', M: '(?<month>\\d\\d?)', dd: '(?<day>\\d\\d)', d: '(?<day>\\d\\d?)'};

/** Returns the day that a notation reads in a cell, in words; undefined for a notation with other parts than year, month and day. */
export function readAs(cell: string, notation: string): string | undefined {
  const parts = notation.replace(/(yyyy|MM?|dd?)|[^A-Za-z]|[A-Za-z]+/g, (part, token?: string) => token ? DATE_PARTS[token]! : `\\${part}`);
  if (/[A-Za-z]/.test(notation.replace(/yyyy|MM?|dd?/g, ''))) {
    return undefined;
  }
  const {year, month, day} = new RegExp(`^${parts}`).exec(cell)?.groups ?? {};
  const date = year && month && day ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : '';
  return Number.isNaN(Date.parse(date)) ? undefined : longDay(date);
}

/** Returns the pairs of a map of statuses, such as `ja=void,nein=issued`. */
export function pairsOf(statusMap: string): Map<string, string> {
  const pairs = statusMap.match(/(?:\\.|[^,\\])+/g) ?? [];
  return new Map(pairs.flatMap(pair => {
    const [, word, status] = /^((?:\\.|[^=\\])+)=(.*)$/.exec(pair) ?? [];
    return word && status ? [[word.replace(/\\(.)/g, '$1'), status] as const] : [];
  }));
}

export function statusMapOf(pairs: ReadonlyMap<string, string>): string {
  return [...pairs].filter(([, status]) => status).map(([word, status]) => `${word.replace(/[\\,=]/g, '\\$&')}=${status}`).join(',');
}

/** Returns the name of a gap, such as `17 – 18 of 2024`. */
export function gapName({period, first, last}: {readonly period?: string; readonly first: Num; readonly last: Num}): string {
  return `${first === last ? first : `${first} – ${last}`}${period ? ` of ${period}` : ''}`;
}
