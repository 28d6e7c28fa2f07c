import {useCallback} from '../html.ts';
import {useAll, useRequest} from '../requests.ts';
import type {Path} from '../router.ts';
import type {Definition, State} from '../words.ts';
import {changesOf, changesOn, lastOf, type Change} from './changeList.ts';

/** Whether the sequence has a counter, and therefore a state, periods and a ledger. Templates and snowflake sequences have none. */
export function isCounted(scope: string, definition: Definition | undefined): boolean {
  return !!definition && definition.guarantee !== 'snowflake' && scope !== '~';
}

/** Whether the numbers have keys, and therefore a ledger to search and check. */
export function hasLedger(scope: string, definition: Definition): boolean {
  return isCounted(scope, definition) && definition.guarantee !== 'cached' && !definition.cycle;
}

/** When and why a sequence was suspended. */
export interface Suspended {
  readonly at: string;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

/**
 * Loads the state of a sequence. It comes from the counter. The list of changes is loaded only for a sequence without a counter, and for
 * the reason of a suspension or retirement.
 */
export function useStanding(path: Path) {
  const definition = useRequest<Definition>({call: 'GetDefinition', path});
  const counted = isCounted(path.scope, definition.value);
  const state = useRequest<State>(counted ? {call: 'ReadState', path} : null);
  const stopped = !!state.value?.retiredAt || !!state.value?.suspendedAt;
  const changes = useAll(definition.value && (!counted || stopped) ? changesOf(path) : null, changesOn);
  const retired = lastOf(changes.value ?? [], 'retired', 'revived');
  const suspension = lastOf(changes.value ?? [], 'suspended', 'resumed');
  return {
    definition, counted, state, changes,
    retiredAt: state.value?.retiredAt ?? (counted ? undefined : retired?.at),
    retired,
    again: useCallback(() => [definition, state, changes].forEach(each => each.again()), []),
    suspended: counted ? suspended(state.value?.suspendedAt, suspension) : suspended(suspension?.at, suspension),
  };
}

function suspended(at: string | undefined, change: Change | undefined): Suspended | undefined {
  return at ? {at, reason: change?.reason, actor: change?.actor} : undefined;
}

/**
 * Whether a number was allocated, so that some fields are fixed. Undefined without a counter, while loading, or if the key may not read it.
 */
export function useUsed(path: Path, counted: boolean): boolean | undefined {
  const {value} = useRequest<{periods: readonly State[]}>(counted ? {call: 'ListPeriods', path, query: {limit: 1}} : null);
  return value && value.periods.length > 0;
}
