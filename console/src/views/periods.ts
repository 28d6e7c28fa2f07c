import type {ApiRequest} from '../api.ts';
import type {Path} from '../router.ts';
import type {Refusal} from '../problems.ts';
import type {State} from '../words.ts';

/** A counter that cannot be read has its period and a problem, and nothing else. */
export interface Counter extends State {
  readonly problem?: Refusal;
}

/** The periods of a sequence, the oldest first. */
export function periodsOf(path: Path): ApiRequest {
  return {call: 'ListPeriods', path, query: {limit: 1000}};
}

export function periodsOn(page: {readonly periods: readonly Counter[]}): readonly Counter[] {
  return page.periods;
}
