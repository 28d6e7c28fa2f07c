import {html, useMemo, useState} from '../html.ts';
import type {ApiRequest, Problem} from '../api.ts';
import {reasonsOf} from '../problems.ts';
import {useDoing, useMay} from '../requests.ts';
import {firstRows, SEPARATORS, separatorsOf, type Separator} from '../firstRows.ts';
import {Check, Curl, Loading, ProblemBox} from '../parts.ts';
import {corrected, ImportButton, rememberChecked} from './importing.ts';
import {forgetDraft} from './drafts.ts';
import {columnOf, isCalled, storedBy, undecidedDates, useInspection, type Inspection, type Parameters, type Role} from './inspection.ts';
import {Reading, Stored} from './reading.ts';
import {go, href, pathOf, sequencePath, type Path} from '../router.ts';
import {pastedFor, sampleOf, SourceForm, type Source, type Task} from './source.ts';
import {KEY} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount} from '../words.ts';

const SHOWN_ROWS = 6;

const TASKS = {
  number: {
    label: 'Number a list', paste: 'Or paste keys, one on each line', placeholder: 'cart-9001\ncart-9002',
  },
  import: {
    label: 'Import numbers of another system', paste: 'Or paste rows with a header line', placeholder: 'key;number;date\norder-1;1;2024-01-02',
  },
} as const;

/** The roles of columns, with the label of having no column. */
const ROLES: Readonly<Record<Task, readonly (readonly [role: Role, label: string, none: string])[]>> = {
  number: [
    ['keyColumn', 'Column with the keys', 'the first one'],
    ['dateColumn', 'Column with the dates', 'none: the day of the upload'],
  ],
  import: [
    ['keyColumn', 'Column with the keys', 'choose …'],
    ['numberColumn', 'Column with the numbers', 'none'],
    ['textColumn', 'Column with the texts', 'none'],
    ['dateColumn', 'Column with the dates', 'none'],
    ['statusColumn', 'Column with the status', 'none: all issued'],
    ['reasonColumn', 'Column with the reason', 'none'],
  ],
};

/** Sends a list of keys to number, or numbers of another system to import. The service processes both in the background. */
export function Upload({params, query}: ViewProps) {
  const path = pathOf(params);
  const task: Task = query.get('task') === 'import' ? 'import' : 'number';
  return html`
    <form class="bar" aria-label="Task">
      <fieldset class="choice">
        <legend>Task</legend>
        ${(Object.keys(TASKS) as Task[]).map(each => html`
          <label><input type="radio" name="task" checked=${each === task}
            onChange=${() => go(sequencePath(path.scope, path.name, 'upload'), {task: each})} /> ${TASKS[each].label}</label>`)}
      </fieldset>
      <p class="actions"><a href=${href(sequencePath(path.scope, path.name, 'uploads'))}>Earlier uploads and imports</a></p>
    </form>
    <${Preparing} key=${task} path=${path} task=${task} />`;
}

/** The options for sending. They are kept when the source changes, which happens with each typed letter. */
interface How {
  readonly reserve: boolean;
  readonly stated: Parameters;
}

function Preparing({path, task}: {path: Path; task: Task}) {
  const [correction] = useState(() => task === 'import' ? corrected(path) : undefined);
  const [source, setSource] = useState<Source | undefined>();
  const [how, setHow] = useState<How>({reserve: false, stated: correction?.stated ?? {}});
  const {paste, placeholder} = TASKS[task];
  const props = {path, source, how, onHow: setHow};
  return html`
    <${SourceForm} form=${pastedFor(path, task)} isOfKeys=${task === 'number'} label=${paste} placeholder=${placeholder} pasted=${correction?.text} onSource=${setSource} />
    ${source && (task === 'import' ? html`<${Importing} ...${props} />` : html`<${Numbering} ...${props} />`)}`;
}

interface SendingProps {
  readonly path: Path;
  readonly source: Source;
  readonly how: How;
  readonly onHow: (how: How) => void;
}

/** Returns the reasons for which the service refuses the parameters that have a field. */
function wrongOf(problem: Problem | undefined, inspection: Inspection | undefined): Record<string, string> {
  const reasons = problem ? reasonsOf(problem.refusal) : inspection?.problems ?? [];
  return Object.fromEntries([...reasons].reverse().map(({field, reason}) => [field, reason]));
}

/** The parameters with a field in the form. The other ones are reported as a list. */
const WITH_FIELD = new Set<string>([...ROLES.import.map(([role]) => role), 'encoding', 'separator', 'headerLine', 'until', 'dateFormat', 'century', 'grouping', 'decimal', 'maxNumber', 'statusMap', 'reason']);

/** Returns the different words in a column of the sample, at most as many as fit. */
function wordsIn(source: Source, inspection: Inspection | undefined, column: string): string[] {
  const rows = inspection ? rowsOf(source, inspection, Infinity) : [];
  const place = rows[0]?.findIndex(name => isCalled(name, column)) ?? -1;
  return place < 0 ? [] : [...new Set(rows.slice(1).map(row => row[place]?.trim() ?? ''))].filter(Boolean);
}

const SEPARATOR_NAMES: Readonly<Record<string, Separator>> = {',': 'comma', ';': 'semicolon', '\t': 'tab'};

/** Returns the first rows of the sample from the header line on. */
function rowsOf(source: Source, {encoding, separator, headerLine}: Inspection, count: number): string[][] {
  const text = sampleOf(source, encoding).split('\n').slice(headerLine - 1).join('\n');
  return firstRows(text, SEPARATOR_NAMES[separator] ?? 'comma', count);
}

/** The steps of an import: see how the file is read, check it, import it. */
function Importing({path, source, how, onHow}: SendingProps) {
  const {stated} = how;
  const {value, problem, busy, again} = useInspection(path, source.body, stated);
  const request: ApiRequest = {
    call: 'ImportNumbers', path, body: source.body, type: 'text/csv', headers: {'Idempotency-Key': source.id}, query: {...value?.suggested, ...stated},
  };
  // A check is a different request than the import, so it has its own key.
  const dryRun: ApiRequest = {...request, headers: {'Idempotency-Key': `${source.id}-check`}, query: {...request.query, dryRun: true}};
  const checking = useDoing<{id: string}>(JSON.stringify([source.id, request.query]));
  const stored = value && storedBy(value);
  const left = value?.refused?.count ?? 0;
  const except = left > 0 ? ` (${amount(left, 'row')} would be refused)` : '';
  const check = async () => {
    const reply = await checking.start(dryRun);
    if (reply) {
      rememberChecked(reply.body.id, {request, stored, stated: request.query as Parameters});
      go(sequencePath(path.scope, path.name, `imports/${reply.body.id}`));
    }
  };
  const isUnclear = !!value && value.problems.length > 0;
  const wrong = {...(isUnclear ? undecidedDates(value.columns, request.query as Parameters) : {}), ...wrongOf(problem, value)};
  const others = value?.problems.filter(({field}) => !WITH_FIELD.has(field)) ?? [];
  const isReady = !busy && !problem && !!value && value.problems.length === 0;
  const words = useMemo(() => new Map<string, string[]>(), [source, value]);
  const wordsOf = (column: string) => words.get(column) ?? words.set(column, wordsIn(source, value, column)).get(column)!;
  return html`
    <form class="sending" aria-label="How to read it" aria-busy=${busy} onSubmit=${(e: Event) => {
      e.preventDefault();
      void check();
    }}>
      <h2>See how the file is read</h2>
      <${ProblemBox} problem=${problem} again=${again} marked=${value ? marked(wrong) : {}} />
      <${Reading} inspection=${value} stated=${stated} onStated=${(next: Parameters) => onHow({...how, stated: next})} roles=${ROLES.import} wrong=${wrong} wordsOf=${wordsOf} />
      ${others.length > 0 && html`<ul class="reasons error">${others.map(({field, reason}) => html`<li><strong>${field}</strong> ${reason}</li>`)}</ul>`}
      ${busy && html`<${Loading} />`}
      ${isUnclear && !busy && html`<p class="hint" role="status">Correct the marked fields to see what would be stored.</p>`}
      ${value && value.problems.length === 0 && html`<${Stored} inspection=${value} />`}
      <${ProblemBox} problem=${checking.problem} />
      ${stored && html`<p class="lead" role="status">${stored}${except}</p>`}
      <p class="actions">
        <button type="submit" class="primary" disabled=${checking.busy || !isReady}>Check the rows</button>
        <${ImportButton} path=${path} request=${request} stored=${stored} except=${except}
          rows=${value && value.rows - left} disabled=${!isReady || value?.range?.numbers === 0} onCheck=${check} />
        <${Curl} request=${dryRun} />
      </p>
      <p class="hint">A check imports nothing: it shows what would be imported, and what is wrong with the other rows.</p>
    </form>`;
}

/** A preview of a list to number, and the form for its columns. */
function Numbering({path, source, how, onHow}: SendingProps) {
  const {stated} = how;
  const may = useMay('InspectImport');
  const inspected = useInspection(path, source.isList || !may ? undefined : source.body, stated);
  // A key that may only upload lists does not open the inspection of files.
  const isRefused = !may || [401, 403].includes(inspected.problem?.status ?? 0);
  const inspection = source.isList ? undefined : isRefused ? ownReading(source, stated) : inspected.value;
  const problem = isRefused ? undefined : inspected.problem;
  const columns = source.isList || !inspection ? undefined : columnsOfKeys(inspection, stated);
  const request: ApiRequest = {
    call: 'UploadBatch', path, body: source.body, type: source.isList ? 'text/plain' : 'text/csv', headers: {'Idempotency-Key': source.id},
    query: {...(source.isList ? {} : columns), reserve: how.reserve || undefined},
  };
  const sending = useDoing<{id: string}>(JSON.stringify([source.id, request.query]));
  const send = async (e: Event) => {
    e.preventDefault();
    const reply = await sending.start(request);
    if (reply) {
      forgetDraft(pastedFor(path, 'number'));
      go(sequencePath(path.scope, path.name, `uploads/${reply.body.id}`));
    }
  };
  const rows = useMemo(() => source.isList ? keysOf(sampleOf(source)) : inspection ? rowsOf(source, inspection, SHOWN_ROWS) : [], [source, inspection]);
  const undecided = inspection && columns ? undecidedDates(inspection.columns, columns) : {};
  const wrong = {...wrongOf(sending.problem ?? problem, undefined), ...undecided};
  const isReady = source.isList || isRefused || (!inspected.busy && !problem && Object.keys(undecided).length === 0);
  return html`
    <form class="sending" aria-label="How to read it" aria-busy=${inspected.busy} onSubmit=${send}>
      ${!source.isList && html`<h2>See how the file is read</h2>
        <${ProblemBox} problem=${problem} again=${inspected.again} marked=${inspection ? marked(wrong) : {}} />
        <${Reading} inspection=${inspection && {...inspection, suggested: columns}} stated=${stated} roles=${ROLES.number} wrong=${wrong} wordsOf=${() => []}
          onStated=${(next: Parameters) => onHow({...how, stated: next})} />`}
      ${rows.length > 0 && html`<${FirstRows} rows=${rows} isList=${source.isList} used=${Object.values(columns ?? {})} />`}
      ${!source.isList && inspected.busy && html`<${Loading} />`}
      <${Check} label="Reserve the numbers only" checked=${how.reserve} onChecked=${(reserve: boolean) => onHow({...how, reserve})}
        hint="Each stays reserved until it is confirmed or voided." />
      <${ProblemBox} problem=${sending.problem} marked=${source.isList ? {} : marked(wrong)} />
      <p class="actions"><button type="submit" class="primary" disabled=${sending.busy || !isReady}>Assign numbers</button><${Curl} request=${request} /></p>
    </form>`;
}

/** Returns the columns of the sample, for a key that does not open the inspection of files. */
function ownReading(source: Source, stated: Parameters): Inspection {
  const encoding = String(stated['encoding'] ?? 'utf-8');
  const [found = 'comma'] = separatorsOf(sampleOf(source, encoding));
  const separator = String(stated['separator'] ?? SEPARATORS[found]);
  const reading = {encoding, separator, headerLine: Number(stated['headerLine'] ?? 1), rows: 0, columns: [], suggested: {}, problems: []};
  const [header = []] = rowsOf(source, reading, 1);
  return {...reading, columns: header.map(name => ({name, looksLike: '', empty: 0}))};
}

/** Keeps the reasons that have a field in the form. */
function marked(wrong: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(wrong).filter(([field]) => WITH_FIELD.has(field)));
}

/** The parameters of a list of keys. An import has others, too. */
const OF_KEYS = new Set(['keyColumn', 'dateColumn', 'dateFormat', 'century', 'separator', 'encoding', 'headerLine', 'until', 'ignore']);

/**
 * Returns the parameters to send with a list of keys. The first column is the default for keys, unless it is the only column: the list may
 * have no header line, and its first key would be taken for one.
 */
function columnsOfKeys({suggested, columns}: Inspection, stated: Parameters): Parameters {
  const names = columns.map(({name}) => name);
  const all: Parameters = {...suggested, ...stated};
  const known = Object.fromEntries(Object.entries(all).filter(([name]) => OF_KEYS.has(name)));
  const [key, date] = [columnOf('keyColumn', all, names), columnOf('dateColumn', all, names)];
  return {...(names.length > 1 ? {keyColumn: names[0]!} : {}), ...known, ...(key ? {keyColumn: key} : {}), ...(date ? {dateColumn: date} : {})};
}

function keysOf(text: string): string[][] {
  return text.split(/\r?\n/).filter(Boolean).slice(0, SHOWN_ROWS - 1).map(key => [key]);
}

function FirstRows({rows, isList, used}: {rows: readonly string[][]; isList: boolean; used: readonly unknown[]}) {
  const [header = [], ...body] = isList ? [[KEY], ...rows] : rows;
  return html`
    <h2>Preview</h2>
    <div class="table"><table>
      <caption class="unseen">The first rows of what is sent</caption>
      <thead><tr>${header.map(title => html`<th scope="col" class=${isList || used.includes(title) ? 'used' : ''}>${title}</th>`)}</tr></thead>
      <tbody>${body.map(row => html`<tr>${header.map((title, i) => html`<td data-label=${title}>${row[i] ?? ''}</td>`)}</tr>`)}</tbody>
    </table></div>`;
}
