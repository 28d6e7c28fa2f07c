import {html} from '../html.ts';
import {By} from '../parts.ts';
import {useRequest} from '../requests.ts';
import type {Path} from '../router.ts';
import type {Entry, StatusChange} from './entries.ts';
import {ALLOCATED, IMPORTED, RESERVED, VOIDED} from '../terms.ts';

export const STEPS: Readonly<Record<string, string>> = {reserved: RESERVED, issued: 'Confirmed', void: VOIDED};

type Step = readonly [what: string, at: string, actor: string | undefined, reason?: string | undefined, actorId?: string | undefined];

/** Returns the history of a key's numbers, oldest first. A reservation is the allocation itself, so it is one step. */
export function stepsOf(entry: Entry): readonly Step[] {
  const known = entry.history ?? (entry.statusAt ? [last(entry)] : []);
  const start: readonly Step[] = known[0]?.status === 'reserved' ? [] : [[entry.kind === 'import' ? IMPORTED : ALLOCATED, entry.allocatedAt, entry.actor, undefined, entry.actorId]];
  return [...start, ...known.map(({status, at, actor, actorId, reason}): Step => [STEPS[status] ?? status, at, actor, reason, actorId])];
}

/** Returns the last status change, for an entry without a history. */
function last({status = 'issued', statusAt, statusActor, statusActorId, reason}: Entry): StatusChange {
  return {status, at: statusAt!, actor: statusActor, actorId: statusActorId, reason};
}

/** A list of the steps of a key's numbers (allocated, confirmed, voided), each with its time and user. */
export function History({path, entry}: {path: Path; entry: Entry}) {
  const {value} = useRequest<{entries: readonly Entry[]}>({call: 'ReadLedger', path, query: {key: entry.key}});
  return html`<h4>History</h4>
    <ol class="history">${stepsOf(value?.entries[0] ?? entry).map(([what, at, actor, reason, id]) => html`
      <li key=${what}><strong>${what}</strong> <${By} at=${at} actor=${actor} id=${id} isNamed=${what === STEPS['issued'] || what === STEPS['void']} />${reason && html`<span class="about">${reason}</span>`}</li>`)}</ol>`;
}
