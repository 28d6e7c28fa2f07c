import {html, useCallback, useState} from '../html.ts';
import {useFresh, useDoing, useMay, usePages} from '../requests.ts';
import type {ApiRequest} from '../api.ts';
import {Check, Chip, Curl, Empty, Facts, Field, Loading, Meter, ProblemBox, Problems, StatusChip, Table, type Column} from '../parts.ts';
import {inOneLine} from '../problems.ts';
import {href, pathOf, sequencePath, type Path} from '../router.ts';
import {PerMonth} from './perMonth.ts';
import {periodsOn, type Counter} from './periods.ts';
import {keyOf} from './keys.ts';
import {useStanding} from './standing.ts';
import {ALLOCATED, CHIPS, CONTACT, DATE, GUARANTEE, HOW_MANY, KEY, LAST_CHANGE, LEFT, NEXT_NUMBER, PERIOD, PERIODS, USED} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {about, ago, amount, day, isFinite, lasts, moment, nextOf, periodName, shareUsed, textOf, type Definition, type Num, type State} from '../words.ts';

function hasKeys(definition: Definition): boolean {
  return !definition.cycle && definition.guarantee !== 'cached' && definition.guarantee !== 'snowflake';
}

/** The overview of a sequence: its next number and its periods, with a form that allocates. */
export function SequenceView({params}: ViewProps) {
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
          ${state.value && hasKeys(stored) && html`<${PerMonth} path=${path} state=${state.value} definition=${stored} />`}
          ${counted && html`<${Periods} path=${path} definition=${stored} rows=${periods} />`}
        </div>
        <div class="beside">
          ${mayTake && !isTemplate && !retiredAt && !suspended && html`<${Take} path=${path} definition=${stored} />`}
        </div>
      </div>`}
    <${Curl} request=${{call: counted ? 'ReadState' : 'GetDefinition', path}} />`;
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
        [GUARANTEE, html`<${Chip}>${definition.guarantee}<//>`],
        [ALLOCATED, amount(state.allocated)],
        ...(others > 0n ? [['Imported or skipped', amount(others)] as const] : []),
        ...(isFinite(state) ? [[LEFT, html`<span title=${amount(state.left)}>${about(state.left)}</span>`],
        [USED, html`<${Meter} part=${state.used} label=${shareUsed(state)} warnAtPercent=${definition.warnAtPercent} />`],
        ['Range lasts', state.retiredAt ? CHIPS.retired : lasts(state, definition)]] as const : []),
        [LAST_CHANGE, html`<span title=${moment(state.changedAt)}>${ago(state.changedAt)}</span>`],
        ...(state.lastDate ? [['Last date', day(state.lastDate)] as const] : []),
        ...(definition['contact'] ? [[CONTACT, String(definition['contact']).split(/(?<=@)/).map((part, i) => html`${i > 0 && html`<wbr />`}${part}`)] as const] : []),
      ]} />
    </section>`;
}

/** The columns of the counters. The list of counters has no texts, so all rows show numbers. */
const periodColumns = (definition: Definition): readonly Column<Counter>[] => [
  {title: PERIOD, cell: row => row.period ? periodName(row.period, definition) : 'all time'},
  {title: NEXT_NUMBER, kind: 'number', cell: row => row.problem ? '' : html`<span class="mono">${nextOf(row, definition)}</span>`},
  {title: ALLOCATED, kind: 'number', cell: row => row.problem ? '' : amount(row.allocated)},
  {title: USED, cell: row => row.problem ? html`<span class="error">${inOneLine(row.problem)}</span>` : isFinite(row) && html`<${Meter} part=${row.used} label=${shareUsed(row)} warnAtPercent=${definition.warnAtPercent} />`},
  {title: LAST_CHANGE, cell: row => row.problem ? '' : html`<span title=${moment(row.changedAt)}>${ago(row.changedAt)}</span>`},
];

function Periods({path, definition, rows}: {path: Path; definition: Definition; rows: ReturnType<typeof usePages<Counter>>}) {
  if (rows.rows.length === 0 && !rows.busy && !rows.problem) {
    return html`<${Empty} title="No numbers yet">
      <p>Allocate the first one here, or by <code>POST …/next</code>. Until then you can change <a href=${href(sequencePath(path.scope, path.name, 'definition'))}>every field of the definition</a>.</p><//>`;
  }
  return html`
    <section>
      <h2>${(definition.resetEvery ?? 'never') === 'never' ? 'Counter' : PERIODS}</h2>
      <${Table} caption="Counters" columns=${periodColumns(definition)} rows=${rows.rows} keyOf=${(row: Counter) => row.period ?? ''} busy=${rows.busy} more=${rows.more} />
    </section>`;
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

const newKey = () => `console-${crypto.randomUUID()}`;

/** A form that allocates numbers. With a key, pressing the button twice allocates only once. */
function Take({path, definition}: {path: Path; definition: Definition}) {
  const keyed = hasKeys(definition);
  const [key, setKey] = useState('');
  const [count, setCount] = useState('1');
  const [date, setDate] = useState('');
  const [reserve, setReserve] = useState(false);
  // Repeating a request without a key would allocate another number after a lost answer.
  const [ownKey, setOwnKey] = useState(newKey);
  const taking = useDoing<Allocation>();
  const request: ApiRequest = {call: 'Allocate', path, ...keyOf(keyed ? key.trim() || ownKey : '', {count: count === '1' ? '' : count, date, reserve: keyed && reserve ? 'true' : ''})};
  const take = async (e: Event) => {
    e.preventDefault();
    if (await taking.start(request)) {
      setOwnKey(newKey());
    }
  };
  const got = taking.reply?.body;
  return html`
    <form class="card" onSubmit=${take}>
      <h2>Allocate a number</h2>
      ${keyed && html`<${Field} label=${KEY} value=${key} onValue=${setKey} maxlength="255" required=${definition.guarantee === 'gapless'} autocomplete="off" spellcheck=${false}
        hint=${`A name that you know before the number, such as cart-9001. The same key always gets the same number${definition.guarantee === 'gapless' ? '' : '. If it is empty, this page makes one for each number'}.`} />`}
      <div class="grid">
        <${Field} label=${HOW_MANY} type="number" min="1" max="10000" value=${count} onValue=${setCount} required />
        <${Field} label=${DATE} type="date" value=${date} onValue=${setDate} hint="Of the document. Empty: today." />
      </div>
      ${keyed && html`<${Check} label="Reserve only: confirm or void later" checked=${reserve} onChecked=${setReserve} />`}
      <p class="actions"><button type="submit" class="primary" disabled=${taking.busy}>Allocate</button> <${Curl} request=${request} /></p>
      <${ProblemBox} problem=${taking.problem} />
      <div role="status">${got && html`
        <p class="got"><span class="mono">${textOf(got)}</span> ${got.status && html`<${StatusChip} status=${got.status} />`}</p>
        <p class="muted">${got.replayed ? 'Already allocated to this key.' : got.count > 1 ? `${amount(got.count)} numbers, from ${got.first} to ${got.last}.` : `${ALLOCATED}.`}
          ${got.key && html` <a href=${href(sequencePath(path.scope, path.name, 'who'), {q: got.key})}>Show it in the ledger</a>`}</p>`}
      </div>
    </form>`;
}
