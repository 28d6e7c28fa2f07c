import {html, useState} from '../html.ts';
import {useAsk, useDoing, useMay, type Doing} from '../asks.ts';
import {read, type Ask} from '../api.ts';
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
  readonly asks?: string;
  readonly date?: string;
}

const FOREIGN: Meaning = {kind: 'foreign'};
const LISTED: Ask = {call: 'ListPoison'};

function parsed(text: string): any {
  try {
    return read(text);
  } catch {
    // What is no JSON is shown as it stands.
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
      return {...of, kind, asks: `part ${json.part}`};
    }
  }
  const asks = Array.isArray(json.keys) ? amount(json.keys.length, 'key') : `${json.count} numbers at once`;
  return {...of, kind: 'batch', id: json.id, date: json.date, asks};
}

function Poison() {
  const {value, problem, busy, again} = useAsk<Page>(LISTED);
  const [said, setSaid] = useState('');
  const done = (what: string) => {
    setSaid(what);
    again();
  };
  return html`
    <div class="head"><h1>Poison queue</h1>
      <p class="actions no-print"><button type="button" onClick=${() => done('')} disabled=${busy}>Look again</button> <${Curl} ask=${LISTED} /></p></div>
    <p class="lead">Messages of the queue that could not be numbered, and what each would meet if it were put back now. Looking changes nothing.</p>
    <p role="status">${said}</p>
    <${ProblemBox} problem=${problem} again=${again} />
    ${!value && !problem && html`<${Loading} />`}
    ${value && html`<${Messages} page=${value} onDone=${done} />`}`;
}

function Messages({page, onDone}: {page: Page; onDone: (said: string) => void}) {
  if (page.messages.length === 0) {
    return html`<${Empty} title="Nothing is poisoned">
      <p>${page.approximateCount > 0
        ? 'Some messages are hidden for a moment, since somebody looks for one. Look again.'
        : html`Every message of <code>numbering-requests</code> was numbered, or waits for its turn. What can never be numbered, and what failed for ten minutes, lies here for seven days.`}</p><//>`;
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
        : 'No batch at all'} ${message.problem ? html`<${Chip} kind="bad">${message.problem.title}<//>` : html`<${Chip} kind="good">would be numbered now<//>`}</h2>
      ${message.problem && html`<p>${message.problem.detail}</p>`}
      <${Facts} facts=${[
        ...(said.id ? [['Id', html`<span class="mono">${said.id}</span>`] as const] : []),
        ...(said.asks ? [[said.kind === 'batch' ? 'Asks for' : `Of an ${said.kind}`, said.asks] as const] : []),
        ...(said.kind === 'batch' ? [['Date', said.date ?? 'none: the day it was sent'] as const] : []),
        ['Came here', moment(message.insertedAt)],
        ['Is dropped', moment(message.expiresAt)],
      ]} />
      <details><summary>The whole message</summary><pre class="mono">${message.text}</pre></details>
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
  return said.scope ? `${said.id ? `${said.id} ` : ''}for ${said.scope}/${said.name}` : 'that is no batch';
}

async function doOnce(doing: Doing<unknown>, ask: Ask, then: () => void): Promise<void> {
  if (await doing.start(ask)) {
    then();
  }
}

function PutBack({message, said, onClose, onDone}: DoProps) {
  const needsDate = said.kind === 'batch' && !said.date;
  const [date, setDate] = useState('');
  const doing = useDoing();
  const ask: Ask = {call: 'RequeuePoison', path: {id: message.id}, body: needsDate ? {date} : {}};
  const submit = (e: Event) => {
    e.preventDefault();
    void doOnce(doing, ask, () => {
      onClose();
      onDone(`The message ${called(said)} was put back. It is numbered in a moment, or comes here again with what was in its way.`);
    });
  };
  return html`
    <${Dialog} title="Put back" onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>The message ${called(said)} goes to the queue again. A key that has its number keeps it, however often that is done.</p>
        ${message.problem && html`<p class="muted">As things are it would come back here: ${message.problem.detail}</p>`}
        ${needsDate
          ? html`<${Field} label="Date that it meant" type="date" value=${date} onValue=${setDate} required
              hint=${`The day on which it was first sent, by which its period and texts are chosen. It came here on ${moment(message.insertedAt)}, so it is not a later one.`} />`
          : html`<p>${said.kind === 'batch' ? `It names its own date, ${said.date}.` : `Its ${said.kind} knows the dates.`}</p>`}
        <${ProblemBox} problem=${doing.problem} />
        <p class="actions"><button type="submit" class="primary" disabled=${doing.busy || needsDate && !date}>Put back</button>
          <button type="button" onClick=${onClose}>Cancel</button> <${Curl} ask=${ask} /></p>
      </form>
    <//>`;
}

function Drop({message, said, onClose, onDone}: DoProps) {
  const doing = useDoing();
  const ask: Ask = {call: 'DropPoison', path: {id: message.id}};
  const submit = (e: Event) => {
    e.preventDefault();
    void doOnce(doing, ask, () => {
      onClose();
      onDone(`The message ${called(said)} was dropped.`);
    });
  };
  return html`
    <${Dialog} title="Drop" onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>The message ${called(said)} is gone for ever then. What it asked for stays without numbers until its sender sends it again.</p>
        <${ProblemBox} problem=${doing.problem} />
        <p class="actions"><button type="submit" class="primary danger" disabled=${doing.busy}>Drop</button>
          <button type="button" onClick=${onClose}>Cancel</button> <${Curl} ask=${ask} /></p>
      </form>
    <//>`;
}

export const poison: View = {path: '/poison', label: 'Poison queue', place: 'page', needs: 'ListPoison', component: Poison};
