import {html, useMemo, useState} from '../html.ts';
import {access} from '../access.ts';
import {useAll, useAnswer, useMay, useRequest, useUnknown, type Answer} from '../requests.ts';
import {sizeOf, type Audit, type Gap} from '../audit.ts';
import {fileName, save} from '../download.ts';
import {Chip, Curl, Empty, Facts, Field, Loading, ProblemBox, Table, type Column} from '../parts.ts';
import {inOneLine} from '../problems.ts';
import {go, href, pathOf, sequencePath, type Path, type Query} from '../router.ts';
import {ACCEPT, ACTION, AFTER, ALLOCATED, ALL_NUMBERS, BEFORE, CHECK, CONFIRM_OR_VOID, DATE, DOCUMENT_DATES, GAPS, HOW_MANY, IMPORT, KEY, LOADING, NUMBER, NUMBERS, PERIOD, PERIODS, PRINT, RESERVED, SAVE_AS_CSV, SEQUENCE, SKIPPED, VOIDED, WHY} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, day, dayOf, dayRange, moment, monthName, periodName, textOf, type Definition} from '../words.ts';
import {AcceptDialog, type PeriodGap} from './acceptGap.ts';
import {checkOf, countOf, csvOf, GAP_KINDS, linesOf, readBooks, reservedBefore, sumOf, verdictOf, type Books, type Range, type RefusedRow} from './books.ts';
import {changedLines, Close, closingFacts, closingLines, ClosingList, Difference, differs, latestOf, useChanged, useClosings, type Closing, type Dates} from './closings.ts';
import {EntryLink, LedgerFile, Marked} from './monthEndLedger.ts';
import {daysOfMonth, monthsUntilNow} from './months.ts';
import {periodsOf, periodsOn} from './periods.ts';
import {Printed} from './printed.ts';


const ALL = 'period=all';
const DATES = 'dates';
/** The number of months that the form offers, starting with the current one. Earlier months are available as other dates. */
const MONTHS = 24;

/** The question in the address. */
interface Question {
  /** A month as `month=2026-11`, a period as `period=2026`, or one of the constants above. */
  readonly what: string;
  readonly first: string;
  readonly last: string;
  readonly from: string;
  readonly to: string;
  readonly before: string;
}

function questionOf(query: URLSearchParams, definition: Definition): Question {
  const of = (name: string) => query.get(name) ?? '';
  const isOfNumbers = query.has('period') || query.has('from') || query.has('to');
  const isOfDates = query.has('dateFrom') || query.has('dateTo');
  const requested = of('month');
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(requested) ? requested : monthsUntilNow(definition, 1)[0];
  return {
    what: isOfDates ? DATES : isOfNumbers ? `period=${of('period') || 'all'}` : `month=${month}`,
    first: of('dateFrom'), last: of('dateTo'), from: of('from'), to: of('to'), before: of('before'),
  };
}

function addressOf({what, first, last, from, to, before}: Question): Query {
  const [kind, value] = what.split('=');
  return {...(kind === DATES ? {dateFrom: first, dateTo: last} : kind === 'month' ? {month: value} : {period: value, from, to}), before};
}

function rangeOf({what, first, last, from, to}: Question, definition: Definition): Range {
  const [kind, value = ''] = what.split('=');
  if (kind === 'period') {
    return {date: what === ALL ? undefined : dayOf(value, definition), from, to};
  }
  const [dateFrom, dateTo] = kind === DATES ? [first, last] : daysOfMonth(value);
  return {dateFrom, dateTo};
}

/** Returns the dates to close; undefined unless both ends are known. */
function datesOf(question: Question, definition: Definition): Dates | undefined {
  const {dateFrom, dateTo} = rangeOf(question, definition);
  return dateFrom && dateTo ? {dateFrom, dateTo, name: nameOf(question, definition)} : undefined;
}

/** Returns the range in a form that sorts by date in a list of files. */
function fileNameOf({what, first, last}: Question): string {
  return what === DATES ? `${first}-${last}` : what.split('=')[1]!;
}

/** Returns the name of the checked range. */
function nameOf(question: Question, definition: Definition): string {
  const [kind, value = ''] = question.what.split('=');
  return kind === 'month' ? monthName(value)
    : kind === DATES ? `${question.first ? day(question.first) : 'the first day'} – ${question.last ? day(question.last) : 'the last day'}`
    : question.what === ALL ? allOfIt(definition) : periodName(value, definition);
}

function allOfIt({resetEvery = 'never'}: Definition): string {
  return resetEvery === 'never' ? ALL_NUMBERS : 'All periods';
}

/** The check for accountants at the end of a month: whether every number is accounted for, to print or to save as a table. */
export function MonthEnd({params, query}: ViewProps) {
  const path = pathOf(params);
  const definition = useRequest<Definition>({call: 'GetDefinition', path});
  const closings = useClosings(path);
  if (!definition.value) {
    return definition.problem ? html`<${ProblemBox} problem=${definition.problem} again=${definition.again} />` : html`<${Loading} />`;
  }
  const question = questionOf(query, definition.value);
  return html`
    <${Form} key=${JSON.stringify(question)} path=${path} definition=${definition.value} question=${question} />
    <${Report} path=${path} question=${question} definition=${definition.value} closings=${closings} />
    <${ClosingList} path=${path} closings=${closings} />
    <${LedgerFile} path=${path} definition=${definition.value} />`;
}

function Form({path, definition, question}: {path: Path; definition: Definition; question: Question}) {
  const [requested, setRequested] = useState(question);
  const set = (field: keyof Question) => (value: string) => setRequested({...requested, [field]: value});
  const check = (e: Event) => {
    e.preventDefault();
    go(sequencePath(path.scope, path.name, 'check'), addressOf(requested));
  };
  return html`
    <form class="bar no-print" aria-label="What to check" onSubmit=${check}>
      <${WhatField} path=${path} definition=${definition} value=${requested.what} onValue=${set('what')} />
      ${requested.what === DATES && html`
        <${Field} label="From date" type="date" value=${requested.first} onValue=${set('first')} max=${requested.last} />
        <${Field} label="To date" type="date" value=${requested.last} onValue=${set('last')} min=${requested.first} />`}
      ${requested.what.startsWith('period=') && html`
        <${Field} label="From number" value=${requested.from} onValue=${set('from')} inputmode="numeric" pattern="-?[0-9]*" placeholder="the first" size="12" />
        <${Field} label="To number" value=${requested.to} onValue=${set('to')} inputmode="numeric" pattern="-?[0-9]*" placeholder="the last" size="12" />`}
      <${Field} label="Reserved before" type="date" value=${requested.before} onValue=${set('before')} />
      <p class="actions"><button type="submit" class="primary">${CHECK}</button></p>
    </form>`;
}

function WhatField({path, definition, value, onValue}: {path: Path; definition: Definition; value: string; onValue: (value: string) => void}) {
  const resets = (definition.resetEvery ?? 'never') !== 'never';
  const {value: states = []} = useAll(resets ? periodsOf(path) : null, periodsOn);
  const withChosen = (known: string[], kind: string) => value.startsWith(kind) && value !== ALL && !known.includes(value) ? [...known, value] : known;
  const months = withChosen(monthsUntilNow(definition, MONTHS).map(month => `month=${month}`), 'month=');
  const periods = withChosen(states.map(state => `period=${state.period}`), 'period=').sort().reverse();
  const valueOf = (option: string) => option.slice(option.indexOf('=') + 1);
  return html`<${Field} label=${PERIOD} as="select" value=${value} onValue=${onValue} options=${[
    ...months.map(month => [month, monthName(valueOf(month))]),
    [DATES, 'Other dates'],
    ...periods.map(period => [period, ['year', 'quarter'].includes(definition.resetEvery ?? '') ? periodName(valueOf(period), definition) : `All of ${valueOf(period)}`]),
    [ALL, allOfIt(definition)],
  ]} />`;
}

interface ReportProps {
  readonly path: Path;
  readonly question: Question;
  readonly definition: Definition;
  readonly closings: Answer<readonly Closing[]>;
}

function Report({path, question, definition, closings}: ReportProps) {
  const dates = datesOf(question, definition);
  const name = nameOf(question, definition);
  const latest = latestOf(closings.value, dates);
  const changed = useChanged(path, latest);
  const request = checkOf(path, rangeOf(question, definition));
  const {value: books, problem, busy, again} = useAnswer<Books>(request, readBooks);
  useUnknown(() => {
    closings.again();
    again();
  });
  if (problem) {
    return html`<${ProblemBox} problem=${problem} again=${again} />`;
  }
  const audits = (books?.audits ?? []).filter(({from, gaps}) => from !== undefined || gaps.length > 0);
  const closed = () => {
    closings.again();
    again();
  };
  const close = dates && html`<${Close} path=${path} dates=${dates} latest=${latest} onClosed=${closed} />`;
  if (!busy && audits.length === 0 && !books?.refused?.length) {
    return html`<${Empty} title="No numbers to check">
      <p>${question.what.startsWith('period=') ? 'No number has been allocated here.' : `No document of ${name} has a number.`}
        Choose another period${question.what.startsWith('period=') ? ' or range' : ''}, or allocate the first number under Overview.${
        definition.guarantee === 'strict' && !question.what.startsWith('period=') ? ' Numbers that were allocated without a key have no date.' : ''}</p>
      <p class="actions no-print">${close}</p><//>`;
  }
  const shown: Books = {voided: [], reserved: [], ...books, audits};
  // Printing and saving wait until everything is loaded, so that the filed report is complete.
  const isWhole = !busy && [closings, changed].every(each => !each.busy && !each.problem);
  const facts = factsOf(path, question, definition, shown);
  const download = () => save(fileName(path.scope, path.name, 'check', fileNameOf(question)),
    [...linesOf([...facts, ...closingLines(latest)], verdictOf(shown, definition)[2], shown), ...changedLines(changed.value)].map(csvOf));
  return html`
    <section class="report" aria-label=${CHECK} aria-busy=${busy}>
      <div class="print-only"><h2>Month-end check, ${name}</h2><${Printed} of=${`${path.scope}/${path.name}`} /></div>
      ${busy ? html`<${Loading} />` : html`<${Verdict} path=${path} range=${rangeOf(question, definition)} books=${shown} definition=${definition} />`}
      <p class="actions no-print">${close}</p>
      <${Facts} facts=${[...facts, ...closingFacts(latest)]} />
      ${latest && !busy && differs(latest, audits) && html`<p class="note" role="status">The counts have changed since the result of ${name} was recorded on ${moment(latest.closedAt)}. Record it again to list the numbers.</p>`}
      ${latest && html`<${Difference} path=${path} closings=${closings.value} latest=${latest} changed=${changed} />`}
      ${audits.length > 1 && html`<${Periods} audits=${audits} definition=${definition} />`}
      <${Gaps} path=${path} audits=${audits} definition=${definition} again=${again} />
      <${Marked} title=${VOIDED} path=${path} entries=${shown.voided} busy=${busy} status="void" />
      <${Marked} title=${RESERVED} path=${path} entries=${shown.reserved} busy=${busy} status="reserved" />
      <${Refused} path=${path} rows=${books?.refused} busy=${busy} />
      <p class="actions no-print">
        <button type="button" onClick=${() => print()} disabled=${!isWhole}>${PRINT}</button>
        <button type="button" onClick=${download} disabled=${!isWhole}>${SAVE_AS_CSV}</button>
        <button type="button" onClick=${again}>Check again</button>
        <${Curl} request=${request} />
      </p>
    </section>`;
}

interface VerdictProps {
  readonly path: Path;
  readonly range: Range;
  readonly books: Books;
  readonly definition: Definition;
}

function Verdict({path, range, books, definition}: VerdictProps) {
  const [kind, sign, said] = verdictOf(books, definition);
  const reserved = sumOf(books.audits, audit => audit.reserved);
  return html`
    <div class=${`verdict ${kind}`} role="status">
      <span class="sign" aria-hidden="true">${sign}</span>
      <div><h2>${said}</h2>
        ${reserved > 0 && html`<p>${CONFIRM_OR_VOID} ${reserved === 1 ? 'it' : 'them'} before you record the result: <a href=${href(sequencePath(path.scope, path.name, 'ledger'), {status: 'reserved', from: range.dateFrom, to: range.dateTo})}>${amount(reserved, 'reserved number')}</a>.</p>`}</div>
    </div>`;
}

function factsOf(path: Path, question: Question, definition: Definition, {audits, reserved}: Books): [string, unknown][] {
  const {dateFrom, dateTo} = rangeOf(question, definition);
  const sum = (of: (audit: Audit) => number) => amount(sumOf(audits, of));
  const others = sumOf(audits, ({otherDates = 0}) => otherDates);
  const unimported = countOf(audits, ['unimported'], definition.increment ?? 1);
  const zone = (definition['timeZone'] as string | undefined) ?? 'UTC';
  const isBefore = question.before && `, ${amount(reservedBefore(reserved, question.before, zone))} of them before ${day(question.before)}`;
  const [only] = audits.length === 1 ? audits : [];
  return [
    [SEQUENCE, `${path.scope}/${path.name}`],
    [PERIOD, nameOf(question, definition)],
    ...(question.what.startsWith('month=') ? [[DOCUMENT_DATES, dayRange(dateFrom, dateTo)] as [string, string]] : []),
    ...(only && only.from !== undefined ? [[NUMBERS, `${only.from} – ${only.to}`] as [string, string]] : []),
    ...(others > 0 ? [['Of other dates among them', amount(others)] as [string, string]] : []),
    [ALLOCATED, sum(({allocated}) => allocated)],
    [VOIDED, sum(audit => audit.void)],
    [RESERVED, `${sum(audit => audit.reserved)}${isBefore || ''}`],
    [SKIPPED, amount(countOf(audits, ['advanced'], definition.increment ?? 1))],
    ...(unimported > 0 ? [['Not imported', amount(unimported)] as [string, string]] : []),
    ['Checked', moment(audits[audits.length - 1]?.checkedAt)],
    ...(access.get().actor ? [['Checked by', access.get().actor] as [string, string]] : []),
    ['Time zone of dates', zone],
  ];
}

function Periods({audits, definition}: {audits: readonly Audit[]; definition: Definition}) {
  const columns: Column<Audit>[] = useMemo(() => [
    {title: PERIOD, cell: ({period}) => periodName(period, definition)},
    {title: 'From', kind: 'number', cell: ({from}) => String(from ?? '')},
    {title: 'To', kind: 'number', cell: ({to}) => String(to ?? '')},
    {title: ALLOCATED, kind: 'number', cell: ({allocated}) => amount(allocated)},
    {title: VOIDED, kind: 'number', cell: audit => amount(audit.void)},
    {title: RESERVED, kind: 'number', cell: ({reserved}) => amount(reserved)},
    {title: 'Not in the ledger', kind: 'number', cell: one => amount(countOf([one], ['advanced', 'unimported', 'missing', 'unrecorded'], definition.increment ?? 1))},
  ], [definition]);
  return html`<h3>${PERIODS}</h3><${Table} caption=${PERIODS} columns=${columns} rows=${audits} keyOf=${(one: Audit) => one.period ?? ''} />`;
}

function Gaps({path, audits, definition, again}: {path: Path; audits: readonly Audit[]; definition: Definition; again: () => void}) {
  const [accepting, setAccepting] = useState<PeriodGap>();
  const mayAccept = useMay('AcceptGap');
  const gaps: PeriodGap[] = audits.flatMap(({period, gaps: own}) => own.map(gap => ({...gap, period})));
  if (gaps.length === 0) {
    return null;
  }
  const beside = (neighbor: Gap['before']) => neighbor && html`<${EntryLink} path=${path} entryKey=${neighbor.key} number=${neighbor.number} />`;
  const columns: Column<PeriodGap>[] = [
    {title: NUMBERS, cell: gap => textOf(gap)},
    ...(audits.length > 1 ? [{title: PERIOD, cell: ({period}: PeriodGap) => periodName(period, definition)}] : []),
    {title: HOW_MANY, kind: 'number', cell: gap => amount(sizeOf(gap, definition.increment ?? 1))},
    {title: 'Kind', cell: ({kind}) => html`<${Chip} kind=${GAP_KINDS[kind][0]}>${GAP_KINDS[kind][1]}<//>`},
    {title: WHY, cell: ({kind, reason}) => reason ?? GAP_KINDS[kind][2]},
    {title: BEFORE, cell: ({before}) => beside(before)},
    {title: AFTER, cell: ({after}) => beside(after)},
    ...(mayAccept && gaps.some(({kind}) => kind === 'unimported') ? [{title: ACTION, cell: (gap: PeriodGap) => gap.kind === 'unimported'
      && html`<button type="button" class="no-print" onClick=${() => setAccepting(gap)}>${ACCEPT}</button>`}] : []),
  ];
  const accepted = () => {
    setAccepting(undefined);
    again();
  };
  return html`<h3>${GAPS}</h3>
    ${accepting && html`<${AcceptDialog} path=${path} definition=${definition} gap=${accepting} onDone=${accepted} onClose=${() => setAccepting(undefined)} />`}
    <${Table} caption="Numbers that are not in the ledger under one key" columns=${columns} rows=${gaps}
      keyOf=${(gap: PeriodGap) => `${gap.period} ${gap.first} ${gap.kind}`} />`;
}

const refusedColumns = (path: Path): readonly Column<RefusedRow>[] => [
  {title: KEY, cell: ({key, line}) => key ?? (line && `Line ${line}`)},
  {title: NUMBER, cell: ({number, text}) => text ?? String(number ?? '')},
  {title: DATE, cell: ({date}) => date && day(date)},
  {title: IMPORT, cell: row => html`<a href=${href(sequencePath(path.scope, path.name, `imports/${row.import}`))}>${row.sentAt ? moment(row.sentAt) : row.import}</a>`},
  {title: WHY, cell: ({problem}) => inOneLine(problem)},
];

/** The refused rows of imports. A document of such a row may still lack a number. */
function Refused({path, rows, busy}: {path: Path; rows: readonly RefusedRow[] | undefined; busy: boolean}) {
  return html`<h3>Refused rows of imports</h3>
    ${rows?.length ? html`<${Table} caption="Refused rows of imports" columns=${refusedColumns(path)} rows=${rows} keyOf=${(row: RefusedRow) => `${row.import} ${row.line} ${row.key}`} />`
      : html`<p class="hint">${rows ? busy ? LOADING : 'No import that is still kept has a refused row.' : 'Your key does not open the list of imports.'}</p>`}`;
}
