import {html, useEffect, useRef, useState} from '../html.ts';
import {useAnswer, useRequest, useDoing, useMay, useUnknown} from '../requests.ts';
import {allOf, send, type ApiRequest} from '../api.ts';
import {By, Chip, Curl, Dialog, Empty, Facts, Field, Loading, ProblemBox, RecordedBy, StatusChip, Table, type Column} from '../parts.ts';
import {focusResult, go, href, pathOf, sequencePath, type Path} from '../router.ts';
import {numbersOf, type Entry} from './entries.ts';
import {History} from './history.ts';
import {ReplaceDialog} from './replace.ts';
import {periodsOf, periodsOn} from './periods.ts';
import {ALLOCATED, CANCEL, CHIPS, CONFIRM, DOCUMENT_DATE, KEY, NUMBER, PERIOD, REASON, SEARCH, SHOWN_IN_THE_LEDGER, SKIPPED, STATUS, TEXT, TEXT_NUMBER_OR_KEY, VOID, VOIDED_FOREVER, VOID_AND_REPLACE, WHO_GOT_IT} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, day, dayOf, moment, nextOf, periodName, textOf, type Definition, type Num, type State} from '../words.ts';

interface Page {
  readonly entries: readonly Entry[];
}

/** An entry, how the search found it, and the request that returned it. */
interface Found {
  readonly entry: Entry;
  readonly as: string;
  readonly request: ApiRequest;
}

interface Result {
  readonly found: readonly Found[];
  /** The reason why nothing was found; missing otherwise. */
  readonly because?: string;
}

const DIGITS = /^-?\d{1,19}$/;
/** The largest absolute value of a number. Digits beyond it can only be a key. */
const LARGEST_NUMBER = 4n * 10n ** 18n;
/** The most periods to search for a number, newest first, because each period may contain it. */
const PERIODS = 24;

function isNumber(typed: string): boolean {
  return DIGITS.test(typed) && BigInt(typed) <= LARGEST_NUMBER && BigInt(typed) >= -LARGEST_NUMBER;
}

async function lookUp(path: Path, query: ApiRequest['query'], as: (entry: Entry) => string, signal: AbortSignal): Promise<readonly Found[]> {
  const request: ApiRequest = {call: 'ReadLedger', path, query};
  return (await send<Page>(request, signal)).body.entries.map(entry => ({entry, as: as(entry), request}));
}

async function asNumber(path: Path, number: string, periods: readonly State[], definition: Definition | undefined, signal: AbortSignal): Promise<readonly Found[]> {
  const as = ({period}: Entry) => period ? `number ${number} of ${periodName(period, definition)}` : `number ${number}`;
  const pages = await Promise.all(periods.slice(-PERIODS).reverse()
    .map(({period}) => lookUp(path, {from: number, to: number, date: dayOf(period, definition)}, as, signal)));
  return pages.flat().filter(({entry}) => has(entry, BigInt(number)));
}

/** Whether an entry contains a number. If the increment is not 1, an allocation skips the numbers between its own. */
function has({first, last, count}: Entry, number: bigint): boolean {
  const steps = BigInt(count ?? 1) - 1n;
  return steps < 1n || (number - BigInt(first)) % ((BigInt(last) - BigInt(first)) / steps) === 0n;
}

/** Searches for a text, a key and a number at once. An entry that two of them find is shown once. */
async function search(path: Path, typed: string, definition: Definition | undefined, signal: AbortSignal): Promise<Result> {
  const periods = isNumber(typed) ? allOf(periodsOf(path), periodsOn, signal) : Promise.resolve([]);
  const all = (await Promise.all([
    lookUp(path, {text: typed}, () => 'text', signal),
    lookUp(path, {key: typed}, () => 'key', signal),
    periods.then(each => asNumber(path, typed, each, definition, signal)),
  ])).flat();
  const once = new Map(all.reverse().map(found => [`${found.entry.period} ${found.entry.first}`, found]));
  const found = [...once.values()].reverse();
  return {found, because: found.length > 0 ? undefined : await why(path, typed, (await periods).length, definition, signal)};
}

/** Whether a number comes before the next one of its period. */
function isBefore(number: Num, next: Num, definition: Definition | undefined): boolean {
  const [one, other] = [BigInt(number), BigInt(next)];
  return BigInt(definition?.increment ?? 1) > 0n ? one < other : one > other;
}

/** Whether a sequence can allocate a number: it is a whole number of increments after the start. */
function isOfSeries(number: Num, definition: Definition | undefined): boolean {
  if (definition?.['start'] === undefined || definition.cycle) {
    return true;
  }
  const distance = BigInt(number) - BigInt(definition['start'] as Num);
  const step = BigInt(definition.increment ?? 1);
  return distance % step === 0n && distance / step >= 0n;
}

/** Returns why nothing was found, as far as is known. */
async function why(path: Path, typed: string, periods: number, definition: Definition | undefined, signal: AbortSignal): Promise<string> {
  const unread = periods > PERIODS ? ` As a number it was searched in the last ${PERIODS} of ${amount(periods)} periods only.` : '';
  try {
    const {body} = await send<{number: Num; period?: string}>({call: 'ParseText', path, body: {text: typed}}, signal);
    const {body: state} = await send<State>({call: 'ReadState', path, query: {date: dayOf(body.period, definition)}}, signal);
    return `${typed} is number ${body.number}${body.period ? ` of ${periodName(body.period, definition)}` : ''}, ${!isOfSeries(body.number, definition) ? 'which is not a number of this sequence'
      : isBefore(body.number, state.next, definition) ? 'which no key has: it was allocated without one, or skipped' : 'which has not been allocated yet'}. The next number is ${nextOf(state)}.${unread}`;
  } catch (e) {
    const said = e instanceof Error ? e.message : String(e);
    return `No key or number in the ledger matches; numbers that were allocated without a key are not in it. As a text: ${said}${unread}`;
  }
}

/** The entry of a text, a number or a key, with its history and its neighbors. */
export function Who({params, query}: ViewProps) {
  const path = pathOf(params);
  const requested = (query.get('q') ?? '').trim();
  const [typed, setTyped] = useState(requested);
  useEffect(() => setTyped(requested), [requested]);
  const definition = useRequest<Definition>({call: 'GetDefinition', path});
  // The key may open only the ledger. Periods then appear as they are stored.
  const request: ApiRequest | null = requested && !definition.busy ? {call: 'ReadLedger', path, query: {text: requested}} : null;
  const {value: answer, problem, busy, again} = useAnswer<Result>(request, async (_, report, signal) => report(await search(path, requested, definition.value, signal)));
  useUnknown(again);
  const found = answer?.found.length;
  useEffect(() => {
    if (found === 1) {
      focusResult('.entry h3');
    }
  }, [answer]);
  const look = (e: Event) => {
    e.preventDefault();
    const wanted = typed.trim();
    if (wanted === requested) {
      again();
    } else {
      go(sequencePath(path.scope, path.name, 'who'), {q: wanted});
    }
  };
  return html`
    <h2>${WHO_GOT_IT}</h2>
    <form class="lookup" role="search" onSubmit=${look}>
      <${Field} label=${TEXT_NUMBER_OR_KEY} type="search" value=${typed} onValue=${setTyped} maxlength="255" autocomplete="off" spellcheck=${false} autofocus
          hint="As printed (INV-2026-000042), as a number (42), or by its key (cart-9001)." />
      <button type="submit" class="primary">${SEARCH}</button>
    </form>
    ${(busy || requested && definition.busy) && html`<${Loading} />`}
    <${ProblemBox} problem=${problem} again=${again} />
    <div aria-live="polite">
      ${answer?.because && html`<${Empty} title="No matching number"><p>${answer.because}</p>
        <p><a href=${href(sequencePath(path.scope, path.name, 'ledger'), {prefix: requested})}>Keys that start with “${requested}”</a></p><${Curl} request=${request} /><//>`}
      ${answer?.found.map(found => html`<${One} key=${`${found.entry.period} ${found.entry.first}`} path=${path} definition=${definition.value} found=${found} onChanged=${again} />`)}
    </div>`;
}

function One({path, definition, found: {entry, as, request}, onChanged}: {path: Path; definition: Definition | undefined; found: Found; onChanged: () => void}) {
  const [doing, setDoing] = useState<'' | 'void' | 'issued' | 'replace'>('');
  const mayChange = useMay('ChangeStatus') && !!entry.key && entry.status !== 'void';
  const heading = useRef<HTMLHeadingElement>(null);
  const [said, setSaid] = useState('');
  const mayReplace = useMay('Allocate');
  const changed = (what: string) => {
    setDoing('');
    setSaid(what);
    onChanged();
  };
  // The button that opened the dialog is gone, so the focus moves to the entry.
  useEffect(() => {
    if (said) {
      heading.current?.focus();
    }
  }, [said]);
  return html`
    <section class="card entry">
      <p class="as">Found as ${as}</p>
      <p class="unseen" role="status">${said}</p>
      <h3 ref=${heading} tabindex="-1"><span class="mono">${textOf(entry)}</span> ${entry.kind === 'advance' ? html`<${Chip} kind="warn">${CHIPS.skipped}<//>` : html`<${StatusChip} status=${entry.status} />`}
        ${entry.kind === 'import' && html` <${Chip}>imported<//>`}</h3>
      <${Facts} facts=${[
        ...(entry.key ? [[KEY, html`<span class="mono">${entry.key}</span>`] as const] : []),
        [NUMBER, entry.first === entry.last ? String(entry.first) : `${entry.first} to ${entry.last} (${amount(entry.count ?? 0)})`],
        ...(entry.period ? [[PERIOD, periodName(entry.period, definition)] as const] : []),
        ...(entry.date ? [[DOCUMENT_DATE, day(entry.date)] as const] : []),
        ...(entry.kind === 'advance' ? [[SKIPPED, html`<${By} at=${entry.allocatedAt} actor=${entry.actor} id=${entry.actorId} />`] as const] : []),
        ...(entry.kind === 'advance' && entry.reason ? [[REASON, entry.reason] as const] : []),
      ]} />
      ${entry.key && html`<${History} key=${`history ${entry.statusAt}`} path=${path} entry=${entry} />`}
      ${mayChange && html`<p class="actions no-print">
        ${entry.status === 'reserved' && html`<button type="button" class="primary" onClick=${() => setDoing('issued')}>${CONFIRM}</button>`}
        <button type="button" class="danger" onClick=${() => setDoing('void')}>${VOID}</button>
        ${mayReplace && html`<button type="button" onClick=${() => setDoing('replace')}>${VOID_AND_REPLACE}</button>`}</p>`}
      ${doing === 'void' && html`<${VoidDialog} path=${path} entry=${entry} onDone=${() => changed(`${textOf(entry)} is voided.`)} onClose=${() => setDoing('')} />`}
      ${doing === 'replace' && html`<${ReplaceDialog} path=${path} entry=${entry} onDone=${changed} onClose=${() => setDoing('')} />`}
      ${doing === 'issued' && html`<${ConfirmDialog} path=${path} entry=${entry} onDone=${() => changed(`${textOf(entry)} is confirmed.`)} onClose=${() => setDoing('')} />`}
      <${Neighbors} key=${entry.statusAt} path=${path} definition=${definition} entry=${entry} />
      <${Curl} request=${request} />
    </section>`;
}

interface StatusProps {
  readonly path: Path;
  readonly entry: Entry;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function VoidDialog({path, entry, onDone, onClose}: StatusProps) {
  const isOne = (entry.count ?? 1) === 1;
  const [reason, setReason] = useState('');
  const doing = useDoing();
  const submit = async (e: Event) => {
    e.preventDefault();
    if (await doing.start({call: 'ChangeStatus', path, body: {key: entry.key, status: 'void', reason: reason.trim()}})) {
      onDone();
    }
  };
  return html`
    <${Dialog} title=${`Void ${textOf(entry)}`} onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>${isOne ? 'The number' : `All ${numbersOf([entry])}`} of the key <span class="mono">${entry.key}</span> ${VOIDED_FOREVER} ${isOne ? 'It stays' : 'They stay'} in the ledger; new numbers need another key.</p>
        <${Field} label=${REASON} value=${reason} onValue=${setReason} required maxlength="200" hint=${SHOWN_IN_THE_LEDGER} />
        <${RecordedBy} />
        <${ProblemBox} problem=${doing.problem} />
        <p class="actions"><button type="submit" class="primary danger" disabled=${doing.busy}>${VOID}</button> <button type="button" onClick=${onClose}>${CANCEL}</button></p>
      </form>
    <//>`;
}

function ConfirmDialog({path, entry, onDone, onClose}: StatusProps) {
  const doing = useDoing();
  const submit = async (e: Event) => {
    e.preventDefault();
    if (await doing.start({call: 'ChangeStatus', path, body: {key: entry.key, status: 'issued'}})) {
      onDone();
    }
  };
  return html`
    <${Dialog} title=${`Confirm ${textOf(entry)}`} onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>The numbers reserved under the key <span class="mono">${entry.key}</span> become issued.</p>
        <${ProblemBox} problem=${doing.problem} />
        <p class="actions"><button type="submit" class="primary" disabled=${doing.busy}>${CONFIRM}</button> <button type="button" onClick=${onClose}>${CANCEL}</button></p>
      </form>
    <//>`;
}

const least = (a: bigint, b: bigint) => a < b ? a : b;
const greatest = (a: bigint, b: bigint) => a > b ? a : b;

/** The entries before and after. */
function Neighbors({path, definition, entry}: {path: Path; definition: Definition | undefined; entry: Entry}) {
  const step = BigInt(definition?.increment ?? 1);
  const [before, after] = [BigInt(entry.first) - step, BigInt(entry.last) + step];
  const {value, problem} = useRequest<Page>(definition
    ? {call: 'ReadLedger', path, query: {from: String(least(before, after)), to: String(greatest(before, after)), date: dayOf(entry.period, definition)}} : null);
  const columns: readonly Column<Entry>[] = [
    {title: TEXT, cell: row => row.first === entry.first ? html`<strong class="mono">${textOf(row)}</strong>`
      : html`<a class="mono" href=${href(sequencePath(path.scope, path.name, 'who'), {q: row.key ?? String(row.first)})}>${textOf(row)}</a>`},
    {title: KEY, cell: row => row.key ? html`<span class="mono">${row.key}</span>` : html`<span class="muted">${CHIPS.skipped}</span>`},
    {title: ALLOCATED, cell: row => moment(row.allocatedAt)},
    {title: STATUS, cell: row => row.kind === 'advance' ? '' : html`<${StatusChip} status=${row.status} />`},
  ];
  return html`
    <${ProblemBox} problem=${problem} />
    ${value && value.entries.length > 1 && html`<h4>Neighboring numbers</h4>
      <${Table} caption="The entry and its neighbors" columns=${columns} rows=${value.entries} keyOf=${(row: Entry) => String(row.first)} />`}
    ${value && value.entries.length === 1 && html`<p class="muted">There are no neighboring entries: it is the only one, or its neighbors were allocated without a key.</p>`}`;
}
