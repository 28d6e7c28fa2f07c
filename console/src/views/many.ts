import {html, useState} from '../html.ts';
import {send, type ApiRequest} from '../api.ts';
import {Confirm, Dialog, Field, RecordedBy, Table, type Column} from '../parts.ts';
import {inOneLine, type Refusal} from '../problems.ts';
import {asProblem, changesMade, reportUnknown} from '../requests.ts';
import type {Path} from '../router.ts';
import {CANNOT_BE_UNDONE, CLOSE, CONFIRM, CONFIRMED, KEY, REASON, SHOWN_IN_THE_LEDGER, STATUS_NAMES, TEXT, VOID, VOIDED_FOREVER, WHY} from '../terms.ts';
import {amount, textOf} from '../words.ts';
import {countOf, numbersOf, type Entry} from './entries.ts';
import {useWork} from './work.ts';

export type Change = 'issued' | 'void';

interface Refused {
  readonly entry: Entry;
  readonly refusal: Refusal;
}

interface Progress {
  readonly isStopped: boolean;
  readonly done: number;
  readonly refused: readonly Refused[];
}

interface ManyProps {
  readonly path: Path;
  readonly change: Change;
  readonly entries: readonly Entry[];
  /** Called with each entry after its status has changed. */
  readonly onChanged: (entry: Entry) => void;
  /** Called with each entry that the service refuses to change. */
  readonly onRefused?: (entry: Entry, refusal: Refusal) => void;
  readonly onClose: () => void;
}

const START: Progress = {isStopped: false, done: 0, refused: []};
const AT_ONCE = 4;
const NAMED = 5;
const WORDS = {issued: {verb: CONFIRM, done: CONFIRMED}, void: {verb: VOID, done: STATUS_NAMES['void']!}} as const;

/** Removes the status of an entry, so that a new one does not inherit its user or reason. */
function withoutStatus({status, statusAt, statusActor, statusActorId, reason, ...others}: Entry): Entry {
  return others;
}

/** Changes the entries, a few at a time. */
function useChanges({path, onChanged, onRefused}: ManyProps) {
  const [progress, setProgress] = useState(START);
  const {isRunning, run, stop} = useWork();
  const one = async (entry: Entry, body: object) => {
    const request: ApiRequest = {call: 'ChangeStatus', path, body: {key: entry.key, ...body}};
    try {
      const {body: changed} = await send<Entry>(request);
      onChanged({...withoutStatus(entry), ...changed});
      setProgress(last => ({...last, done: last.done + 1}));
    } catch (thrown) {
      const problem = asProblem(request, thrown);
      const {refusal} = problem;
      reportUnknown(problem);
      onRefused?.(entry, refusal);
      setProgress(last => ({...last, refused: [...last.refused, {entry, refusal}]}));
    }
  };
  const start = async (entries: readonly Entry[], body: object) => {
    setProgress(START);
    const isStopped = await run(entries, AT_ONCE, entry => one(entry, body));
    setProgress(last => ({...last, isStopped}));
    changesMade.set(changesMade.get() + 1);
  };
  return {...progress, isRunning, start, stop};
}

/** Confirms or voids several entries, after a confirmation, and reports each refused one. */
export function Many(props: ManyProps) {
  const {path, change, entries: chosen, onClose} = props;
  // Keeps the entries, because changed ones leave the view's selection while others still wait.
  const [entries] = useState(chosen);
  const [reason, setReason] = useState('');
  const {isRunning, isStopped, done, refused, start, stop} = useChanges(props);
  const {verb, done: said} = WORDS[change];
  const title = `${verb} ${amount(entries.length, 'entry', 'entries')}`;
  const finished = done + refused.length;
  if (!isRunning && (finished > 0 || isStopped)) {
    return html`<${Result} said=${said} done=${done} refused=${refused} unsent=${entries.length - finished} onClose=${onClose} />`;
  }
  return html`
    <${Confirm} title=${title} verb=${verb} name=${change === 'void' ? `${path.scope}/${path.name}` : undefined} busy=${isRunning}
        onClose=${isRunning ? stop : onClose} onConfirm=${() => start(entries, change === 'void' ? {status: change, reason: reason.trim()} : {status: change})}>
      <p class="mono">${entries.slice(0, NAMED).map(textOf).join(', ')}${entries.length > NAMED && ` and ${amount(entries.length - NAMED)} more`}</p>
      ${change === 'void' ? html`
        <p>${numbersOf(entries)} of ${amount(entries.length, 'key')} ${VOIDED_FOREVER} ${countOf(entries) === 1 ? 'It stays in the ledger and is' : 'They stay in the ledger and are'} never allocated again. ${CANNOT_BE_UNDONE}</p>
        <${Field} label=${REASON} value=${reason} onValue=${setReason} required maxlength="200" hint=${entries.length === 1 ? SHOWN_IN_THE_LEDGER : 'Shown in the ledger, for each of them.'} />
        <${RecordedBy} />`
        : html`<p>${numbersOf(entries)} reserved under ${amount(entries.length, 'key')} will be issued.</p>`}
      <p role="status">${isRunning && `${amount(finished)} of ${amount(entries.length)} …`}</p>
    <//>`;
}

const COLUMNS: readonly Column<Refused>[] = [
  {title: TEXT, cell: ({entry}) => html`<span class="mono">${textOf(entry)}</span>`},
  {title: KEY, cell: ({entry}) => html`<span class="mono">${entry.key}</span>`},
  {title: WHY, cell: ({refusal}) => inOneLine(refusal)},
];

interface ResultProps {
  readonly said: string;
  readonly done: number;
  readonly refused: readonly Refused[];
  /** The number of entries that were left when the user stopped the changes. */
  readonly unsent: number;
  readonly onClose: () => void;
}

function Result({said, done, refused, unsent, onClose}: ResultProps) {
  return html`
    <${Dialog} title=${`${amount(done, 'entry', 'entries')} ${said}`} onClose=${onClose}>
      <form onSubmit=${(e: Event) => {
        e.preventDefault();
        onClose();
      }}>
        ${unsent > 0 && html`<p>Stopped: ${amount(unsent, 'entry', 'entries')} unchanged.</p>`}
        ${refused.length > 0 && html`<p>${amount(refused.length, 'entry was', 'entries were')} refused and ${refused.length === 1 ? 'stays' : 'stay'} selected.</p>
          <${Table} caption="Refused entries" columns=${COLUMNS} rows=${refused} keyOf=${({entry}: Refused) => entry.key!} />`}
        <p class="actions"><button type="submit" class="primary">${CLOSE}</button></p>
      </form>
    <//>`;
}
