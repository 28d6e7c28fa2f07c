import {html, useState} from '../html.ts';
import {allOf, send, type ApiRequest} from '../api.ts';
import {audit, type Audit} from '../audit.ts';
import {csvLine} from '../csv.ts';
import {fileName, save} from '../download.ts';
import {Chip, Confirm, Curl, Empty, Field, Loading, ProblemBox, RecordedBy, Table, type Column} from '../parts.ts';
import {inOneLine, type Refusal} from '../problems.ts';
import {asProblem, reportUnknown, useAnswer, useMay} from '../requests.ts';
import {go, href, sequencePath, type Path} from '../router.ts';
import {CHECK, PRINT, RECORD, SAVE_AS_CSV, SCOPE, SEQUENCE, SHOW, STOP} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, momentBy, monthName, type Definition} from '../words.ts';
import {checkOf, refusedRows, sumOf, verdictOf, type RefusedRow} from './books.ts';
import {closingsOf, differs, type Closing} from './closings.ts';
import {hasChanged, useJudged} from './judged.ts';
import {daysOfMonth, monthsUntilNow} from './months.ts';
import {Printed} from './printed.ts';
import {hasLedger} from './standing.ts';
import {useWork} from './work.ts';

const MONTHS = 12;
/** The most sequences with recorded results, because each check is a call of its own. */
const SEQUENCES_MOST = 50;

interface Listed extends Path {
  readonly definition?: Definition;
}

/** A sequence with its recorded results. */
interface Row extends Path {
  readonly definition: Definition;
  readonly closings: readonly Closing[];
}

function pathOf({scope, name}: Row): Path {
  return {scope, name};
}

interface Grid {
  readonly rows: readonly Row[];
  /** The number of sequences that were not looked at. */
  readonly left: number;
}

/** The result of a check in this page, or why it failed. */
type Result = {readonly audits: readonly Audit[]; readonly refused: readonly RefusedRow[] | undefined} | {readonly refusal: Refusal};

async function readGrid(request: ApiRequest, report: (grid: Grid) => void, signal: AbortSignal): Promise<void> {
  const listed = (await allOf<Listed>(request, page => page.sequences, signal))
    .filter(({scope, definition}) => definition && hasLedger(scope, definition));
  const rows: Row[] = [];
  let looked = 0;
  for (const {scope, name, definition} of listed) {
    const closings = await allOf<Closing>(closingsOf({scope, name}), page => page.closings, signal);
    looked++;
    if (closings.length > 0) {
      rows.push({scope, name, definition: definition!, closings});
    }
    report({rows: [...rows], left: rows.length < SEQUENCES_MOST ? 0 : listed.length - looked});
    if (rows.length === SEQUENCES_MOST) {
      return;
    }
  }
  report({rows, left: 0});
}

/** Returns the latest closing that covers a month, for example the closing of its quarter. */
function closingOf({closings}: Row, month: string): Closing | undefined {
  const [first, last] = daysOfMonth(month);
  return closings.findLast(({problem, dateFrom, dateTo}) => !problem && dateFrom <= first && dateTo >= last);
}

/** Whether a closing has the counts of this month alone, so that a check of the month can be compared with it. */
function isOf({dateFrom, dateTo}: Closing, month: string): boolean {
  const [first, last] = daysOfMonth(month);
  return dateFrom === first && dateTo === last;
}

/** Returns the state of a month. A check in this page decides before the judgment of the service, if the closing is of this month. */
function stateOf(row: Row, month: string, result: Result | undefined, judged: boolean | undefined): readonly ['good' | 'warn' | 'quiet', string] {
  const closing = closingOf(row, month);
  if (!closing) {
    return ['quiet', 'open'];
  }
  const isChanged = result && 'audits' in result && isOf(closing, month) ? differs(closing, result.audits) : judged;
  return isChanged === undefined ? ['quiet', 'recorded, not judged'] : isChanged ? ['warn', 'changed since'] : ['good', 'recorded'];
}

/** Returns the result of a check in one line. */
function saidOf(result: Result | undefined, definition: Definition): string {
  if (!result) {
    return 'not checked';
  }
  if ('refusal' in result) {
    return inOneLine(result.refusal);
  }
  const {audits, refused} = result;
  return `${amount(sumOf(audits, one => one.allocated))} allocated, ${amount(sumOf(audits, one => one.void))} voided. ${verdictOf({audits, refused, voided: [], reserved: []}, definition)[2]}.`;
}

/** The recorded results of the last twelve months for the sequences of a scope, with a check of one month for all of them. */
export function ScopeMonths({query}: ViewProps) {
  const scope = query.get('scope') ?? '';
  const [typed, setTyped] = useState(scope);
  const show = (e: Event) => {
    e.preventDefault();
    go('/months', {scope: typed.trim()});
  };
  return html`
    <h1>Month end${scope && ` of ${scope}`}</h1>
    ${scope ? html`<${Months} key=${scope} scope=${scope} />` : html`<form class="lookup" onSubmit=${show}>
      <${Field} label=${SCOPE} value=${typed} onValue=${setTyped} required maxlength="63" autocomplete="off" spellcheck=${false} />
      <button type="submit" class="primary">${SHOW}</button></form>`}`;
}

function Months({scope}: {scope: string}) {
  const request: ApiRequest = {call: 'ListSequences', query: {scope, with: 'definition', limit: 100}};
  const {value, problem, busy, again} = useAnswer<Grid>(request, readGrid);
  const months = monthsUntilNow({guarantee: 'strict', timeZone: 'UTC'}, MONTHS);
  const [month, setMonth] = useState(months[1]!);
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [said, setSaid] = useState('');
  const {isRunning: running, run, stop} = useWork();
  const [isRecording, setRecording] = useState(false);
  const judged = useJudged(scope);
  const mayRecord = useMay('CloseDates');
  const rows = value?.rows ?? [];
  const idOf = (row: Row, of = month) => `${row.name} ${of}`;
  const state = (row: Row, of = month) => stateOf(row, of, results.get(idOf(row, of)), hasChanged(judged.value, row.name, of, months[0]!));
  const [dateFrom, dateTo] = daysOfMonth(month);
  const keep = (row: Row, result: Result) => setResults(last => new Map([...last, [idOf(row), result]]));
  /** Handles all sequences, one after the other, until the user stops. */
  const each = async (verb: string, requestOf: (row: Row) => ApiRequest, work: (row: Row, requested: ApiRequest) => Promise<void>) => {
    let [done, failed] = [0, 0];
    await run(rows, 1, async row => {
      setSaid(`${verb} ${amount(done + failed + 1)} of ${amount(rows.length)}: ${row.name} …`);
      const requested = requestOf(row);
      try {
        await work(row, requested);
        done++;
      } catch (thrown) {
        const problem = asProblem(requested, thrown);
        reportUnknown(problem);
        keep(row, {refusal: problem.refusal});
        failed++;
      }
    });
    setSaid(`${verb}: ${amount(done)} of ${amount(rows.length)} done${failed > 0 ? `, ${amount(failed)} failed` : ''}.`);
  };
  const check = () => each('Checking', row => checkOf(pathOf(row), {dateFrom, dateTo}), async (row, requested) => {
    const {signal} = new AbortController();
    let audits: readonly Audit[] = [];
    await audit(requested, known => {
      audits = known;
    }, signal);
    keep(row, {audits, refused: await refusedRows(pathOf(row), {dateFrom, dateTo}, signal)});
  });
  const record = async () => {
    setRecording(false);
    await each('Recording', row => ({call: 'CloseDates', path: pathOf(row), body: {dateFrom, dateTo}}), async (_, requested) => {
      await send(requested);
    });
    again();
    judged.again();
  };
  const download = () => save(fileName(scope, 'months', month), [
    ['sequence', 'month', 'state', 'recordedAt', 'recordedBy', 'allocated', 'void', 'reserved', 'gaps', 'sha256', 'check'],
    ['summary', month, `${amount(rows.filter(row => closingOf(row, month)).length)} of ${amount(rows.length)} recorded`],
    ...rows.flatMap(row => months.map(each => {
      const closing = closingOf(row, each);
      const counted = closing && isOf(closing, each) ? closing : undefined;
      return [`${row.scope}/${row.name}`, each, state(row, each)[1], closing?.closedAt, closing?.actor, counted?.allocated, counted?.void, counted?.reserved, counted?.gapCount, counted?.sha256,
        each === month ? saidOf(results.get(idOf(row)), row.definition) : ''];
    })),
  ].map(line => csvLine(line, [0])));
  const columns: Column<Row>[] = [
    {title: SEQUENCE, cell: row => html`<a href=${href(sequencePath(row.scope, row.name, 'check'), {month})}>${row.name}</a>`},
    {title: monthName(month), cell: row => {
      const closing = closingOf(row, month);
      const [kind, word] = state(row);
      return html`<${Chip} kind=${kind}>${word}<//>${closing && html`<span class="about">${momentBy(closing.closedAt, closing.actor ?? closing.actorId)}</span>`}`;
    }},
    {title: CHECK, cell: row => saidOf(results.get(idOf(row)), row.definition)},
  ];
  const grid: Column<Row>[] = [{title: SEQUENCE, cell: row => row.name}, ...months.map((each): Column<Row> => ({
    title: each, cell: row => {
      const [kind, word] = state(row, each);
      return html`<a class="plain" href=${href(sequencePath(row.scope, row.name, 'check'), {month: each})}><${Chip} kind=${kind}>${word}<//></a>`;
    },
  }))];
  return html`
    <${Curl} request=${request} />
    <${ProblemBox} problem=${problem} again=${again} />
    ${busy && html`<${Loading} />`}
    ${!busy && !problem && rows.length === 0 ? html`<${Empty} title="No recorded results"><p>No sequence of ${scope} has a recorded result. Record the first one under Month end of a sequence.</p><//>` : rows.length > 0 && html`
      <${Printed} of=${scope} />
      <form class="bar no-print" aria-label="Which month" onSubmit=${(e: Event) => {
        e.preventDefault();
        void check();
      }}>
        <${Field} label="Month" as="select" value=${month} onValue=${setMonth} disabled=${running} options=${months.map(each => [each, monthName(each)])} />
        <p class="actions"><button type="submit" class="primary" disabled=${running || busy}>Check all</button>
          ${mayRecord && html`<button type="button" disabled=${running || busy} onClick=${() => setRecording(true)}>Record all results …</button>`}
          ${running && html`<button type="button" onClick=${stop}>${STOP}</button>`}
          <button type="button" disabled=${running || busy || judged.busy} onClick=${() => print()}>${PRINT}</button>
          <button type="button" disabled=${running || busy || judged.busy} onClick=${download}>${SAVE_AS_CSV}</button></p>
      </form>
      <p role="status">${said}</p>
      <${Table} caption=${`Sequences in ${monthName(month)}`} columns=${columns} rows=${rows} keyOf=${(row: Row) => row.name} />
      <h2>The last twelve months</h2>
      <div class="grid-of-months"><${Table} caption="Recorded results by month" columns=${grid} rows=${rows} keyOf=${(row: Row) => row.name} /></div>
      <p class="hint">A month is not judged while it lasts, or where that takes too long: check it here.${value!.left > 0 && ` ${amount(value!.left, 'further sequence')} not shown: at most ${SEQUENCES_MOST} fit.`}</p>`}
    ${isRecording && html`
      <${Confirm} title=${`Record ${amount(rows.length, 'result')} of ${monthName(month)}?`} verb=${RECORD} onClose=${() => setRecording(false)} onConfirm=${record}>
        <p>The check of ${monthName(month)} is recorded permanently for each of ${amount(rows.length, 'sequence')}, one after the other. Nothing is locked.</p>
        <${RecordedBy} />
      <//>`}`;
}
