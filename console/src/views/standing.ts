import {useAll, useRequest} from '../requests.ts';
import type {Path} from '../router.ts';
import type {Definition, State} from '../words.ts';
import {changesOf, changesOn, lastRetired} from './changes.ts';

/** Whether it has a counter, and so a state, periods and a ledger: templates and snowflake sequences have none. */
export function isCounted(scope: string, definition: Definition | undefined): boolean {
  return !!definition && definition.guarantee !== 'snowflake' && scope !== '~';
}

/** The state of a sequence: by its counter, or by its changes where it has none. */
export function useStanding(path: Path) {
  const definition = useRequest<Definition>({call: 'GetDefinition', path});
  const counted = isCounted(path.scope, definition.value);
  const state = useRequest<State>(counted ? {call: 'ReadState', path} : null);
  const changes = useAll(definition.value && !counted ? changesOf(path) : null, changesOn);
  return {definition, counted, state, changes, retiredAt: state.value?.retiredAt ?? lastRetired(changes.value ?? [])};
}
