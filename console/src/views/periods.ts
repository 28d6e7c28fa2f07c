import type {ApiRequest} from '../api.ts';
import type {Path} from '../router.ts';
import type {State} from '../words.ts';

/** The periods of a sequence, the oldest first. */
export function periodsOf(path: Path): ApiRequest {
  return {call: 'ListPeriods', path, query: {limit: 1000}};
}

export function periodsOn(page: {readonly periods: readonly State[]}): readonly State[] {
  return page.periods;
}
