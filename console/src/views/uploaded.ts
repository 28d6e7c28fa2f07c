import {html, useState} from '../html.ts';
import {send, type ApiRequest} from '../api.ts';
import {useAnswer, useDoing, usePages} from '../requests.ts';
import {fileName} from '../download.ts';
import {Check, Chip, Curl, Facts, Literal, Loading, ProblemBox, StatusChip, Table, type Column} from '../parts.ts';
import {inOneLine, placeOf, reasonsOf, type Refusal} from '../problems.ts';
import {href, pathOf, sequencePath, type Path} from '../router.ts';
import {DATE, DOWNLOAD_CSV, IMPORTED, KEY, KEYS, LINE, NUMBER, OUTCOMES, REFUSED_ROW, RESULT, ROWS, SENT} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, day, moment, sentence, textOf, type Num} from '../words.ts';
import {correct, ImportButton, preparedImport} from './importing.ts';
import {useFile} from './file.ts';
import type {Parameters} from './inspection.ts';
import {Lacking} from './lacking.ts';

interface Row {
  readonly key?: string;
  readonly line?: number;
  readonly first?: Num;
  readonly last?: Num;
  readonly number?: Num;
  readonly text?: string;
  readonly texts?: readonly string[];
  readonly date?: string;
  readonly status?: string;
  readonly outcome?: string;
  readonly warning?: string;
  readonly problem?: Refusal;
}

interface Progress {
  readonly status: 'pending' | 'numbered' | 'imported' | 'would-import' | 'partial' | 'rejected';
  readonly dryRun?: boolean;
  readonly sentAt: string;
  readonly done: number;
  readonly keys?: number;
  readonly items?: number;
  readonly counts?: {readonly imported: number; readonly wouldImport?: number; readonly alreadyThere: number; readonly refused: number};
}

/** Polls at the interval that the service states, until the upload is no longer pending. */
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
  partial: ['warn', 'Completed with refused rows'],
  rejected: ['bad', 'Failed: no row was accepted'],
  'would-import': ['good', 'Checked: every row can be imported'],
} as const;

/** The words for a check, which imports nothing. */
const CHECKED = {
  ...SAID,
  pending: ['quiet', 'Check in progress'],
  partial: ['warn', 'Checked: some rows would be refused'],
  rejected: ['bad', 'Checked: no row can be imported'],
} as const;

function Head({progress, unit}: {progress: Progress; unit: string}) {
  const [kind, word] = (progress.dryRun ? CHECKED : SAID)[progress.status];
  const said = progress.status === 'partial' && !progress.dryRun && progress.counts ? `Completed with ${amount(progress.counts.refused, REFUSED_ROW)}` : word;
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
      [SENT, moment(progress.sentAt)], [unit === 'key' ? KEYS : ROWS, amount(all)],
      ...(progress.counts ? [
        progress.dryRun ? ['Can be imported', amount(progress.counts.wouldImport ?? 0)] : [IMPORTED, amount(progress.counts.imported)],
        ['Already imported', amount(progress.counts.alreadyThere)], ['Refused', amount(progress.counts.refused)],
      ] : []),
    ]} />`;
}

/** The words for results in a list. */
export const RESULTS = {
  pending: ['quiet', 'in progress'], numbered: ['good', 'completed'], imported: ['good', 'completed'], 'would-import': ['good', 'completed'],
  partial: ['warn', 'with refused rows'], rejected: ['bad', 'failed'],
} as const;

function Another({path, task}: {path: Path; task?: string}) {
  return html`<a href=${href(sequencePath(path.scope, path.name, 'upload'), {task})}>Another upload</a>
    <a href=${href(sequencePath(path.scope, path.name, 'uploads'))}>All uploads</a>`;
}

/** The content of a cell that a refused row lacks. The cells of an invalid row are not read at all. */
function lacking({problem}: Row) {
  return problem && html`<span class="muted short">${problem.type.endsWith('invalid-request') ? 'not read' : 'none'}</span>`;
}

/** The reason why a row is refused: each wrong field, or else its problem. */
function refused(problem: Refusal) {
  const reasons = reasonsOf(problem).map(each => `${placeOf(each)} ${each.reason}`).join('; ');
  return reasons ? sentence(reasons) : inOneLine(problem);
}

function numberCell(row: Row) {
  return row.problem && (row.first ?? row.number ?? row.text) === undefined ? lacking(row) : html`<${Literal} text=${row.first === undefined ? row.text ?? String(row.number ?? '') : textOf({texts: row.texts, first: row.first, last: row.last!})} />`;
}

function columnsOf(path: Path, outcome: (row: Row) => unknown): Column<Row>[] {
  return [
    {title: KEY, cell: row => row.key ? html`<${Literal} text=${row.key} />` : lacking(row)},
    {title: NUMBER, cell: row => row.first === undefined || row.outcome === 'would-import' ? numberCell(row)
      : html`<a href=${href(sequencePath(path.scope, path.name, 'who'), {q: row.key})}>${numberCell(row)}</a>`},
    {title: DATE, kind: 'short', cell: row => row.date ? day(row.date) : lacking(row)},
    {title: RESULT, cell: outcome},
  ];
}

function Rows({request, columns, rowsOf}: {request: ApiRequest; columns: Column<Row>[]; rowsOf: (page: any) => readonly Row[]}) {
  const pages = usePages<Row>(request, rowsOf);
  // The service lists the rows that it could not read last, so they are in the order of the file only when all are loaded.
  const rows = pages.more ? pages.rows : [...pages.rows].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  return html`
    <${ProblemBox} problem=${pages.problem} again=${pages.again} />
    <${Table} caption="Results" columns=${columns} rows=${rows} busy=${pages.busy} more=${pages.more}
      keyOf=${(row: Row) => `${row.line} ${row.key}`} />`;
}

/** The progress of an upload, and the numbers of each key. */
export function Uploaded({params}: ViewProps) {
  const path = pathOf(params);
  const request: ApiRequest = {call: 'ReadBatch', path: params};
  const {value, problem, again} = useAnswer({...request, query: {limit: 1}}, follow);
  const saving = useFile();
  if (!value) {
    return problem ? html`<${ProblemBox} problem=${problem} again=${again} />` : html`<${Loading} />`;
  }
  const file = async (_: unknown, signal: AbortSignal) => [(await send<string>({...request, query: {for: 'spreadsheet'}, accept: 'text/csv'}, signal)).body];
  return html`
    <${Head} progress=${value} unit="key" />
    <${ProblemBox} problem=${problem ?? saving.problem} again=${again} />
    ${value.status !== 'pending' && html`
      <p class="actions no-print"><button type="button" class="primary" disabled=${saving.busy}
        onClick=${() => saving.start(request, fileName(path.scope, path.name, 'upload', value.sentAt.slice(0, 10), params['id']!), file)}>${DOWNLOAD_CSV}</button>
        <${Curl} request=${request} /> <${Another} path=${path} /></p>
      <p role="status">${saving.said}</p>
      <${Rows} request=${request} columns=${columnsOf(path, numbering)} rowsOf=${(page: {allocations: Row[]}) => page.allocations} />`}`;
}

function numbering({line, problem, status}: Row) {
  return problem ? html`<${Chip} kind="bad">no number<//> ${line ? `Line ${line}: ` : ''}${refused(problem)}` : html`<${StatusChip} status=${status} />`;
}

const OUTCOME_KINDS: Readonly<Record<keyof typeof OUTCOMES, 'good' | 'quiet' | 'bad'>> = {imported: 'good', 'would-import': 'good', 'already-there': 'quiet', refused: 'bad'};

function outcome({outcome: said, problem, status, warning}: Row) {
  const of = said as keyof typeof OUTCOMES;
  return html`<${Chip} kind=${OUTCOME_KINDS[of]}>${OUTCOMES[of]}<//> ${!problem && status === 'void' && html`<${StatusChip} status=${status} />`} ${problem ? refused(problem) : warning}`;
}

/** The progress of an import, and the result of each row. */
export function Imported({params}: ViewProps) {
  const path = pathOf(params);
  const [isRefused, setRefused] = useState(false);
  const request: ApiRequest = {call: 'ReadImport', path: params, query: isRefused ? {outcome: 'refused'} : {}};
  const {value, problem, again} = useAnswer({call: 'ReadImport', path: params, query: {limit: 1}}, follow);
  const saving = useFile();
  const correcting = useDoing<string>();
  if (!value) {
    return problem ? html`<${ProblemBox} problem=${problem} again=${again} />` : html`<${Loading} />`;
  }
  const prepared = preparedImport(params['id']!);
  const planned = value.dryRun ? prepared : undefined;
  const file = (name: string, outcome?: string) => saving.start(request, fileName(path.scope, path.name, name, value.sentAt.slice(0, 10), params['id']!), async (_, signal) =>
    [(await send<string>({...request, query: {outcome, for: 'spreadsheet'}, accept: 'text/csv'}, signal)).body]);
  const {refused = 0, wouldImport = 0, alreadyThere = 0} = value.counts ?? {};
  const correctHere = async () => {
    const reply = await correcting.start({...request, query: {outcome: 'refused'}, accept: 'text/csv'});
    if (reply) {
      correct(path, reply.body, ofRows(prepared?.stated ?? {}));
    }
  };
  return html`
    <${Head} progress=${value} unit="row" />
    <${ProblemBox} problem=${problem ?? saving.problem ?? correcting.problem} again=${again} />
    ${value.status !== 'pending' && html`
      ${refused > 0 && html`<p class="hint no-print">Refused rows have the columns of your file, with the line and the problem of each: correct them and send them again.</p>`}
      ${!value.dryRun && (value.counts?.imported ?? 0) > 0 && html`<${Lacking} path=${path} />`}
      <${Check} label="Only refused rows" checked=${isRefused} onChecked=${setRefused} />
      <p class="actions no-print">
        ${planned && html`<${ImportButton} path=${path} request=${planned.request} primary=${refused === 0} rows=${wouldImport}
          stored=${refused + alreadyThere === 0 ? planned.stored : undefined} except=${refused > 0 ? ` (the ${amount(refused)} refused ones stay out)` : ''} />`}
        ${refused > 0 && refused <= MAX_ROWS_HERE && html`<button type="button" class="primary" disabled=${correcting.busy} onClick=${correctHere}>Correct refused rows</button>`}
        ${refused > 0 && html`<button type="button" class=${refused > MAX_ROWS_HERE ? 'primary' : ''} disabled=${saving.busy} onClick=${() => file('refused', 'refused')}>Download refused rows</button>`}
        <button type="button" disabled=${saving.busy} onClick=${() => file('import')}>${DOWNLOAD_CSV}</button>
        <${Curl} request=${request} /> <${Another} path=${path} task="import" /></p>
      <p role="status">${saving.said}</p>
      <${Rows} request=${request} columns=${[LINE_COLUMN, ...columnsOf(path, outcome)]} rowsOf=${(page: {rows: Row[]}) => page.rows} />`}`;
}

const LINE_COLUMN: Column<Row> = {title: LINE, kind: 'line', cell: ({line}) => line ?? ''};

/** The most refused rows that the page offers to correct as text. */
const MAX_ROWS_HERE = 200;

/** Returns the parameters that also hold for the refused rows of a file, which the service writes with a header line of their own. */
function ofRows({encoding, separator, headerLine, until, dryRun, maxNumber, ...others}: Parameters): Parameters {
  return others;
}
