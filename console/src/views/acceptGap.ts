import {html, useState} from '../html.ts';
import type {Gap} from '../audit.ts';
import {Dialog, Field, ProblemBox} from '../parts.ts';
import {useDoing} from '../requests.ts';
import type {Path} from '../router.ts';
import {ACCEPT, CANCEL, REASON} from '../terms.ts';
import {dayOf, textOf, type Definition} from '../words.ts';

export type PeriodGap = Gap & {readonly period?: string};

/** The dialog that accepts numbers which an import left out. */
export function AcceptDialog({path, definition, gap, onDone, onClose}: {path: Path; definition: Definition | undefined; gap: PeriodGap; onDone: () => void; onClose: () => void}) {
  const [reason, setReason] = useState('');
  const doing = useDoing();
  const submit = async (e: Event) => {
    e.preventDefault();
    if (await doing.start({call: 'AcceptGap', path, body: {first: gap.first, last: gap.last, date: dayOf(gap.period, definition), reason: reason.trim()}})) {
      onDone();
    }
  };
  return html`
    <${Dialog} title=${`Accept ${textOf(gap)}`} onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>You state that the other system never issued these numbers. They count as skipped from then on; they can still be imported.</p>
        <${Field} label=${REASON} value=${reason} onValue=${setReason} required maxlength="200" hint="Shown with the gap and among the changes." />
        <${ProblemBox} problem=${doing.problem} />
        <p class="actions"><button type="submit" class="primary" disabled=${doing.busy}>${ACCEPT}</button> <button type="button" onClick=${onClose}>${CANCEL}</button></p>
      </form>
    <//>`;
}
