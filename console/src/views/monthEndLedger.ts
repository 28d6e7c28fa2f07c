import {html, useState} from '../html.ts';
import type {ApiRequest} from '../api.ts';
import {usePages} from '../requests.ts';
import {csvPages, fileName} from '../download.ts';
import {Curl, Field, ProblemBox, Table, type Column} from '../parts.ts';
import {href, sequencePath, type Path} from '../router.ts';
import {amount, moment, textOf, type Definition, type Num} from '../words.ts';
import type {Entry} from './entries.ts';
import {useFile} from './file.ts';

/** A link to the entry of a key, or of a number without a key. */
export function EntryLink({path, entryKey, number}: {path: Path; entryKey: string | undefined; number: Num}) {
  return html`<a href=${href(sequencePath(path.scope, path.name, 'who'), {q: entryKey ?? String(number)})}>${number}${entryKey && ` · ${entryKey}`}</a>`;
}

const NONE = {void: 'No number is voided.', reserved: 'No number is reserved.'} as const;

interface MarkedProps {
  readonly title: string;
  readonly path: Path;
  readonly range: ApiRequest['query'];
  readonly status: keyof typeof NONE;
}

/** The voided or reserved numbers of the checked range. */
export function Marked({title, path, range, status}: MarkedProps) {
  const pages = usePages<Entry>({call: 'ReadLedger', path, query: {...range, status}}, page => page.entries);
  const columns: Column<Entry>[] = [
    {title: 'Number', cell: entry => html`<a href=${href(sequencePath(path.scope, path.name, 'who'), {q: entry.key})}>${textOf(entry)}</a>`},
    {title: 'Key', cell: ({key}) => key},
    {title: 'Date', cell: ({date}) => date},
    {title: 'Allocated', cell: ({allocatedAt}) => moment(allocatedAt)},
    ...(status === 'void' ? [{title: 'Reason', cell: ({reason}: Entry) => reason}] : []),
  ];
  return html`<h3>${title}</h3>
    <${ProblemBox} problem=${pages.problem} again=${pages.again} />
    ${pages.rows.length === 0 && !pages.busy && !pages.problem ? html`<p class="hint">${NONE[status]}</p>`
      : html`<${Table} caption=${title} columns=${columns} rows=${pages.rows} busy=${pages.busy} more=${pages.more}
          keyOf=${(entry: Entry) => `${entry.period} ${entry.first}`} />`}`;
}

/** The first and the last day of a month, so many months from this one. */
function month(offset: number): [string, string] {
  const now = new Date();
  const day = (months: number, date: number) => new Date(Date.UTC(now.getFullYear(), now.getMonth() + months, date)).toISOString().slice(0, 10);
  return [day(offset, 1), day(offset + 1, 0)];
}

/** The fiscal year of today. */
function thisYear({fiscalYearStart = 1}: Definition): [string, string] {
  const sinceStart = (new Date().getMonth() + 13 - Number(fiscalYearStart)) % 12;
  return [month(-sinceStart)[0], month(11 - sinceStart)[1]];
}

const SPANS: readonly (readonly [string, (definition: Definition) => [string, string]])[] = [
  ['Last month', () => month(-1)], ['This month', () => month(0)], ['This year', thisYear],
];

/** The ledger of some documents' dates, as a file for a spreadsheet. */
export function LedgerFile({path, definition}: {path: Path; definition: Definition}) {
  const [[from, to], setSpan] = useState(month(-1));
  const [status, setStatus] = useState('');
  const file = useFile();
  const request: ApiRequest = {call: 'ReadLedger', path, query: {dateFrom: from, dateTo: to, status, limit: 1000}, accept: 'text/csv'};
  const download = (e: Event) => {
    e.preventDefault();
    void file.start(request, fileName(path.scope, path.name, 'ledger', status, from, to), (report, signal) =>
      csvPages(request, count => report(`Reading the ledger: ${amount(count, 'page')} …`), signal), lines);
  };
  return html`
    <section class="no-print" aria-label="Ledger as a table">
      <h2>Export the ledger</h2>
      <p>Every number with its key, date and status, selected by document date, as a CSV file.</p>
      <p class="actions">${SPANS.map(([label, span]) => html`<button type="button" class="quiet" onClick=${() => setSpan(span(definition))}>${label}</button>`)}</p>
      <form class="bar" aria-label="Which part of the ledger" onSubmit=${download}>
        <${Field} label="First day" type="date" value=${from} onValue=${(day: string) => setSpan([day, to])} />
        <${Field} label="Last day" type="date" value=${to} onValue=${(day: string) => setSpan([from, day])} />
        <${Field} label="Status" as="select" value=${status} onValue=${setStatus}
          options=${[['', 'All numbers'], ['reserved', 'Only reserved'], ['void', 'Only voided']]} />
        <p class="actions"><button type="submit" class="primary" disabled=${file.busy}>Download CSV</button>
          ${file.busy && html`<button type="button" onClick=${file.cancel}>Cancel</button>`}<${Curl} request=${request} /></p>
      </form>
      <p role="status">${file.said}</p>
      <${ProblemBox} problem=${file.problem} />
    </section>`;
}

/** Without that of the columns. Quoted line ends count too, which no key and no reason can hold. */
function lines(pages: readonly string[]): string {
  return amount(pages.reduce((sum, page) => sum + (page.match(/\n/g)?.length ?? 0), 0) - 1, 'line');
}
