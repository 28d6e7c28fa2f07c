import {html} from '../html.ts';
import {usePages} from '../requests.ts';
import {inOneLine} from '../problems.ts';
import {Chip, Curl, Empty, ProblemBox, Table, Verified, type Column} from '../parts.ts';
import {changesOf, changesOn, type Change} from './changeList.ts';
import {ClosedDates} from './closings.ts';
import {labelOf} from './fields.ts';
import {href, pathOf, sequencePath, type Path} from '../router.ts';
import {BEFORE_AND_AFTER, CHANGES, UNKNOWN, UNREADABLE, WHAT, WHO} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, moment} from '../words.ts';

const KINDS: Readonly<Record<NonNullable<Change['kind']>, 'good' | 'warn' | 'bad' | 'quiet'>> = {
  created: 'good', changed: 'quiet', advanced: 'warn', suspended: 'warn', resumed: 'good', retired: 'bad', revived: 'good', imported: 'warn', closed: 'good',
};

function What({path, change}: {path: Path; change: Change}) {
  if (change.problem) {
    return html`<span class="error">${inOneLine(change.problem)}</span>`;
  }
  if (change.kind === 'advanced') {
    return html`<span class="mono">${String(change.previousNext)} → ${String(change.next)}</span>${change.period ? ` in ${change.period}` : ''}
      ${change.reason && html`<span class="about">${change.reason}</span>`}`;
  }
  if (change.import) {
    return html`<a class="mono" href=${href(sequencePath(path.scope, path.name, `imports/${change.import}`))}>${change.import}</a>`;
  }
  if (change.kind === 'closed') {
    return html`<${Closed} path=${path} fields=${change.fields ?? []} />`;
  }
  if (change.reason) {
    return html`<span class="about">${change.reason}</span>`;
  }
  const fields = change.fields ?? [];
  if (change.kind === 'created') {
    return html`<details><summary>${amount(fields.length, 'field')}</summary><${Fields} fields=${fields} /></details>`;
  }
  return html`<${Fields} fields=${fields} />`;
}

/** A link to the check of the closed dates, which lists the result. */
function Closed({path, fields}: {path: Path; fields: NonNullable<Change['fields']>}) {
  const [dateFrom, dateTo] = ['dateFrom', 'dateTo'].map(name => String(fields.find(({field}) => field === name)?.after ?? ''));
  return html`<${ClosedDates} path=${path} dateFrom=${dateFrom} dateTo=${dateTo} />`;
}

function Fields({fields}: {fields: NonNullable<Change['fields']>}) {
  return fields.length === 0 ? '' : html`<ul class="fields">${fields.map(({field, before, after}) => html`
    <li key=${field}>${labelOf(field)}: ${before === undefined ? '' : html`<del class="mono">${String(before)}</del> → `}<span class="mono">${after === undefined ? 'default' : String(after)}</span></li>`)}</ul>`;
}

const columnsOf = (path: Path): readonly Column<Change>[] => [
  {title: 'When', cell: row => row.at ? moment(row.at) : ''},
  {title: WHAT, cell: row => row.kind ? html`<${Chip} kind=${KINDS[row.kind]}>${row.kind === 'closed' ? 'result recorded' : row.kind}<//>` : UNREADABLE},
  {title: WHO, cell: row => row.actorId ? html`${row.actor ?? row.actorId}<${Verified} id=${row.actorId} />` : row.actor ?? (row.problem ? '' : html`<span class="muted">${UNKNOWN}</span>`)},
  {title: BEFORE_AND_AFTER, cell: row => html`<${What} path=${path} change=${row} />`},
];

/** Every change of a sequence, with the user. */
export function Changes({params}: ViewProps) {
  const path = pathOf(params);
  const request = changesOf(path);
  const pages = usePages<Change>(request, changesOn);
  // The service lists changes oldest first, so they can be reversed only when all are loaded.
  const rows = pages.more ? pages.rows : [...pages.rows].reverse();
  return html`
    <h2>${CHANGES}</h2>
    <p class="muted">Changes, ${pages.more ? 'oldest' : 'newest'} first. They are kept forever; names are as the caller stated. <a href=${href(sequencePath(path.scope, path.name, 'uploads'))}>Uploads and imports</a></p>
    <${ProblemBox} problem=${pages.problem} again=${pages.again} />
    ${pages.rows.length === 0 && !pages.busy && !pages.problem
      ? html`<${Empty} title="No changes recorded"><p>Changes of this sequence, such as of its <a href=${href(sequencePath(path.scope, path.name, 'definition'))}>definition</a>, are listed here from now on.</p><//>`
      : html`<${Table} caption=${CHANGES} columns=${columnsOf(path)} rows=${rows} keyOf=${(row: Change) => row.problem?.detail ?? `${row.at} ${row.kind} ${row.next ?? ''}`} busy=${pages.busy} more=${pages.more} />`}
    <${Curl} request=${request} />`;
}
