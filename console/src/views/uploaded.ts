import {html, useState} from '../html.ts';
import {allOf, send, type ApiRequest} from '../api.ts';
import {useAnswer, usePages} from '../requests.ts';
import {csvLine} from '../csv.ts';
import {fileName} from '../download.ts';
import {Check, Chip, Curl, Facts, Loading, ProblemBox, StatusChip, Table, type Column} from '../parts.ts';
import {href, pathOf, sequencePath, type Path} from '../router.ts';
import type {View, ViewProps} from '../views.ts';
import {amount, moment, textOf, type Num} from '../words.ts';
import {useFile} from './file.ts';

/** The progress of an upload, and the numbers of each key. */
export const uploaded: View = {
  path: '/sequences/:scope/:name/uploads/:id', label: 'Upload', place: 'none', component: Uploaded,
};

/** The progress of an import, and the result of each row. */
export const imported: View = {
  path: '/sequences/:scope/:name/imports/:id', label: 'Import', place: 'none', component: Imported,
};

interface Row {
  readonly key: string;
  readonly first?: Num;
  readonly last?: Num;
  readonly number?: Num;
  readonly text?: string;
  readonly texts?: readonly string[];
  readonly date?: string;
  readonly status?: string;
  readonly outcome?: string;
  readonly problem?: {readonly title: string; readonly detail: string};
}

interface Progress {
  readonly status: 'pending' | 'numbered' | 'imported' | 'partial' | 'rejected';
  readonly sentAt: string;
  readonly done: number;
  readonly keys?: number;
  readonly items?: number;
  readonly counts?: {readonly imported: number; readonly alreadyThere: number; readonly refused: number};
  readonly problem?: {readonly title: string; readonly detail: string};
}

/** Polls at the interval that the service states, until it is no longer pending. */
async function follow(request: ApiRequest, report: (progress: Progress) => void, signal: AbortSignal): Promise<void> {
  for (;;) {
    const {status, body, headers} = await send<Progress>(request, signal);
    report(body);
    if (status !== 202) {
      return;
    }
    await pause(Number(headers.get('Retry-After') ?? 1) * 1000, signal);
  }
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

const SAID = {
  pending: ['quiet', 'In progress'],
  numbered: ['good', 'Completed: every key has a number'],
  imported: ['good', 'Completed: every row is imported'],
  partial: ['warn', 'Completed with rejected rows'],
  rejected: ['bad', 'Failed: no row was accepted'],
} as const;

function Head({progress, unit}: {progress: Progress; unit: string}) {
  const [kind, said] = SAID[progress.status];
  const all = progress.keys ?? progress.items ?? 0;
  return html`
    <div class=${`verdict ${kind}`} role="status">
      <span class="sign" aria-hidden="true">${kind === 'good' ? '✓' : kind === 'quiet' ? '…' : '!'}</span><h2>${said}</h2>
    </div>
    ${progress.status === 'pending' && html`
      <p class="progress"><progress max=${all} value=${progress.done} aria-label="Done so far"></progress>
        ${amount(progress.done)} of ${amount(all, unit)}</p>
      <p class="hint">Processing continues without this page. Use its address to return.</p>`}
    <${Facts} facts=${[
      ['Sent', moment(progress.sentAt)], [unit === 'key' ? 'Keys' : 'Rows', amount(all)],
      ...(progress.counts ? [
        ['Imported', amount(progress.counts.imported)], ['Already imported', amount(progress.counts.alreadyThere)],
        ['Refused', amount(progress.counts.refused)],
      ] : []),
    ]} />
    ${progress.problem && html`<div class="problem"><p class="title">${progress.problem.title}</p><p>${progress.problem.detail}</p></div>`}`;
}

function Another({path, task}: {path: Path; task?: string}) {
  return html`<a href=${href(sequencePath(path.scope, path.name, 'upload'), {task})}>Another upload</a>`;
}

function numberCell(row: Row) {
  return row.first === undefined ? row.text ?? String(row.number ?? '') : textOf({texts: row.texts, first: row.first, last: row.last!});
}

function columnsOf(path: Path, outcome: (row: Row) => unknown): Column<Row>[] {
  return [
    {title: 'Key', cell: ({key}) => key},
    {title: 'Number', cell: row => row.first === undefined ? numberCell(row)
      : html`<a href=${href(sequencePath(path.scope, path.name, 'who'), {q: row.key})}>${numberCell(row)}</a>`},
    {title: 'Date', cell: ({date}) => date},
    {title: 'Result', cell: outcome},
  ];
}

function Rows({request, columns, rowsOf}: {request: ApiRequest; columns: Column<Row>[]; rowsOf: (page: any) => readonly Row[]}) {
  const pages = usePages<Row>(request, rowsOf);
  return html`
    <${ProblemBox} problem=${pages.problem} again=${pages.again} />
    <${Table} caption="Results" columns=${columns} rows=${pages.rows} busy=${pages.busy} more=${pages.more}
      keyOf=${(row: Row) => row.key} />`;
}

function Uploaded({params}: ViewProps) {
  const path = pathOf(params);
  const request: ApiRequest = {call: 'ReadBatch', path: params};
  const {value, problem, again} = useAnswer({...request, query: {limit: 1}}, follow);
  const saving = useFile();
  if (!value) {
    return problem ? html`<${ProblemBox} problem=${problem} again=${again} />` : html`<${Loading} />`;
  }
  const file = async (_: unknown, signal: AbortSignal) => [(await send<string>({...request, accept: 'text/csv'}, signal)).body];
  const hasRows = value.status === 'numbered' || value.status === 'partial';
  return html`
    <${Head} progress=${value} unit="key" />
    <${ProblemBox} problem=${problem ?? saving.problem} again=${again} />
    ${hasRows && html`
      <p class="actions no-print"><button type="button" class="primary" disabled=${saving.busy}
        onClick=${() => saving.start(request, fileName(path.scope, path.name, params['id']!), file)}>Download CSV</button>
        <${Curl} request=${request} /> <${Another} path=${path} /></p>
      <p role="status">${saving.said}</p>
      <${Rows} request=${request} columns=${columnsOf(path, numbering)} rowsOf=${(page: {allocations: Row[]}) => page.allocations} />`}`;
}

function numbering({problem, status}: Row) {
  return problem ? html`<${Chip} kind="bad">no number<//> ${problem.detail}` : html`<${StatusChip} status=${status} />`;
}

const OUTCOMES = {imported: 'good', 'already-there': 'quiet', refused: 'bad'} as const;

function outcome({outcome: said, problem}: Row) {
  return html`<${Chip} kind=${OUTCOMES[said as keyof typeof OUTCOMES]}>${said === 'already-there' ? 'already imported' : said}<//> ${problem?.detail}`;
}

function Imported({params}: ViewProps) {
  const path = pathOf(params);
  const [isRefused, setRefused] = useState(false);
  const request: ApiRequest = {call: 'ReadImport', path: params, query: isRefused ? {outcome: 'refused'} : {}};
  const {value, problem, again} = useAnswer({call: 'ReadImport', path: params, query: {limit: 1}}, follow);
  const saving = useFile();
  if (!value) {
    return problem ? html`<${ProblemBox} problem=${problem} again=${again} />` : html`<${Loading} />`;
  }
  return html`
    <${Head} progress=${value} unit="row" />
    <${ProblemBox} problem=${problem ?? saving.problem} again=${again} />
    ${value.status !== 'pending' && html`
      <${Check} label="Only refused rows" checked=${isRefused} onChecked=${setRefused} />
      <p class="actions no-print"><button type="button" class="primary" disabled=${saving.busy}
        onClick=${() => saving.start(request, fileName(path.scope, path.name, 'import', params['id']!), (_, signal) => importedRows(request, signal))}>Download CSV</button>
        <${Curl} request=${request} /> <${Another} path=${path} task="import" /></p>
      <p role="status">${saving.said}</p>
      <${Rows} request=${request} columns=${columnsOf(path, outcome)} rowsOf=${(page: {rows: Row[]}) => page.rows} />`}`;
}

async function importedRows(request: ApiRequest, signal: AbortSignal): Promise<string[]> {
  const rows = await allOf<Row>({...request, query: {...request.query, limit: 1000}}, page => page.rows, signal);
  return [
    csvLine(['key', 'number', 'date', 'outcome', 'problem']),
    ...rows.map(row => csvLine([row.key, numberCell(row), row.date, row.outcome, row.problem?.detail])),
  ];
}
