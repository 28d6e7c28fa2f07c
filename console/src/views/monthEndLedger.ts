import {html, useState} from '../html.ts';
import type {ApiRequest} from '../api.ts';
import {audit, type Audit} from '../audit.ts';
import {listSeparator, preservedLine} from '../csv.ts';
import {csvPages, fileName} from '../download.ts';
import {By, Curl, Field, Literal, ProblemBox, Table, type Column} from '../parts.ts';
import {href, sequencePath, type Path} from '../router.ts';
import {ALLOCATED, ALL_NUMBERS, CANCEL, DATE, DOWNLOAD_CSV, FIRST_DAY, KEY, LAST_DAY, NUMBER, REASON, STATUS} from '../terms.ts';
import {amount, day, textOf, type Definition, type Num} from '../words.ts';
import {checkOf} from './books.ts';
import type {Entry} from './entries.ts';
import {useFile} from './file.ts';
import {daysOfMonth, monthsUntilNow, thisYear, type Days} from './months.ts';

/** A link to the entry of a key, or of a number without a key. */
export function EntryLink({path, entryKey, number}: {path: Path; entryKey: string | undefined; number: Num}) {
  return html`<a href=${href(sequencePath(path.scope, path.name, 'who'), {q: entryKey ?? String(number)})}>${number}${entryKey && ` · ${entryKey}`}</a>`;
}

const NONE = {void: 'No number is voided.', reserved: 'No number is reserved.'} as const;

interface MarkedProps {
  readonly title: string;
  readonly path: Path;
  readonly entries: readonly Entry[];
  readonly busy: boolean;
  readonly status: keyof typeof NONE;
}

/** The voided or reserved numbers of the checked range. */
export function Marked({title, path, entries, busy, status}: MarkedProps) {
  const columns: Column<Entry>[] = [
    {title: NUMBER, cell: entry => html`<a href=${href(sequencePath(path.scope, path.name, 'who'), {q: entry.key})}><${Literal} text=${textOf(entry)} /></a>`},
    {title: KEY, cell: ({key}) => key && html`<${Literal} text=${key} />`},
    {title: DATE, kind: 'short', cell: ({date}) => day(date)},
    {title: ALLOCATED, cell: ({allocatedAt, actor, actorId}) => html`<${By} at=${allocatedAt} actor=${actor} id=${actorId} />`},
    ...(status === 'void' ? [
      {title: 'Voided on', cell: ({statusAt, statusActor, statusActorId}: Entry) => html`<${By} at=${statusAt} actor=${statusActor} id=${statusActorId} isNamed />`},
      {title: REASON, cell: ({reason}: Entry) => reason},
    ] : []),
  ];
  return html`<h3>${title}</h3>
    ${entries.length === 0 && !busy ? html`<p class="hint">${NONE[status]}</p>`
      : html`<${Table} caption=${title} columns=${columns} rows=${entries} busy=${busy}
          keyOf=${(entry: Entry) => `${entry.period} ${entry.first}`} />`}`;
}

const SPANS: readonly (readonly [string, (definition: Definition) => Days])[] = [
  ['Last month', definition => daysOfMonth(monthsUntilNow(definition, 2)[1]!)],
  ['This month', definition => daysOfMonth(monthsUntilNow(definition, 1)[0]!)],
  ['This year', thisYear],
];

/** Returns the gaps as lines of the ledger. The ledger's own table leaves them out, because they have no dates. */
async function gapLines(path: Path, dateFrom: string, dateTo: string, signal: AbortSignal): Promise<string[]> {
  let audits: readonly Audit[] = [];
  await audit(checkOf(path, {dateFrom, dateTo}), known => {
    audits = known;
  }, signal);
  return audits.flatMap(({period, gaps}) => gaps.map(({kind, first, last, reason}) =>
    preservedLine([kind === 'advanced' ? 'advance' : kind, first, last, '', '', period, '', '', '', '', reason, '', '', '', ''], listSeparator())));
}

/** The first date of a range without bounds. A ledger without dates would be only the current period. */
const FIRST_DATE = '0001-01-01';

/** Downloads the ledger of a range of document dates as a CSV file. */
export function LedgerFile({path, definition}: {path: Path; definition: Definition}) {
  const [[from, to], setSpan] = useState(SPANS[0]![1](definition));
  const [status, setStatus] = useState('');
  const file = useFile();
  const request: ApiRequest = {call: 'ReadLedger', path, query: {dateFrom: from || (to ? '' : FIRST_DATE), dateTo: to, status, limit: 1000, for: 'spreadsheet', separator: listSeparator()}, accept: 'text/csv'};
  const download = (e: Event) => {
    e.preventDefault();
    void file.start(request, fileName(path.scope, path.name, 'ledger', status, from, to), async (report, signal) => [
      ...await csvPages(request, count => report(`Reading the ledger: ${amount(count, 'page')} …`), signal),
      ...(status ? [] : await gapLines(path, from, to, signal)),
    ], lines);
  };
  return html`
    <section class="no-print" aria-label="Ledger as a table">
      <h2>Export the ledger</h2>
      <p>Every number with its key, date and status, selected by document date, and what was skipped among them, as a CSV file.</p>
      <p class="actions">${SPANS.map(([label, span]) => html`<button type="button" class="quiet" onClick=${() => setSpan(span(definition))}>${label}</button>`)}</p>
      <form class="bar" aria-label="Which part of the ledger" onSubmit=${download}>
        <${Field} label=${FIRST_DAY} type="date" value=${from} onValue=${(day: string) => setSpan([day, to])} />
        <${Field} label=${LAST_DAY} type="date" value=${to} onValue=${(day: string) => setSpan([from, day])} />
        <${Field} label=${STATUS} as="select" value=${status} onValue=${setStatus}
          options=${[['', ALL_NUMBERS], ['reserved', 'Only reserved'], ['void', 'Only voided']]} />
        <p class="actions"><button type="submit" class="primary" disabled=${file.busy}>${DOWNLOAD_CSV}</button>
          ${file.busy && html`<button type="button" onClick=${file.cancel}>${CANCEL}</button>`}<${Curl} request=${request} /></p>
      </form>
      <p role="status">${file.said}</p>
      <${ProblemBox} problem=${file.problem} />
    </section>`;
}

/** Counts the lines after the header. Line ends within quotes would count too, but no key and no reason can contain one. */
function lines(pages: readonly string[]): string {
  return amount(pages.reduce((sum, page) => sum + (page.match(/\n/g)?.length ?? 0), 0) - 1, 'line');
}
