import {today, yearStart, type Definition} from '../words.ts';

/** The first and the last day of a range, both inclusive. */
export type Days = readonly [first: string, last: string];

/** Returns the month that is this many months after another one, such as `2026-11`. */
export function monthFrom(month: string, offset: number): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number! - 1 + offset, 1)).toISOString().slice(0, 7);
}

/** Returns the current month in the sequence's time zone and the months before it, newest first. */
export function monthsUntilNow({timeZone}: Definition, count: number): string[] {
  const now = today(timeZone as string | undefined).slice(0, 7);
  return Array.from({length: count}, (_, back) => monthFrom(now, -back));
}

export function daysOfMonth(month: string): Days {
  const [year, number] = month.split('-').map(Number);
  return [`${month}-01`, new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10)];
}

/** Returns the first and the last day of the current fiscal year. */
export function thisYear(definition: Definition): Days {
  const now = today(definition.timeZone as string | undefined);
  const [month, first] = yearStart(definition);
  const startIn = (year: number, day: number) => new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
  const year = Number(now.slice(0, 4)) - (now < startIn(Number(now.slice(0, 4)), first) ? 1 : 0);
  return [startIn(year, first), startIn(year + 1, first - 1)];
}
