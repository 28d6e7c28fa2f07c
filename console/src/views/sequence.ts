import {html, useCallback, useMemo, useState} from '../html.ts';
import {useFresh, useRequest, useDoing, useMay, usePages} from '../requests.ts';
import type {ApiRequest} from '../api.ts';
import {Check, Chip, Curl, Empty, Facts, Field, Loading, Meter, ProblemBox, Problems, StatusChip, Table, type Column} from '../parts.ts';
import {inOneLine} from '../problems.ts';
import {href, pathOf, sequencePath, type Path} from '../router.ts';
import {Chart, type Point} from './chart.ts';
import type {Entry} from './entries.ts';
import {periodsOn, type Counter} from './periods.ts';
import {useStanding} from './standing.ts';
import type {View, ViewProps} from '../views.ts';
import {about, ago, amount, day, dayOf, lasts, moment, nextOf, periodName, shareUsed, textOf, type Definition, type Num, type State} from '../words.ts';

/** The number of last numbers in the chart. */
const DRAWN = 1_000;

function hasKeys(definition: Definition): boolean {
  return !definition.cycle && definition.guarantee !== 'cached' && definition.guarantee !== 'snowflake';
}

function SequenceView({params}: ViewProps) {
  const path = pathOf(params);
  const {definition, counted, state, changes, retiredAt, suspended, again} = useStanding(path);
  const isTemplate = path.scope === '~';
  const periods = usePages<Counter>(counted ? {call: 'ListPeriods', path} : null, periodsOn);
  const mayTake = useMay('Allocate');
  const mayMake = useMay('PutDefinition');
  useFresh(useCallback(() => {
    again();
    periods.again();
  }, []));
  const stored = definition.value;
  return html`
    <${Problems} of=${[definition, state, changes, periods]} />
    ${mayMake && definition.problem?.type === 'unknown-sequence' && html`<p><a class="button primary" href=${href('/new', path)}>Create it</a></p>`}
    ${!stored && !definition.problem && html`<${Loading} />`}
    ${stored?.description && html`<p class="lead">${stored.description}</p>`}
    ${isTemplate && !retiredAt && html`<p>A template: the first number of <strong>${path.name}</strong> in a scope without a definition of its own creates one like it.</p>`}
    ${stored && html`
      <div class="columns">
        <div>
          ${state.value && html`<${Now} state=${state.value} definition=${stored} />`}
          ${!counted && !isTemplate && html`<section class="card"><h2>Ids by the clock</h2>
            <p>A snowflake sequence has no counter: its ids come from the time and the instance, so there is no next number, no ledger and nothing to check.</p></section>`}
          ${state.value && hasKeys(stored) && html`<${Drawn} path=${path} state=${state.value} definition=${stored} />`}
          ${counted && html`<${Periods} path=${path} definition=${stored} rows=${periods} />`}
        </div>
        <div class="beside">
          ${mayTake && !isTemplate && !retiredAt && !suspended && html`<${Take} path=${path} definition=${stored} />`}
        </div>
      </div>`}
    <p class="no-print"><${Curl} request=${{call: counted ? 'ReadState' : 'GetDefinition', path}} /></p>`;
}

/** Returns how many numbers before the next one were not allocated, but imported or skipped. */
function importedOrSkipped({next, allocated}: State, {start, increment = 1, cycle, guarantee}: Definition): bigint {
  return start === undefined || cycle || guarantee === 'cached' ? 0n
    : (BigInt(next) - BigInt(start as Num)) / BigInt(increment) - BigInt(allocated);
}

function Now({state, definition}: {state: State; definition: Definition}) {
  const others = importedOrSkipped(state, definition);
  return html`
    <section class="card now">
      <h2>Next number${state.period ? ` in ${periodName(state.period, definition)}` : ''}</h2>
      <p class="next mono">${nextOf(state, definition)}</p>
      <${Facts} facts=${[
        ['Guarantee', html`<${Chip}>${definition.guarantee}<//>`],
        ['Allocated', amount(state.allocated)],
        ...(others > 0n ? [['Imported or skipped', amount(others)] as const] : []),
        ['Left', html`<span title=${amount(state.left)}>${about(state.left)}</span>`],
        ['Used', html`<${Meter} part=${state.used} label=${shareUsed(state)} warnAtPercent=${definition.warnAtPercent} />`],
        ['Range lasts', state.retiredAt ? 'retired' : lasts(state, definition)],
        ['Last change', html`<span title=${moment(state.changedAt)}>${ago(state.changedAt)}</span>`],
        ...(state.lastDate ? [['Last date', day(state.lastDate)] as const] : []),
        ...(definition['contact'] ? [['Contact', definition['contact']] as const] : []),
      ]} />
    </section>`;
}

/** The columns of the counters. The list of counters has no texts, so all rows show numbers. */
const periodColumns = (definition: Definition): readonly Column<Counter>[] => [
  {title: 'Period', cell: row => row.period ? periodName(row.period, definition) : 'all time'},
  {title: 'Next number', kind: 'number', cell: row => row.problem ? '' : html`<span class="mono">${nextOf(row, definition)}</span>`},
  {title: 'Allocated', kind: 'number', cell: row => row.problem ? '' : amount(row.allocated)},
  {title: 'Used', cell: row => row.problem ? html`<span class="error">${inOneLine(row.problem)}</span>` : html`<${Meter} part=${row.used} label=${shareUsed(row)} warnAtPercent=${definition.warnAtPercent} />`},
  {title: 'Last change', cell: row => row.problem ? '' : html`<span title=${moment(row.changedAt)}>${ago(row.changedAt)}</span>`},
];

function Periods({path, definition, rows}: {path: Path; definition: Definition; rows: ReturnType<typeof usePages<Counter>>}) {
  if (rows.rows.length === 0 && !rows.busy && !rows.problem) {
    return html`<${Empty} title="No numbers yet">
      <p>Allocate the first one here, or by <code>POST …/next</code>. Until then you can change every field of the <a href=${href(sequencePath(path.scope, path.name, 'definition'))}>definition</a>.</p><//>`;
  }
  return html`
    <section>
      <h2>${(definition.resetEvery ?? 'never') === 'never' ? 'Counter' : 'Periods'}</h2>
      <${Table} caption="Counters" columns=${periodColumns(definition)} rows=${rows.rows} keyOf=${(row: Counter) => row.period ?? ''} busy=${rows.busy} more=${rows.more} />
    </section>`;
}

function rangeOfTheLast(state: State, definition: Definition): {from?: string; to?: string} {
  const step = BigInt(definition.increment ?? 1);
  const end = BigInt(state.next);
  const begin = end - step * BigInt(DRAWN);
  return step > 0n ? {from: String(begin)} : {to: String(begin)};
}

/** A chart of the last numbers of the period in the ledger; hidden if there are fewer than two. */
function Drawn({path, state, definition}: {path: Path; state: State; definition: Definition}) {
  const range = rangeOfTheLast(state, definition);
  const {value} = useRequest<{entries: readonly Entry[]}>({call: 'ReadLedger', path, query: {...range, date: dayOf(state.period, definition), limit: DRAWN}});
  const points = useMemo<Point[]>(() => (value?.entries ?? [])
    .filter(entry => entry.kind === 'allocation')
    .map(entry => ({at: entry.allocatedAt, number: entry.last as Num}))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at)), [value]);
  return points.length < 2 ? null : html`<section class="card"><h2>Numbers over time</h2><${Chart} points=${points} /></section>`;
}

interface Allocation {
  readonly key?: string;
  readonly first: Num;
  readonly last: Num;
  readonly count: number;
  readonly texts?: readonly string[];
  readonly replayed?: boolean;
  readonly status?: string;
}

/** Puts the key into a header, because addresses are logged on their way. A key that no header can contain goes into the query. */
function keyOf(key: string, query: Record<string, string>): Pick<ApiRequest, 'query' | 'headers'> {
  const header = key.startsWith('"') ? `"${key.replace(/["\\]/g, '\\$&')}"` : key;
  return !key ? {query} : /^[ -~]*$/.test(key) ? {query, headers: {'Idempotency-Key': header}} : {query: {...query, key}};
}

/** A form that allocates numbers. With a key, pressing the button twice allocates only once. */
function Take({path, definition}: {path: Path; definition: Definition}) {
  const keyed = hasKeys(definition);
  const [key, setKey] = useState('');
  const [count, setCount] = useState('1');
  const [date, setDate] = useState('');
  const [reserve, setReserve] = useState(false);
  const taking = useDoing<Allocation>();
  const request: ApiRequest = {call: 'Allocate', path, ...keyOf(keyed ? key.trim() : '', {count: count === '1' ? '' : count, date, reserve: keyed && reserve ? 'true' : ''})};
  const take = async (e: Event) => {
    e.preventDefault();
    await taking.start(request);
  };
  const got = taking.reply?.body;
  return html`
    <form class="card" onSubmit=${take}>
      <h2>Allocate a number</h2>
      ${keyed && html`<${Field} label="Key" value=${key} onValue=${setKey} maxlength="255" required=${definition.guarantee === 'gapless'} autocomplete="off" spellcheck=${false}
        hint=${`A name that you know before the number, such as cart-9001. The same key always gets the same number${definition.guarantee === 'gapless' ? '' : '; without one each press allocates another'}.`} />`}
      <div class="grid">
        <${Field} label="How many" type="number" min="1" max="10000" value=${count} onValue=${setCount} required />
        <${Field} label="Date" type="date" value=${date} onValue=${setDate} hint="Of the document. Empty: today." />
      </div>
      ${keyed && html`<${Check} label="Reserve only: confirm or void later" checked=${reserve} onChecked=${setReserve} disabled=${!key} />`}
      <p class="actions"><button type="submit" class="primary" disabled=${taking.busy}>Allocate</button> <${Curl} request=${request} /></p>
      <${ProblemBox} problem=${taking.problem} />
      <div role="status">${got && html`
        <p class="got"><span class="mono">${textOf(got)}</span> ${got.status && html`<${StatusChip} status=${got.status} />`}</p>
        <p class="muted">${got.replayed ? 'Already allocated to this key.' : got.count > 1 ? `${amount(got.count)} numbers, from ${got.first} to ${got.last}.` : 'Allocated.'}
          ${got.key && html` <a href=${href(sequencePath(path.scope, path.name, 'who'), {q: got.key})}>Show it in the ledger</a>`}</p>`}
      </div>
    </form>`;
}

export const sequence: View = {path: '/sequences/:scope/:name', label: 'Overview', place: 'sequence', component: SequenceView};
