import {html, useState} from '../html.ts';
import {useRequest, useDoing, useMay, type Doing} from '../requests.ts';
import {read, type ApiRequest} from '../api.ts';
import {Chip, Curl, Dialog, Empty, Facts, Field, Loading, ProblemBox} from '../parts.ts';
import {href, sequencePath} from '../router.ts';
import type {View} from '../views.ts';
import {amount, moment} from '../words.ts';

interface Message {
  readonly id: string;
  readonly insertedAt: string;
  readonly expiresAt: string;
  readonly text: string;
  readonly problem?: {readonly title: string; readonly detail: string; readonly type: string};
}

interface Page {
  readonly messages: readonly Message[];
  readonly approximateCount: number;
}

/** What a message seems to be. The service decides; this is only how it is shown. */
interface Meaning {
  readonly kind: 'batch' | 'upload' | 'import' | 'foreign';
  readonly scope?: string;
  readonly name?: string;
  readonly id?: string;
  readonly requests?: string;
  readonly date?: string;
}

const FOREIGN: Meaning = {kind: 'foreign'};
const LISTED: ApiRequest = {call: 'ListPoison'};

function parsed(text: string): any {
  try {
    return read(text);
  } catch {
    // Text that is no JSON is shown unchanged.
    return undefined;
  }
}

function meaning(text: string): Meaning {
  const json = parsed(text);
  if (typeof json !== 'object' || json === null || typeof json.scope !== 'string' || typeof json.name !== 'string') {
    return FOREIGN;
  }
  const of = {scope: json.scope, name: json.name};
  for (const kind of ['upload', 'import'] as const) {
    if (kind in json) {
      return {...of, kind, requests: `part ${json.part}`};
    }
  }
  const requests = Array.isArray(json.keys) ? amount(json.keys.length, 'key') : `${json.count} numbers at once`;
  return {...of, kind: 'batch', id: json.id, date: json.date, requests};
}

function Poison() {
  const {value, problem, busy, again} = useRequest<Page>(LISTED);
  const [said, setSaid] = useState('');
  const done = (what: string) => {
    setSaid(what);
    again();
  };
  return html`
    <div class="head"><h1>Poison queue</h1>
      <p class="actions no-print"><button type="button" onClick=${() => done('')} disabled=${busy}>Refresh</button> <${Curl} request=${LISTED} /></p></div>
    <p class="lead">Messages that could not be numbered, each with the problem that it would have now. Viewing changes nothing.</p>
    <p role="status">${said}</p>
    <${ProblemBox} problem=${problem} again=${again} />
    ${!value && !problem && html`<${Loading} />`}
    ${value && html`<${Messages} page=${value} onDone=${done} />`}`;
}

function Messages({page, onDone}: {page: Page; onDone: (said: string) => void}) {
  if (page.messages.length === 0) {
    return html`<${Empty} title="The poison queue is empty">
      <p>${page.approximateCount > 0
        ? 'Some messages are hidden for a moment, while another user searches for one. Refresh the list.'
        : html`Messages of <code>numbering-requests</code> that can never be numbered, or that failed for ten minutes, are kept here for seven days.`}</p><//>`;
  }
  const hidden = page.approximateCount - page.messages.length;
  return html`
    <p class="count">${hidden > 0 ? `The first ${page.messages.length} of about ${amount(page.approximateCount)} messages` : amount(page.messages.length, 'message')}</p>
    ${page.messages.map(message => html`<${Item} key=${message.id} message=${message} onDone=${onDone} />`)}`;
}

function Item({message, onDone}: {message: Message; onDone: (said: string) => void}) {
  const said = meaning(message.text);
  const [doing, setDoing] = useState<'requeue' | 'drop' | ''>('');
  const mayPutBack = useMay('RequeuePoison');
  const mayDrop = useMay('DropPoison');
  const close = () => setDoing('');
  const heading = `message-${message.id}`;
  return html`
    <article class="card poisoned" aria-labelledby=${heading}>
      <h2 id=${heading}>${said.scope
        ? html`<a href=${href(sequencePath(said.scope, said.name!))}>${said.scope}/${said.name}</a>`
        : 'Unreadable message'} ${message.problem ? html`<${Chip} kind="bad">${message.problem.title}<//>` : html`<${Chip} kind="good">can be numbered now<//>`}</h2>
      ${message.problem && html`<p>${message.problem.detail}</p>`}
      <${Facts} facts=${[
        ...(said.id ? [['Id', html`<span class="mono">${said.id}</span>`] as const] : []),
        ...(said.requests ? [[said.kind === 'batch' ? 'Requests' : `Part of an ${said.kind}`, said.requests] as const] : []),
        ...(said.kind === 'batch' ? [['Date', said.date ?? 'none: the day on which it was sent'] as const] : []),
        ['Arrived', moment(message.insertedAt)],
        ['Expires', moment(message.expiresAt)],
      ]} />
      <details><summary>Show the message</summary><pre class="mono">${message.text}</pre></details>
      <p class="actions no-print">
        ${mayPutBack && said.kind !== 'foreign' && html`<button type="button" onClick=${() => setDoing('requeue')}>Put back …</button>`}
        ${mayDrop && html`<button type="button" class="danger" onClick=${() => setDoing('drop')}>Drop …</button>`}
      </p>
      ${doing === 'requeue' && html`<${PutBack} message=${message} said=${said} onClose=${close} onDone=${onDone} />`}
      ${doing === 'drop' && html`<${Drop} message=${message} said=${said} onClose=${close} onDone=${onDone} />`}
    </article>`;
}

interface DoProps {
  readonly message: Message;
  readonly said: Meaning;
  readonly onClose: () => void;
  readonly onDone: (said: string) => void;
}

function called(said: Meaning): string {
  return said.scope ? `${said.id ? `${said.id} ` : ''}for ${said.scope}/${said.name}` : 'that cannot be read';
}

async function doOnce(doing: Doing<unknown>, request: ApiRequest, then: () => void): Promise<void> {
  if (await doing.start(request)) {
    then();
  }
}

function PutBack({message, said, onClose, onDone}: DoProps) {
  const needsDate = said.kind === 'batch' && !said.date;
  const [date, setDate] = useState('');
  const doing = useDoing();
  const request: ApiRequest = {call: 'RequeuePoison', path: {id: message.id}, body: needsDate ? {date} : {}};
  const submit = (e: Event) => {
    e.preventDefault();
    void doOnce(doing, request, () => {
      onClose();
      onDone(`The message ${called(said)} was put back. It will be numbered in a moment, or return here with its problem.`);
    });
  };
  return html`
    <${Dialog} title="Put back" onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>The message ${called(said)} returns to the queue. Keys that have numbers keep them, however often you do this.</p>
        ${message.problem && html`<p class="muted">It would return here now: ${message.problem.detail}</p>`}
        ${needsDate
          ? html`<${Field} label="Document date" type="date" value=${date} onValue=${setDate} required
              hint=${`The day on which it was first sent: it selects the period and the texts. The message arrived here on ${moment(message.insertedAt)}, so the date is not later.`} />`
          : html`<p>${said.kind === 'batch' ? `It has its own date, ${said.date}.` : `Its ${said.kind} has the dates.`}</p>`}
        <${ProblemBox} problem=${doing.problem} />
        <p class="actions"><button type="submit" class="primary" disabled=${doing.busy || needsDate && !date}>Put back</button>
          <button type="button" onClick=${onClose}>Cancel</button> <${Curl} request=${request} /></p>
      </form>
    <//>`;
}

function Drop({message, said, onClose, onDone}: DoProps) {
  const doing = useDoing();
  const request: ApiRequest = {call: 'DropPoison', path: {id: message.id}};
  const submit = (e: Event) => {
    e.preventDefault();
    void doOnce(doing, request, () => {
      onClose();
      onDone(`The message ${called(said)} was dropped.`);
    });
  };
  return html`
    <${Dialog} title="Drop" onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>The message ${called(said)} is deleted forever. Its keys stay without numbers until they are sent again.</p>
        <${ProblemBox} problem=${doing.problem} />
        <p class="actions"><button type="submit" class="primary danger" disabled=${doing.busy}>Drop</button>
          <button type="button" onClick=${onClose}>Cancel</button> <${Curl} request=${request} /></p>
      </form>
    <//>`;
}

export const poison: View = {path: '/poison', label: 'Poison queue', place: 'page', needs: 'ListPoison', component: Poison};
