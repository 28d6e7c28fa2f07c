/** The formats of values for people. */

export type Num = number | bigint;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CENTURY_DAYS = 36_525;
/** The smallest share that rounding keeps. */
const LEAST_SHARE = 0.0001;
/** The shortest time that gives a meaningful pace. */
const LEAST_PACE_MILLIS = HOUR;

/** The page is English, so dates, times and amounts are English too, whatever the browser's language is. */
const ENGLISH = 'en-GB';
const DATE = {day: 'numeric', month: 'short', year: 'numeric'} as const;
const TIME = {hour: '2-digit', minute: '2-digit'} as const;
const moments = new Intl.DateTimeFormat(ENGLISH, {...DATE, ...TIME, timeZoneName: 'short'});
const days = new Intl.DateTimeFormat(ENGLISH, {...DATE, timeZone: 'UTC'});
const amounts = new Intl.NumberFormat(ENGLISH);
const shares = new Intl.NumberFormat(ENGLISH, {style: 'percent', maximumFractionDigits: 2});

/** Formats an instant in the user's time zone, with the name of the zone. */
export function moment(instant: string | undefined): string {
  return instant ? moments.format(new Date(instant)) : '';
}

const dates = new Intl.DateTimeFormat(ENGLISH, DATE);

/** Formats the date of an instant in the user's time zone. */
export function dateOf(instant: string | undefined): string {
  return instant ? dates.format(new Date(instant)) : '';
}

/** Formats the date of a document, which has no time zone: `2026-11-03` is 3 Nov 2026 everywhere. */
export function day(date: string | undefined): string {
  const at = date && /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : NaN;
  // Browsers read 30 February as 2 March.
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(date!) ? date ?? '' : days.format(at);
}

const months = new Intl.DateTimeFormat(ENGLISH, {month: 'long', year: 'numeric', timeZone: 'UTC'});

/** Formats a month such as `2026-11`. */
export function monthName(month: string): string {
  return months.format(new Date(`${month}-01`));
}

const OFFSET = /^(?:Z|(?:UTC|GMT|UT)?(?:([+-])(\d\d?)(?::?(\d\d))?(?::?(\d\d))?)?)$/;

/** Returns the milliseconds of a fixed offset, such as UTC+5 or -03:30; undefined for a region. */
function offsetOf(timeZone: string): number | undefined {
  const [all, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(timeZone) ?? [];
  return all === undefined ? undefined : (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1_000);
}

/** Returns the date of an instant, by default today, in a time zone, as a date field expects it. */
export function today(timeZone = 'UTC', at = new Date()): string {
  // Browsers do not know all offsets that the service knows.
  const offset = offsetOf(timeZone);
  if (offset !== undefined) {
    return new Date(at.getTime() + offset).toISOString().slice(0, 10);
  }
  try {
    return new Intl.DateTimeFormat('sv-SE', {timeZone}).format(at);
  } catch {
    // An old browser may not know a new region.
    return at.toISOString().slice(0, 10);
  }
}

/** Formats an instant, with the user if one was recorded. */
export function momentBy(instant: string | undefined, actor: string | undefined): string {
  return actor ? `${moment(instant)}, by ${actor}` : moment(instant);
}

export function ago(instant: string | undefined, now = Date.now()): string {
  if (!instant) {
    return 'never';
  }
  const millis = now - Date.parse(instant);
  if (millis < MINUTE) {
    return 'just now';
  }
  const [unit, size] = millis < HOUR ? ['minute', MINUTE] as const : millis < DAY ? ['hour', HOUR] as const : ['day', DAY] as const;
  const count = Math.floor(millis / size);
  return unit === 'day' && count > 60 ? moment(instant) : `${amount(count, unit)} ago`;
}

/** Formats a count. Do not use it for numbers of a sequence: they are names and have no separators. */
export function amount(count: Num, one?: string, many = `${one}s`): string {
  const text = amounts.format(count);
  return one ? `${text} ${Number(count) === 1 ? one : many}` : text;
}

const large = new Intl.NumberFormat(ENGLISH, {notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 0});

const QUADRILLION = 1e15;

/** Formats a count, rounded from a billion up. Compact notation ends at trillions. */
export function about(count: Num): string {
  return count < 1e9 ? amount(count) : count < QUADRILLION ? large.format(count) : amount(Math.round(Number(count) / QUADRILLION), 'quadrillion', 'quadrillion');
}

/** Adds a full stop if it is missing, as in most reasons that people enter. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export interface State {
  readonly scope: string;
  readonly name: string;
  readonly period?: string;
  readonly next: Num;
  readonly nextText?: string;
  readonly allocated: Num;
  readonly left: Num;
  readonly used: number;
  readonly firstAllocatedAt?: string;
  readonly lastDate?: string;
  readonly changedAt?: string;
  readonly suspendedAt?: string;
  readonly retiredAt?: string;
}

export interface Definition {
  readonly guarantee: string;
  readonly increment?: Num;
  readonly format?: string;
  readonly resetEvery?: string;
  readonly cycle?: boolean;
  readonly warnAtPercent?: Num;
  /** The month, or the month and the day, such as `04-06`. */
  readonly fiscalYearStart?: Num | string;
  readonly description?: string;
  readonly [field: string]: unknown;
}

export function isUsedUp(state: State, definition: Definition | undefined): boolean {
  return Number(state.left) === 0 && !definition?.cycle;
}

/**
 * Returns the next number: its text, or the number if no text is known. A used-up counter is beyond its range, at a number that is never
 * allocated.
 */
export function nextOf(state: State, definition?: Definition): string {
  return isUsedUp(state, definition) ? leftWords(0) : state.nextText ?? String(state.next);
}

/** Formats how many numbers of a range are left. */
export function leftWords(left: Num): string {
  return Number(left) === 0 ? 'none left' : `${amount(left)} left`;
}

const BILLION = 1e9;

/** Whether the end of the range matters in practice: it has fewer than a billion numbers, or most of them are used. */
export function isFinite({allocated, left, used}: State): boolean {
  return Number(allocated) + Number(left) < BILLION || used > 0.5;
}

/** Formats the used share. Returns 0 % only if nothing is used, and 100 % only if nothing is left. */
export function shareUsed({used, allocated, left}: State): string {
  if (used === 0 && Number(allocated) > 0) {
    return `< ${shares.format(LEAST_SHARE)}`;
  }
  return used === 1 && Number(left) > 0 ? `> ${shares.format(1 - LEAST_SHARE)}` : shares.format(used);
}

/** The longest possible length of a period, in days. */
const PERIOD_DAYS: Readonly<Record<string, number>> = {year: 366, quarter: 92, month: 31, day: 1};

/** Estimates how long the range lasts at the pace since the first number. */
export function lasts(state: State, definition: Definition, now = Date.now()): string {
  if (isUsedUp(state, definition)) {
    return 'used up';
  }
  if (definition.cycle) {
    return 'restarts';
  }
  const since = state.firstAllocatedAt ? now - Date.parse(state.firstAllocatedAt) : 0;
  if (since < LEAST_PACE_MILLIS || Number(state.allocated) < 2) {
    return 'too early to say';
  }
  const days = Number(state.left) * (since / Number(state.allocated)) / DAY;
  const period = definition.resetEvery ?? 'never';
  if (days > (PERIOD_DAYS[period] ?? Infinity)) {
    return `beyond this ${period}`;
  }
  return days > CENTURY_DAYS ? 'more than 100 years' : days < 1 ? 'less than a day' : `about ${amount(Math.round(days), 'day')}`;
}

/** Formats a range of days, both inclusive. */
export function dayRange(from: string | undefined, to: string | undefined): string {
  return `${day(from)} – ${day(to)}`;
}

/** Returns the first month and day of a sequence's fiscal years. */
export function yearStart(definition: Definition | undefined): readonly [month: number, day: number] {
  const [month, first] = String(definition?.fiscalYearStart ?? 1).split('-').map(Number);
  return [month!, first ?? 1];
}

function isCalendarYear(definition: Definition | undefined): boolean {
  return yearStart(definition).every(part => part === 1);
}

/** Formats a period. A fiscal year and a quarter show both calendar years. */
export function periodName(period: string | undefined, definition: Definition | undefined): string {
  const [year = '', quarter] = (period ?? '').split('-Q');
  const isFiscal = ['year', 'quarter'].includes(definition?.resetEvery ?? '') && !isCalendarYear(definition);
  return (isFiscal && year ? `${Number(year) - 1}/${year.slice(-2)}` : year) + (quarter ? ` Q${quarter}` : '');
}

/**
 * Returns a day that certainly belongs to a period. A fiscal year has the name of the year that contains its last January, and its quarters
 * start on the same day of a month as the year.
 */
export function dayOf(period: string | undefined, definition: Definition | undefined): string | undefined {
  const [year, quarter] = (period ?? '').split('-Q').map(Number);
  if (!period || !quarter) {
    return period ? (period + '-01-01').slice(0, 10) : undefined;
  }
  const [month, first] = yearStart(definition);
  const start = Date.UTC(isCalendarYear(definition) ? year! : year! - 1, month - 1 + 3 * (quarter - 1), first);
  return new Date(start).toISOString().slice(0, 10);
}

/** Returns the name of an entry: its text or number, or the first and the last of them. */
export function textOf(entry: {readonly texts?: readonly string[]; readonly first: Num; readonly last: Num}): string {
  const texts = entry.texts ?? [String(entry.first), ...(entry.last === entry.first ? [] : [String(entry.last)])];
  return texts.length === 1 ? texts[0]! : `${texts[0]} – ${texts[texts.length - 1]}`;
}
