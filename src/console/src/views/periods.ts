import type {Ask} from '../api.ts';
import type {State} from '../words.ts';

/** The periods of a sequence, the oldest first. */
export function periodsOf(path: Readonly<Record<string, string>>): Ask {
  return {call: 'ListPeriods', path, query: {limit: 1000}};
}

export function periodsOn(page: {readonly periods: readonly State[]}): readonly State[] {
  return page.periods;
}
