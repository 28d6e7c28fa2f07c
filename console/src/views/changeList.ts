import type {ApiRequest} from '../api.ts';
import type {Refusal} from '../problems.ts';
import type {Path} from '../router.ts';
import type {Num} from '../words.ts';

type Value = string | Num | boolean;

/** A change of a sequence. If it cannot be read, it has only a problem. */
export interface Change {
  readonly problem?: Refusal;
  readonly kind?: 'created' | 'changed' | 'advanced' | 'suspended' | 'resumed' | 'retired' | 'revived' | 'imported' | 'closed';
  readonly at?: string;
  readonly actor?: string;
  readonly actorId?: string;
  readonly reason?: string;
  readonly import?: string;
  readonly period?: string;
  readonly previousNext?: Num;
  readonly next?: Num;
  readonly fields?: readonly {readonly field: string; readonly before?: Value; readonly after?: Value}[];
}

export function changesOf(path: Path): ApiRequest {
  return {call: 'ListChanges', path, query: {limit: 1000}};
}

export function changesOn(page: {readonly changes: readonly Change[]}): readonly Change[] {
  return page.changes;
}

/** Returns the latest change that switched something off, unless a later change switched it on again. */
export function lastOf(changes: readonly Change[], off: Change['kind'], on: Change['kind']): Change | undefined {
  const last = changes.filter(({kind}) => kind === off || kind === on).pop();
  return last?.kind === off ? last : undefined;
}
