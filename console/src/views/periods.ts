import type {ApiRequest} from '../api.ts';
import type {Path} from '../router.ts';
import type {Refusal} from '../problems.ts';
import type {State} from '../words.ts';

/** The counter of a period. If it cannot be read, it has only its period and a problem. */
export interface Counter extends State {
  readonly problem?: Refusal;
}

/** Lists the periods of a sequence, oldest first. */
export function periodsOf(path: Path): ApiRequest {
  return {call: 'ListPeriods', path, query: {limit: 1000}};
}

export function periodsOn(page: {readonly periods: readonly Counter[]}): readonly Counter[] {
  return page.periods;
}
