import {html, useState} from '../html.ts';
import {asProblem, changesMade, useFresh, useMay, useRequest} from '../requests.ts';
import {read, send, type ApiRequest} from '../api.ts';
import {Chip, Curl, Details, Dialog, Empty, Field, Loading, ProblemBox} from '../parts.ts';
import {nameProblem, scopeProblem} from '../names.ts';
import {inOneLine, saidOf, type Refusal} from '../problems.ts';
import {href, sequencePath} from '../router.ts';
import {CANCEL, DOCUMENT_DATE, FAILED_MESSAGES, STOP} from '../terms.ts';
import {amount, day, moment} from '../words.ts';
import {useWork} from './work.ts';

export interface Message {
  readonly id: string;
  readonly insertedAt: string;
  readonly expiresAt: string;
  readonly text: string;
  /** Whether the service understands the message. A message that it does not understand can only be deleted. */
  readonly canRequeue: boolean;
  readonly problem?: Refusal;
}

interface Page {
  readonly messages: readonly Message[];
  readonly approximateCount: number;
}

/** The apparent content of a message, only for display. The service decides how to read it. */
export interface Meaning {
  readonly kind: 'batch' | 'upload' | 'import' | 'foreign';
  readonly scope?: string;
  readonly name?: string;
  readonly id?: string | undefined;
  readonly requests?: string;
  readonly date?: string | undefined;
}

/** Messages of one sequence with the same problem, which are usually handled together. */
export interface Group {
  readonly id: string;
  readonly kind: Meaning['kind'];
  readonly scope?: string | undefined;
  readonly name?: string | undefined;
  readonly problem?: Refusal | undefined;
  readonly canRequeue: boolean;
  readonly messages: readonly {readonly message: Message; readonly said: Meaning}[];
}

const FOREIGN: Meaning = {kind: 'foreign'};
const LISTED: ApiRequest = {call: 'ListPoison'};

function parsed(text: string): any {
  try {
    return read(text);
  } catch {
    // Text that is not JSON is shown unchanged.
    return undefined;
  }
}

/** Returns a value as text; undefined for one that only a foreign message has there. Some objects cannot be written as text. */
function plain(value: unknown): string | undefined {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : undefined;
}

function meaning(text: string): Meaning {
  const json = parsed(text);
  if (typeof json !== 'object' || json === null || typeof json.scope !== 'string' || typeof json.name !== 'string') {
    return FOREIGN;
  }
  // No sequence has such a name, and a link to it could fail the view.
  if (scopeProblem(json.scope) || nameProblem(json.name)) {
    return FOREIGN;
  }
  const of = {scope: json.scope, name: json.name};
  for (const kind of ['upload', 'import'] as const) {
    if (kind in json) {
      return {...of, kind, requests: `part ${plain(json.part)}`};
    }
  }
  const requests = Array.isArray(json.keys) ? amount(json.keys.length, 'key') : `${plain(json.count)} numbers at once`;
  return {...of, kind: 'batch', id: plain(json.id), date: plain(json.date), requests};
}

/** Groups messages of the same kind, sequence and problem. The groups are in the order of their first messages. */
export function groupsOf(messages: readonly Message[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const message of messages) {
    const said = meaning(message.text);
    const {kind, scope, name} = said;
    const id = JSON.stringify([kind, scope, name, message.canRequeue, message.problem && saidOf(message.problem)]);
    const group = groups.get(id) ?? {id, kind, scope, name, problem: message.problem, canRequeue: message.canRequeue, messages: []};
    groups.set(id, {...group, messages: [...group.messages, {message, said}]});
  }
  return [...groups.values()];
}

/** The messages that could not be numbered. */
export function Poison() {
  const {value, problem, busy, again} = useRequest<Page>(LISTED);
  const [said, setSaid] = useState('');
  useFresh(again);
  return html`
    <div class="head"><h1>${FAILED_MESSAGES}</h1>
      <p class="actions no-print"><button type="button" onClick=${() => {
        setSaid('');
        again();
      }} disabled=${busy}>Refresh</button> <${Curl} request=${LISTED} /></p></div>
    <p class="lead">Messages that could not be numbered, each with the problem that it would meet now. Viewing this page changes nothing.</p>
    <p role="status">${said}</p>
    <${ProblemBox} problem=${problem} again=${again} />
    ${!value && !problem && html`<${Loading} />`}
    ${value && html`<${Messages} page=${value} onDone=${setSaid} />`}`;
}

function Messages({page, onDone}: {page: Page; onDone: (said: string) => void}) {
  if (page.messages.length === 0) {
    return html`<${Empty} title="No failed messages">
      <p>${page.approximateCount > 0
        ? 'Some messages are hidden for a moment, while another user searches for one. Refresh the list.'
        : html`Messages of <code>numbering-requests</code> that can never be numbered, or that failed for ten minutes, are kept here for seven days.`}</p><//>`;
  }
  const more = page.approximateCount - page.messages.length;
  return html`
    <p class="count">${amount(page.messages.length, 'message')}${more > 0 ? `, and about ${amount(more)} more behind ${page.messages.length === 1 ? 'it' : 'them'}: they appear when these are gone` : ''}</p>
    ${groupsOf(page.messages).map(group => html`<${GroupCard} key=${group.id} group=${group} onDone=${onDone} />`)}`;
}

function GroupCard({group, onDone}: {group: Group; onDone: (said: string) => void}) {
  const {messages, problem, scope, name, canRequeue} = group;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [doing, setDoing] = useState<'requeue' | 'drop' | ''>('');
  const mayPutBack = useMay('RequeuePoison') && canRequeue;
  const mayDrop = useMay('DropPoison');
  const chosen = messages.filter(({message}) => !left.has(message.id));
  const choose = (id: string, isChosen: boolean) => setLeft(new Set(isChosen ? [...left].filter(other => other !== id) : [...left, id]));
  const close = (outcome: string) => {
    setDoing('');
    if (outcome) {
      onDone(outcome);
    }
  };
  const heading = `group-${messages[0]!.message.id}`;
  const count = messages.length > 1 ? ` (${amount(chosen.length)})` : '';
  return html`
    <section class="card poisoned" aria-labelledby=${heading}>
      <h2 id=${heading}>${scope && name
        ? html`<a href=${href(sequencePath(scope, name))}>${scope}/${name}</a>`
        : messages.length > 1 ? 'Unreadable messages' : 'Unreadable message'} ${!scope ? '' : problem ? html`<${Chip} kind="bad">${saidOf(problem).title}<//>` : html`<${Chip} kind="good">can be numbered now<//>`}
        ${messages.length > 1 && html` <${Chip}>${amount(messages.length, 'message')}<//>`}</h2>
      ${problem && html`<p>${saidOf(problem).advice}</p><${Details} refusal=${problem} />`}
      ${!canRequeue && html`<p><strong>${messages.length > 1 ? 'These messages' : 'This message'} can only be deleted:</strong> sent again, ${messages.length > 1 ? 'they' : 'it'} would return here unchanged. Correct ${messages.length > 1 ? 'them' : 'it'} at the sender.</p>`}
      <ul class="messages">${messages.map(({message, said}) => html`<${Item} key=${message.id} message=${message} said=${said}
        chosen=${messages.length > 1 ? !left.has(message.id) : undefined} onChosen=${(isChosen: boolean) => choose(message.id, isChosen)} />`)}</ul>
      <p class="actions no-print">
        ${mayPutBack && html`<button type="button" disabled=${chosen.length === 0} onClick=${() => setDoing('requeue')}>Put back${count} …</button>`}
        ${mayDrop && html`<button type="button" class="danger" disabled=${chosen.length === 0} onClick=${() => setDoing('drop')}>Delete${count} …</button>`}
      </p>
      ${doing === 'requeue' && html`<${PutBack} chosen=${chosen} problem=${problem} onClose=${close} />`}
      ${doing === 'drop' && html`<${Drop} chosen=${chosen} onClose=${close} />`}
    </section>`;
}

interface ItemProps {
  readonly message: Message;
  readonly said: Meaning;
  /** Whether the message is chosen; missing for a group of one message. */
  readonly chosen: boolean | undefined;
  readonly onChosen: (isChosen: boolean) => void;
}

function Item({message, said, chosen, onChosen}: ItemProps) {
  const title = [said.id, said.requests && (said.kind === 'batch' ? said.requests : `${said.kind}, ${said.requests}`),
    said.kind === 'batch' && (said.date ? `dated ${day(said.date)}` : 'without a date')].filter(Boolean).join(' · ') || 'Message';
  return html`<li>
    ${chosen === undefined ? html`<p><strong>${title}</strong></p>`
      : html`<label><input type="checkbox" checked=${chosen} onChange=${(e: Event) => onChosen((e.currentTarget as HTMLInputElement).checked)} /> <strong>${title}</strong></label>`}
    <p class="muted">Arrived ${moment(message.insertedAt)} · Expires ${moment(message.expiresAt)}</p>
    <details><summary>Show the message</summary><pre class="mono" tabindex="0">${message.text}</pre></details>
  </li>`;
}

type Chosen = Group['messages'];

/** Handles all messages, one after the other, and reports how many succeeded. */
function useEach(chosen: Chosen, requestOf: (each: Chosen[number]) => ApiRequest, done: string, onClose: (outcome: string) => void) {
  const [progress, setProgress] = useState(0);
  const {isRunning, run, stop} = useWork();
  const start = async () => {
    const failures: string[] = [];
    let sent = 0;
    await run(chosen, 1, async each => {
      setProgress(sent++);
      const request = requestOf(each);
      try {
        await send(request);
      } catch (e) {
        failures.push(inOneLine(asProblem(request, e).refusal));
      }
    });
    changesMade.set(changesMade.get() + 1);
    const count = sent - failures.length;
    const unsent = chosen.length - sent;
    onClose([`${amount(count, 'message')} ${count === 1 ? 'was' : 'were'} ${done}.`,
      failures.length > 0 && `${amount(failures.length)} failed: ${[...new Set(failures)].join(' ')}`,
      unsent > 0 && `Stopped: ${amount(unsent, 'message')} unchanged.`].filter(Boolean).join(' '));
  };
  return {
    busy: isRunning,
    progress: !isRunning || chosen.length === 1 ? '' : `${amount(progress)} of ${amount(chosen.length)} …`,
    start,
    /** Closes the dialog. While messages are handled it stops after the present one, and the dialog closes by itself. */
    close: () => isRunning ? stop() : onClose(''),
    closing: isRunning ? STOP : CANCEL,
  };
}

interface DoProps {
  readonly chosen: Chosen;
  readonly problem?: Refusal | undefined;
  readonly onClose: (outcome: string) => void;
}

function called(chosen: Chosen): string {
  const [{said}] = chosen as [Chosen[number]];
  const which = chosen.length > 1 ? amount(chosen.length, 'message') : `The message${said.id ? ` ${said.id}` : ''}`;
  return said.scope ? `${which} for ${said.scope}/${said.name}` : `${which} that cannot be read`;
}

function PutBack({chosen, problem, onClose}: DoProps) {
  const needDate = chosen.filter(({said}) => said.kind === 'batch' && !said.date);
  const [date, setDate] = useState('');
  const requestOf = (each: Chosen[number]): ApiRequest =>
    ({call: 'RequeuePoison', path: {id: each.message.id}, body: needDate.includes(each) ? {date} : {}});
  const each = useEach(chosen, requestOf, 'put back. Messages that fail again return here with their problem', onClose);
  const [{said}] = chosen as [Chosen[number]];
  const earliest = needDate.map(({message: {insertedAt}}) => insertedAt).sort()[0];
  return html`
    <${Dialog} title="Put back" onClose=${each.close}>
      <form onSubmit=${(e: Event) => {
        e.preventDefault();
        void each.start();
      }}>
        <p>${called(chosen)} ${chosen.length > 1 ? 'return' : 'returns'} to the queue. Keys that have numbers keep them, however often you do this.</p>
        ${problem && html`<p class="muted">Now ${chosen.length > 1 ? 'they' : 'it'} would return here: ${inOneLine(problem)}</p>`}
        ${needDate.length > 0
          ? html`<${Field} label=${DOCUMENT_DATE} type="date" value=${date} onValue=${setDate} required
              hint=${`The day on which ${needDate.length > 1 ? 'they were' : 'it was'} first sent, which selects the period and the texts. It cannot be later than ${moment(earliest)}, when ${needDate.length > 1 ? 'the first of them' : 'the message'} arrived here.`} />`
          : html`<p>${chosen.length > 1 ? 'Each has its own date.' : said.kind === 'batch' ? `It has its own date, ${day(said.date)}.` : `Its ${said.kind} has the dates.`}</p>`}
        <p role="status">${each.progress}</p>
        <p class="actions"><button type="submit" class="primary" disabled=${each.busy || needDate.length > 0 && !date}>Put back</button>
          <button type="button" onClick=${each.close}>${each.closing}</button></p>
      </form>
    <//>`;
}

function Drop({chosen, onClose}: DoProps) {
  const requestOf = (each: Chosen[number]): ApiRequest => ({call: 'DropPoison', path: {id: each.message.id}});
  const each = useEach(chosen, requestOf, 'deleted', onClose);
  return html`
    <${Dialog} title="Delete" onClose=${each.close}>
      <form onSubmit=${(e: Event) => {
        e.preventDefault();
        void each.start();
      }}>
        <p>${called(chosen)} ${chosen.length > 1 ? 'are' : 'is'} deleted forever. Keys in ${chosen.length > 1 ? 'them' : 'it'} stay without numbers until they are sent again.</p>
        <p role="status">${each.progress}</p>
        <p class="actions"><button type="submit" class="primary danger" disabled=${each.busy}>Delete</button>
          <button type="button" onClick=${each.close}>${each.closing}</button></p>
      </form>
    <//>`;
}
