import './books.css';
import {html, useEffect, useId, useMemo, useRef, useState} from '../html.ts';
import type {ApiRequest} from '../api.ts';
import {useDoing} from '../requests.ts';
import {firstRows, separatorsOf, type Separator} from '../firstRows.ts';
import {Check, Curl, Field, ProblemBox} from '../parts.ts';
import {ImportButton, rememberChecked} from './importing.ts';
import {go, href, pathOf, sequencePath, type Path} from '../router.ts';
import type {View, ViewProps} from '../views.ts';

/** Sends a list of keys to number, or numbers of another system to import. The service processes both in the background. */
export const upload: View = {
  path: '/sequences/:scope/:name/upload', label: 'Uploads', place: 'sequence', needs: 'UploadBatch', ledger: true, component: Upload,
};

const SHOWN_ROWS = 6;
/** The size of the sample, which is enough for the first rows. */
const SAMPLE_BYTES = 64 * 1024;

/** The list to send. */
interface Source {
  /** The list in its original form. A file is not read into the page. */
  readonly body: string | File;
  readonly sample: string;
  /** Whether it is a list without columns, with one key on each line. */
  readonly isList: boolean;
  /** The idempotency key of the upload, so that sending it twice has no further effect. */
  readonly id: string;
}

type Task = 'number' | 'import';

const TASKS = {
  number: {
    label: 'Number a list', paste: 'Or paste keys, one on each line', placeholder: 'cart-9001\ncart-9002',
    verb: 'Assign numbers', call: 'UploadBatch', results: 'uploads',
  },
  import: {
    label: 'Import numbers of another system', paste: 'Or paste rows with a header line', placeholder: 'key;number;date\norder-1;1;2024-01-02',
    verb: 'Check the rows', call: 'ImportNumbers', results: 'imports',
  },
} as const;

/** The parameters that name columns, with the label for a parameter without a column. */
const COLUMNS: Readonly<Record<Task, readonly (readonly [parameter: string, label: string, column: string, none: string])[]>> = {
  number: [
    ['keyColumn', 'Column with the keys', 'key', 'the first one'],
    ['dateColumn', 'Column with the dates', 'date', 'none: the day of the upload'],
  ],
  import: [
    ['keyColumn', 'Column with the keys', 'key', 'the one called key'],
    ['numberColumn', 'Column with the numbers', 'number', 'none'],
    ['textColumn', 'Column with the texts', 'text', 'none'],
    ['dateColumn', 'Column with the dates', 'date', 'none'],
    ['statusColumn', 'Column with the status', 'status', 'none: all are issued'],
    ['reasonColumn', 'Column with the reason', 'reason', 'none'],
  ],
};

function Upload({params, query}: ViewProps) {
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

interface PreparingProps {
  readonly path: Path;
  readonly task: Task;
}

/** The options for sending. They are kept when the source changes, which happens with each typed letter. */
interface How {
  readonly reserve: boolean;
  readonly separator?: Separator;
  /** The names of columns to ignore, separated by commas. */
  readonly ignore?: string;
}

function Preparing({path, task}: PreparingProps) {
  const [source, setSource] = useState<Source | undefined>();
  const [how, setHow] = useState<How>({reserve: false});
  return html`
    <${SourceForm} task=${task} onSource=${setSource} />
    ${source && html`<${Sending} path=${path} task=${task} source=${source} how=${how} onHow=${setHow} />`}`;
}

async function sourceOf(body: string | File, isList: boolean): Promise<Source> {
  const sample = typeof body === 'string' ? body.slice(0, SAMPLE_BYTES) : await firstOf(body);
  return {body, sample: sample.replace(/^\uFEFF/, ''), isList, id: `console-${crypto.randomUUID()}`};
}

/** Reads the sample of a file. Drops a last character that is cut off. */
async function firstOf(file: File): Promise<string> {
  const bytes = await file.slice(0, SAMPLE_BYTES).arrayBuffer();
  return new TextDecoder().decode(bytes, {stream: file.size > SAMPLE_BYTES});
}

interface SourceProps {
  readonly task: Task;
  readonly onSource: (source: Source | undefined) => void;
}

function SourceForm({task, onSource}: SourceProps) {
  const [pasted, setPasted] = useState('');
  const take = async (file: File | undefined) => {
    setPasted('');
    onSource(file ? await sourceOf(file, task === 'number' && file.name.endsWith('.txt')) : undefined);
  };
  const paste = async (text: string) => {
    setPasted(text);
    onSource(text.trim() ? await sourceOf(text, task === 'number') : undefined);
  };
  return html`
    <section class="source" aria-label="Source">
      <${DropZone} onFile=${take} />
      <${Field} label=${TASKS[task].paste} as="textarea" rows="5" value=${pasted} onValue=${paste} spellcheck=${false}
        placeholder=${TASKS[task].placeholder} />
    </section>`;
}

function DropZone({onFile}: {onFile: (file: File | undefined) => void}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (e: DragEvent) => {
    e.preventDefault();
    setOver(false);
    if (e.dataTransfer?.files.length) {
      // Makes the control show the name of the file.
      input.current!.files = e.dataTransfer.files;
      onFile(e.dataTransfer.files[0]);
    }
  };
  const hover = (e: Event) => {
    e.preventDefault();
    setOver(true);
  };
  return html`
    <div class=${`drop${over ? ' over' : ''}`} onDragOver=${hover} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <label for=${id}>Drop a CSV file here, or choose one</label>
      <input id=${id} ref=${input} type="file" accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange=${(e: Event) => onFile((e.currentTarget as HTMLInputElement).files?.[0])} />
      <p class="hint">UTF-8, with a header line that names the columns. Up to 100,000 rows.</p>
    </div>`;
}

interface SendingProps extends PreparingProps {
  readonly source: Source;
  readonly how: How;
  readonly onHow: (how: How) => void;
}

/** A preview of the list, and the form for its columns. */
function Sending({path, task, source, how, onHow}: SendingProps) {
  const found = useMemo(() => separatorsOf(source.sample), [source]);
  const separator = found.find(each => each === how.separator) ?? found[0] ?? 'comma';
  const rows = useMemo(() => source.isList ? keysOf(source.sample) : firstRows(source.sample, separator, SHOWN_ROWS), [source, separator]);
  const [columns, setColumns] = useState<Record<string, string>>({});
  const header = rows[0] ?? [];
  useEffect(() => setColumns(namedAlike(task, header)), [task, header.join('\n')]);
  const request: ApiRequest = {
    call: TASKS[task].call, path, body: source.body, type: source.isList ? 'text/plain' : 'text/csv',
    headers: {'Idempotency-Key': source.id},
    query: {...(source.isList ? {} : {...columns, separator, ignore: how.ignore || undefined}), reserve: how.reserve || undefined},
  };
  // A check is a different request than the import, so it has its own key.
  const sent = task === 'number' ? request
    : {...request, headers: {'Idempotency-Key': `${source.id}-check`}, query: {...request.query, dryRun: true}};
  const sending = useDoing<{id: string}>(JSON.stringify([source.id, request.query]));
  const send = async (e: Event) => {
    e.preventDefault();
    const reply = await sending.start(sent);
    if (reply) {
      if (task === 'import') {
        rememberChecked(reply.body.id, request);
      }
      go(sequencePath(path.scope, path.name, `${TASKS[task].results}/${reply.body.id}`));
    }
  };
  return html`
    <form class="sending" aria-label="How to read it" onSubmit=${send}>
      <${FirstRows} rows=${rows} isList=${source.isList} used=${Object.values(columns)} />
      ${source.sample.includes('\uFFFD') && html`<p class="error">Some characters cannot be read. Save the file as UTF-8 first (in Excel "CSV UTF-8").</p>`}
      ${!source.isList && html`<div class="bar">
        ${found.length > 1 && html`<${Field} label="Separator" as="select" value=${separator}
          onValue=${(chosen: Separator) => onHow({...how, separator: chosen})} options=${found} />`}
        ${COLUMNS[task].map(([parameter, label, column, none]) => html`<${Field} label=${label} as="select" value=${columns[parameter] ?? ''}
          onValue=${(name: string) => setColumns({...columns, [parameter]: name})} options=${[...noneOf(task, column, header, none), ...header]} />`)}
        ${task === 'import' && html`<${Field} label="Columns to ignore" value=${how.ignore ?? ''} onValue=${(ignore: string) => onHow({...how, ignore})}
          placeholder="Due date, Remark" />`}
      </div>`}
      ${task === 'import' && TAKEN_ALONE.every(column => header.includes(column)) && html`<p class="hint">
        A row has a number or a text, not both. Rename one of the two columns in the file.</p>`}
      ${task === 'number' && html`<${Check} label="Reserve the numbers only" checked=${how.reserve}
        onChecked=${(reserve: boolean) => onHow({...how, reserve})}
        hint="Each stays reserved until it is confirmed or voided." />`}
      <${ProblemBox} problem=${sending.problem} />
      <p class="actions"><button type="submit" class="primary" disabled=${sending.busy}>${TASKS[task].verb}</button><${Curl} request=${sent} /></p>
      ${task === 'import' && html`<p class="hint">A check imports nothing: it shows what would be imported, and what is wrong with the other rows.</p>`}
    </form>
    ${task === 'import' && html`<p class="actions"><${ImportButton} path=${path} request=${request} /> <span class="hint">without a check</span></p>`}`;
}

function keysOf(text: string): string[][] {
  return text.split(/\r?\n/).filter(Boolean).slice(0, SHOWN_ROWS - 1).map(key => [key]);
}

/** The columns that exclude each other: a row has a value in exactly one. */
const TAKEN_ALONE = ['number', 'text'];

/**
 * Returns the option for no column. An import has none if a column of that name exists: the service reads such a column unless it is
 * ignored.
 */
function noneOf(task: Task, column: string, header: readonly string[], none: string): readonly (readonly [string, string])[] {
  return task === 'import' && header.some(title => isCalled(title, column)) ? [] : [['', none]];
}

function isCalled(title: string, column: string): boolean {
  return title.trim().toLowerCase() === column;
}

/**
 * Returns the columns whose names match. For numbering, the first column is the default for keys, unless it is the only column: the list
 * may have no header line, and its first key would be taken for one.
 */
function namedAlike(task: Task, header: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [parameter, , column] of COLUMNS[task]) {
    const name = header.find(title => isCalled(title, column));
    if (name) {
      found[parameter] = name;
    }
  }
  return task === 'number' && header.length > 1 ? {keyColumn: header[0]!, ...found} : found;
}

function FirstRows({rows, isList, used}: {rows: readonly string[][]; isList: boolean; used: readonly string[]}) {
  const [header = [], ...body] = isList ? [['Key'], ...rows] : rows;
  return html`
    <h2>Preview</h2>
    <div class="table"><table>
      <caption class="unseen">The first rows of what is sent</caption>
      <thead><tr>${header.map(title => html`<th scope="col" class=${isList || used.includes(title) ? 'used' : ''}>${title}</th>`)}</tr></thead>
      <tbody>${body.map(row => html`<tr>${header.map((title, i) => html`<td data-label=${title}>${row[i] ?? ''}</td>`)}</tr>`)}</tbody>
    </table></div>`;
}
