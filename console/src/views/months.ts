import {today, type Definition} from '../words.ts';

/** The first and the last day of something, both inclusive. */
export type Days = readonly [first: string, last: string];

/** A month, so many months from another one: `2026-11`. */
function monthFrom(month: string, offset: number): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number! - 1 + offset, 1)).toISOString().slice(0, 7);
}

/** The present month in the zone of the sequence, and so many before it. */
export function monthsUntilNow({timeZone}: Definition, count: number): string[] {
  const now = today(timeZone as string | undefined).slice(0, 7);
  return Array.from({length: count}, (_, back) => monthFrom(now, -back));
}

export function daysOfMonth(month: string): Days {
  const [year, number] = month.split('-').map(Number);
  return [`${month}-01`, new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10)];
}

/** The fiscal year of today, from its first month to its last. */
export function thisYear(definition: Definition): Days {
  const [now] = monthsUntilNow(definition, 1);
  const sinceStart = (Number(now!.slice(5)) + 12 - Number(definition.fiscalYearStart ?? 1)) % 12;
  return [daysOfMonth(monthFrom(now!, -sinceStart))[0], daysOfMonth(monthFrom(now!, 11 - sinceStart))[1]];
}
