import './books.css';
import {html, useMemo, useState} from '../html.ts';
import type {ApiRequest} from '../api.ts';
import {useAll, useAnswer, useRequest} from '../requests.ts';
import {audit, sizeOf, type Audit, type Gap} from '../audit.ts';
import {Chip, Curl, Empty, Facts, Field, Loading, ProblemBox, Table, type Column} from '../parts.ts';
import {go, pathOf, sequencePath, type Path} from '../router.ts';
import type {View, ViewProps} from '../views.ts';
import {amount, dayOf, moment, periodName, type Definition, type Num, type State} from '../words.ts';
import {EntryLink, LedgerFile, Marked} from './monthEndLedger.ts';
import {periodsOf, periodsOn} from './periods.ts';

/** Whether every number is accounted for: an accountant's question at the end of a month, to print or to save as a table. */
export const monthEnd: View = {
  path: '/sequences/:scope/:name/check', label: 'Month end', place: 'sequence', needs: 'CheckLedger', component: MonthEnd,
};

const ALL = 'all';

/** The question, as the address has it. */
type Question = {readonly period: string; readonly from: string; readonly to: string; readonly before: string};

function MonthEnd({params, query}: ViewProps) {
  const path = pathOf(params);
  const definition = useRequest<Definition>({call: 'GetDefinition', path});
  const resets = (definition.value?.resetEvery ?? 'never') !== 'never';
  const state = useRequest<State>(resets ? {call: 'ReadState', path} : null);
  const isReady = !!definition.value && (!resets || !state.busy);
  if (!isReady) {
    return definition.problem ? html`<${ProblemBox} problem=${definition.problem} again=${definition.again} />` : html`<${Loading} />`;
  }
  const question: Question = {
    period: resets ? query.get('period') ?? state.value?.period ?? ALL : '',
    from: query.get('from') ?? '',
    to: query.get('to') ?? '',
    before: query.get('before') ?? '',
  };
  return html`
    <${Form} key=${JSON.stringify(question)} path=${path} definition=${definition.value} question=${question} />
    <${Report} path=${path} question=${question} definition=${definition.value!} />
    <${LedgerFile} path=${path} definition=${definition.value!} />`;
}

function Form({path, definition, question}: {path: Path; definition: Definition; question: Question}) {
  const [requested, setRequested] = useState(question);
  const set = (field: keyof Question) => (value: string) => setRequested({...requested, [field]: value});
  const check = (e: Event) => {
    e.preventDefault();
    go(sequencePath(path.scope, path.name, 'check'), requested);
  };
  return html`
    <form class="bar no-print" aria-label="What to check" onSubmit=${check}>
      ${question.period && html`<${PeriodField} path=${path} definition=${definition} value=${requested.period} onValue=${set('period')} />`}
      <${Field} label="From number" value=${requested.from} onValue=${set('from')} inputmode="numeric" pattern="-?[0-9]*" placeholder="the first" size="12" />
      <${Field} label="To number" value=${requested.to} onValue=${set('to')} inputmode="numeric" pattern="-?[0-9]*" placeholder="the last" size="12" />
      <${Field} label="Reserved before" type="date" value=${requested.before} onValue=${set('before')} />
      <p class="actions"><button type="submit" class="primary">Check</button></p>
    </form>`;
}

function PeriodField({path, definition, value, onValue}: {path: Path; definition: Definition; value: string; onValue: (value: string) => void}) {
  const {value: states = []} = useAll(periodsOf(path), periodsOn);
  const periods = states.map(state => state.period!);
  const known = periods.includes(value) || value === ALL ? periods : [...periods, value];
  return html`<${Field} label="Period" as="select" value=${value} onValue=${onValue}
    options=${[...known.sort().reverse().map(period => [period, periodName(period, definition)]), [ALL, 'All periods']]} />`;
}

function Report({path, question, definition}: {path: Path; question: Question; definition: Definition}) {
  const increment = definition.increment ?? 1;
  const date = question.period === ALL ? undefined : dayOf(question.period);
  const range = {date, from: question.from, to: question.to};
  const request: ApiRequest = {
    call: 'CheckLedger', path, query: {...range, reservedBefore: question.before && `${question.before}T00:00:00Z`},
  };
  const {value: audits = [], problem, busy, round, again} = useAnswer<readonly Audit[]>(request, (requested, report, signal) => {
    // An earlier verdict would look like the present one.
    report([]);
    return audit(requested, report, signal);
  });
  if (problem) {
    return html`<${ProblemBox} problem=${problem} again=${again} />`;
  }
  const judged = audits.filter(({from}) => from !== undefined);
  if (!busy && judged.length === 0) {
    return html`<${Empty} title="No numbers to check yet">
      <p>No number has been allocated ${question.period && question.period !== ALL ? `in ${periodName(question.period, definition)}` : 'here'}.
        Allocate the first one under Overview, or choose another period or range.</p><//>`;
  }
  return html`
    <section class="report" aria-label="Check" aria-busy=${busy}>
      ${busy ? html`<${Loading} />` : html`<${Verdict} audits=${judged} increment=${increment} />`}
      <${Sums} path=${path} question=${question} audits=${judged} definition=${definition} />
      ${judged.length > 1 && html`<${Periods} audits=${judged} definition=${definition} />`}
      <${Gaps} path=${path} audits=${judged} definition=${definition} />
      <${Marked} key=${`void ${round}`} title="Voided" path=${path} range=${range} status="void" />
      <${Marked} key=${`reserved ${round}`} title=${question.before ? 'All reserved numbers' : 'Reserved'} path=${path} range=${range} status="reserved" />
      <p class="actions no-print">
        <button type="button" onClick=${() => print()}>Print</button>
        <button type="button" onClick=${again}>Check again</button>
        <${Curl} request=${request} />
      </p>
    </section>`;
}

/** What each kind of gap is, and how bad. */
const KINDS = {
  missing: ['bad', 'missing', 'The ledger has no row of these numbers, so rows were removed or an old backup was restored. Contact the operator.'],
  twice: ['bad', 'twice', 'These numbers have two keys: another program wrote into the ledger. Contact the operator.'],
  unrecorded: ['warn', 'unrecorded', 'Allocated without a key, or skipped. A strict sequence keeps no row of these.'],
  advanced: ['quiet', 'skipped', 'The sequence was advanced past these numbers: they belong to no key.'],
} as const;

function countOf(audits: readonly Audit[], kinds: readonly Gap['kind'][], increment: Num): number {
  return audits.flatMap(({gaps}) => gaps).filter(({kind}) => kinds.includes(kind))
    .reduce((sum, gap) => sum + sizeOf(gap, increment), 0);
}

function Verdict({audits, increment}: {audits: readonly Audit[]; increment: Num}) {
  const wrong = countOf(audits, ['missing', 'twice'], increment);
  const unrecorded = countOf(audits, ['unrecorded'], increment);
  const [kind, sign, said] = wrong ? ['bad', '✕', `${amount(wrong, 'number')} cannot be accounted for`]
    : unrecorded ? ['warn', '!', `Nothing is missing, but ${amount(unrecorded, 'number')} ${unrecorded === 1 ? 'has' : 'have'} no entry`]
    : ['good', '✓', 'Every number is accounted for'];
  const reserved = audits.reduce((sum, audit) => sum + audit.reserved, 0);
  return html`
    <div class=${`verdict ${kind}`} role="status">
      <span class="sign" aria-hidden="true">${sign}</span>
      <div><h2>${said}</h2>
        ${reserved > 0 && html`<p>${amount(reserved, 'number')} ${reserved === 1 ? 'is' : 'are'} still reserved. Confirm or void ${reserved === 1 ? 'it' : 'them'} before you close the period.</p>`}</div>
    </div>`;
}

function Sums({path, question, audits, definition}: {path: Path; question: Question; audits: readonly Audit[]; definition: Definition}) {
  const sum = (of: (audit: Audit) => number) => amount(audits.reduce((all, audit) => all + of(audit), 0));
  const [first, last] = [audits[0], audits[audits.length - 1]];
  return html`<${Facts} facts=${[
    ['Sequence', `${path.scope}/${path.name}`],
    ...(question.period ? [['Period', question.period === ALL ? 'All periods' : periodName(question.period, definition)] as const] : []),
    ...(audits.length === 1 ? [['Numbers', `${first!.from} – ${first!.to}`] as const] : []),
    ['Allocated', sum(({allocated}) => allocated)],
    ['Voided', sum(audit => audit.void)],
    [question.before ? `Reserved before ${question.before}` : 'Reserved', sum(({reserved}) => reserved)],
    ['Skipped', amount(countOf(audits, ['advanced'], definition.increment ?? 1))],
    ['Checked', moment(last?.checkedAt)],
  ]} />`;
}

function Periods({audits, definition}: {audits: readonly Audit[]; definition: Definition}) {
  const columns: Column<Audit>[] = useMemo(() => [
    {title: 'Period', cell: ({period}) => periodName(period, definition)},
    {title: 'From', kind: 'number', cell: ({from}) => String(from)},
    {title: 'To', kind: 'number', cell: ({to}) => String(to)},
    {title: 'Allocated', kind: 'number', cell: ({allocated}) => amount(allocated)},
    {title: 'Voided', kind: 'number', cell: audit => amount(audit.void)},
    {title: 'Reserved', kind: 'number', cell: ({reserved}) => amount(reserved)},
    {title: 'Not in the ledger', kind: 'number', cell: one => amount(countOf([one], ['advanced', 'missing', 'unrecorded'], definition.increment ?? 1))},
  ], [definition]);
  return html`<h3>Periods</h3><${Table} caption="Periods" columns=${columns} rows=${audits} keyOf=${(one: Audit) => one.period ?? ''} />`;
}

type PeriodGap = Gap & {readonly period?: string};

function Gaps({path, audits, definition}: {path: Path; audits: readonly Audit[]; definition: Definition}) {
  const gaps: PeriodGap[] = audits.flatMap(({period, gaps: own}) => own.map(gap => ({...gap, period})));
  if (gaps.length === 0) {
    return null;
  }
  const beside = (neighbor: Gap['before']) => neighbor && html`<${EntryLink} path=${path} entryKey=${neighbor.key} number=${neighbor.number} />`;
  const columns: Column<PeriodGap>[] = [
    {title: 'Numbers', cell: ({first, last}) => first === last ? String(first) : `${first} – ${last}`},
    ...(audits.length > 1 ? [{title: 'Period', cell: ({period}: PeriodGap) => periodName(period, definition)}] : []),
    {title: 'How many', kind: 'number', cell: gap => amount(sizeOf(gap, definition.increment ?? 1))},
    {title: 'Kind', cell: ({kind}) => html`<${Chip} kind=${KINDS[kind][0]}>${KINDS[kind][1]}<//>`},
    {title: 'Why', cell: ({kind, reason}) => reason ?? KINDS[kind][2]},
    {title: 'Before', cell: ({before}) => beside(before)},
    {title: 'After', cell: ({after}) => beside(after)},
  ];
  return html`<h3>Gaps</h3>
    <${Table} caption="Numbers that are not in the ledger under one key" columns=${columns} rows=${gaps}
      keyOf=${(gap: PeriodGap) => `${gap.period} ${gap.first} ${gap.kind}`} />`;
}
