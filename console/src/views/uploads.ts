import {html} from '../html.ts';
import {useMay, usePages} from '../requests.ts';
import {Chip, Curl, ProblemBox, Table, Verified, type Column} from '../parts.ts';
import type {ApiRequest} from '../api.ts';
import {href, pathOf, sequencePath, type Path} from '../router.ts';
import {inOneLine, type Refusal} from '../problems.ts';
import {RESULTS} from './uploaded.ts';
import {KEYS, OUTCOMES, RESULT, ROWS, SENT, UNKNOWN, UNREADABLE, UPLOADS, WHO} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, moment} from '../words.ts';

/** An upload or an import in a list. If it cannot be read, it has only a problem and, if known, its id. */
interface Listed {
  readonly id?: string;
  readonly status: keyof typeof RESULTS;
  readonly sentAt?: string;
  readonly actor?: string;
  readonly actorId?: string;
  readonly keys?: number;
  readonly items?: number;
  readonly done: number;
  readonly dryRun?: boolean;
  readonly counts?: {readonly numbered?: number; readonly imported?: number; readonly wouldImport?: number; readonly alreadyThere?: number; readonly refused: number};
  readonly problem?: Refusal;
}

function resultOf({status, done, dryRun, keys, items, counts, problem}: Listed) {
  if (problem) {
    return html`<span class="error">${inOneLine(problem)}</span>`;
  }
  const [kind, word] = RESULTS[status];
  const all = keys ?? items ?? 0;
  const details = status === 'pending' ? [`${amount(done)} of ${amount(all)} done`] : [
    counts?.numbered !== undefined && `${amount(counts.numbered)} with a number`,
    counts?.imported !== undefined && (dryRun ? `${amount(counts.wouldImport ?? 0)} ${OUTCOMES['would-import']}` : `${amount(counts.imported)} ${OUTCOMES.imported}`),
    counts?.alreadyThere && `${amount(counts.alreadyThere)} ${OUTCOMES['already-there']}`,
    counts?.refused && `${amount(counts.refused)} ${OUTCOMES.refused}`,
  ];
  return html`${dryRun && html`<${Chip} kind="quiet">check only<//> `}<${Chip} kind=${kind}>${word}<//> <span class="about">${details.filter(Boolean).join(', ')}</span>`;
}

function columnsOf(path: Path, view: 'uploads' | 'imports'): readonly Column<Listed>[] {
  return [
    {title: SENT, cell: ({id, sentAt}) => id
      ? html`<a href=${href(sequencePath(path.scope, path.name, `${view}/${id}`))}>${sentAt ? moment(sentAt) : id}</a>` : UNREADABLE},
    {title: WHO, cell: ({actor, actorId, problem}) => actor ?? actorId ? html`${actor ?? actorId}<${Verified} id=${actorId} />` : problem ? '' : html`<span class="muted">${UNKNOWN}</span>`},
    {title: view === 'uploads' ? KEYS : ROWS, kind: 'number', cell: ({keys, items}) => keys ?? items ? amount(keys ?? items ?? 0) : ''},
    {title: RESULT, cell: resultOf},
  ];
}

const LISTS = {
  uploads: {call: 'ListBatches', title: UPLOADS, rowsOf: (page: {batches: readonly Listed[]}) => page.batches},
  imports: {call: 'ListImports', title: 'Imports', rowsOf: (page: {imports: readonly Listed[]}) => page.imports},
} as const;

function List({path, view}: {path: Path; view: 'uploads' | 'imports'}) {
  const {call, title, rowsOf} = LISTS[view];
  const request: ApiRequest = {call, path};
  const pages = usePages<Listed>(request, rowsOf);
  const may = useMay(call);
  return !may ? null : html`
    <section>
      <h2>${title}</h2>
      <${ProblemBox} problem=${pages.problem} again=${pages.again} />
      ${pages.rows.length === 0 && !pages.busy && !pages.more && !pages.problem
        ? html`<p class="muted">No ${view === 'uploads' ? 'upload' : 'import'} is kept.</p>`
        : html`<${Table} caption=${title} columns=${columnsOf(path, view)} rows=${pages.rows} busy=${pages.busy} more=${pages.more}
            keyOf=${(row: Listed) => row.id ?? row.problem?.detail ?? ''} />`}
      <${Curl} request=${request} />
    </section>`;
}

/** The uploads and imports of a sequence that are still kept. */
export function Uploads({params}: ViewProps) {
  const path = pathOf(params);
  return html`
    <div class="head"><p class="muted">Newest first, as long as they are kept: 30 days unless the operator chose otherwise. Numbers and changes are kept forever.</p>
      <a class="button" href=${href(sequencePath(path.scope, path.name, 'upload'))}>New upload</a></div>
    <${List} path=${path} view="uploads" />
    <${List} path=${path} view="imports" />`;
}
