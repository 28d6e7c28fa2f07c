import {html, useEffect, useMemo, useState} from '../html.ts';
import type {ApiRequest} from '../api.ts';
import {By, Chip, Curl, Empty, Field, Literal, ProblemBox, StatusChip, Table, type Column} from '../parts.ts';
import {useMay, usePages, useRequest, useUnknown, type Pages} from '../requests.ts';
import {go, href, pathOf, sequencePath, type Path} from '../router.ts';
import {ALLOCATED, ALL_NUMBERS, CHIPS, CONFIRM_OR_VOID_KEYS, DATE, FIRST_DAY, KEY, LAST_DAY, RESERVED, SHOW, STATUS, TEXT, VOIDED} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, day, periodName, textOf, type Definition} from '../words.ts';
import {ByKeys} from './byKeys.ts';
import type {Entry} from './entries.ts';
import {Many, type Change} from './many.ts';

const FILTERS = ['prefix', 'reason', 'actor', 'from', 'to', 'status', 'order'] as const;
/** The filter in the address. */
type Filter = Readonly<Record<typeof FILTERS[number], string>>;

const PAGE = 100;
/**
 * The number of pages that are read for one screen before the user decides whether to continue. Pages of a filtered ledger may have few entries or
 * none.
 */
const PAGES_AT_ONCE = 20;
const SCREEN = 50;
/** The most entries to select, because each one is a separate request. */
const SELECTED_MOST = 1_000;

/** The orders; the newest first unless the address states another one. */
const ORDERS = [['', 'Newest first'], ['asc', 'In number order']] as const;
const STATUSES = [['', ALL_NUMBERS], ['reserved', RESERVED], ['void', VOIDED]] as const;

/** The ledger page by page, with actions to confirm or void several entries at once. */
export function Ledger({params, query}: ViewProps) {
  const filter = Object.fromEntries(FILTERS.map(name => [name, query.get(name) ?? ''])) as Filter;
  const question = JSON.stringify(filter);
  const path = pathOf(params);
  const definition = useRequest<Definition>({call: 'GetDefinition', path});
  const mayChange = useMay('ChangeStatus');
  const [isList, setList] = useState(false);
  return html`
    <${Form} key=${`form ${question}`} path=${path} filter=${filter} />
    ${mayChange && (isList ? html`<${ByKeys} path=${path} onClose=${() => setList(false)} />`
      : html`<p class="no-print"><button type="button" class="quiet" onClick=${() => setList(true)}>${CONFIRM_OR_VOID_KEYS} …</button></p>`)}
    <${Entries} key=${question} path=${path} filter=${filter} definition=${definition.value} />`;
}

function Form({path, filter}: {path: Path; filter: Filter}) {
  const [wanted, setWanted] = useState(filter);
  const set = (field: keyof Filter) => (value: string) => setWanted({...wanted, [field]: value});
  const show = (e: Event) => {
    e.preventDefault();
    go(sequencePath(path.scope, path.name, 'ledger'), wanted);
  };
  return html`
    <form class="bar no-print" role="search" aria-label="This ledger" onSubmit=${show}>
      <${Field} label="Key starts with" value=${wanted.prefix} onValue=${set('prefix')} maxlength="255" autocomplete="off" spellcheck=${false} />
      <${Field} label="Reason contains" value=${wanted.reason} onValue=${set('reason')} maxlength="200" autocomplete="off" />
      <${Field} label="User contains" value=${wanted.actor} onValue=${set('actor')} maxlength="100" autocomplete="off" spellcheck=${false} />
      <${Field} label=${FIRST_DAY} type="date" value=${wanted.from} onValue=${set('from')} />
      <${Field} label=${LAST_DAY} type="date" value=${wanted.to} min=${wanted.from} onValue=${set('to')} />
      <${Field} label=${STATUS} as="select" value=${wanted.status} onValue=${set('status')} options=${STATUSES} />
      <${Field} label="Order" as="select" value=${wanted.order} onValue=${set('order')} options=${ORDERS} />
      <p class="actions"><button type="submit" class="primary">${SHOW}</button>
        ${Object.values(filter).some(Boolean) && html`<a href=${href(sequencePath(path.scope, path.name, 'ledger'))}>Clear</a>`}</p>
    </form>`;
}

/** Loads more pages until a screen is full. */
function useFilled(pages: Pages<Entry>): Pages<Entry> & {readonly isReading: boolean} {
  const [budget, setBudget] = useState(PAGES_AT_ONCE);
  const isReading = pages.busy || !!pages.more && pages.rows.length < SCREEN && budget > 0;
  useEffect(() => {
    if (pages.more && isReading) {
      setBudget(budget - 1);
      pages.more();
    }
  }, [pages.more, isReading]);
  const more = pages.more && !isReading ? () => {
    setBudget(PAGES_AT_ONCE);
    pages.more?.();
  } : undefined;
  return {...pages, more, isReading};
}

interface EntriesProps {
  readonly path: Path;
  readonly filter: Filter;
  readonly definition: Definition | undefined;
}

function Entries({path, filter, definition}: EntriesProps) {
  const request: ApiRequest = {
    call: 'ReadLedger', path, query: {keyPrefix: filter.prefix, reason: filter.reason, actor: filter.actor, dateFrom: filter.from, dateTo: filter.to, status: filter.status, order: filter.order || 'desc', limit: PAGE},
  };
  const pages = useFilled(usePages<Entry>(request, page => page.entries));
  const [changed, setChanged] = useState<ReadonlyMap<string, Entry>>(new Map());
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [change, setChange] = useState<Change | ''>('');
  const mayChange = useMay('ChangeStatus');
  const rows = useMemo(() => pages.rows.map(row => changed.get(row.key ?? '') ?? row), [pages.rows, changed]);
  const open = rows.filter(canChange);
  const chosen = open.filter(({key}) => selected.has(key!));
  const reserved = chosen.filter(({status}) => status === 'reserved');
  const isFiltered = FILTERS.some(name => name !== 'order' && filter[name]);
  const restarts = (definition?.resetEvery ?? 'never') !== 'never';
  const done = (entry: Entry) => {
    setChanged(last => new Map([...last, [entry.key!, entry]]));
    setSelected(last => new Set([...last].filter(key => key !== entry.key)));
  };
  useUnknown(pages.again);
  const toggle = (key: string) => setSelected(new Set(selected.has(key) ? [...selected].filter(other => other !== key) : [...selected, key]));
  return html`
    <${ProblemBox} problem=${pages.problem} again=${pages.again} />
    ${restarts && filter.order && !isFiltered && rows[0] && html`<p class="muted">The current period, ${periodName(rows[0].period, definition)}. For other periods, choose days or the other order.</p>`}
    ${mayChange && open.length > 0 && html`
      <div class="bar no-print selection" role="group" aria-label="Selected entries">
        <p class="actions">
          <button type="button" onClick=${() => setSelected(new Set(chosen.length > 0 ? [] : open.slice(0, SELECTED_MOST).map(({key}) => key!)))}>
            ${chosen.length > 0 ? 'Clear selection' : 'Select all shown'}</button>
          <button type="button" class="primary" disabled=${reserved.length === 0} onClick=${() => setChange('issued')}>Confirm ${reserved.length || ''} …</button>
          <button type="button" class="danger" disabled=${chosen.length === 0 || chosen.length > SELECTED_MOST} onClick=${() => setChange('void')}>Void ${chosen.length || ''} …</button>
          <span class="muted" role="status">${chosen.length === 0 ? '' : chosen.length > SELECTED_MOST ? `Select at most ${amount(SELECTED_MOST)}`
            : `${amount(chosen.length)} selected${reserved.length === 0 ? '; only reserved numbers can be confirmed' : ''}`}</span>
        </p>
      </div>`}
    ${rows.length === 0 && !pages.isReading && !pages.more && !pages.problem ? html`<${Empty} title="No entries">
        <p>${isFiltered ? 'No entry matches these filters.' : filter.order ? 'No number was allocated under a key in this period.' : 'No number was allocated under a key.'}</p><//>`
      : html`<${Table} caption=${filter.order ? 'Ledger, in number order' : 'Ledger, newest first'} columns=${columnsOf(path, mayChange ? {selected, toggle} : undefined)} rows=${rows}
          keyOf=${(row: Entry) => `${row.period} ${row.first}`} busy=${pages.isReading} more=${pages.more} />`}
    ${change && html`<${Many} path=${path} change=${change} entries=${change === 'void' ? chosen : reserved}
        onChanged=${done} onClose=${() => setChange('')} />`}
    <${Curl} request=${request} />`;
}

/** Whether the entry has a key and is not voided. */
function canChange({key, status}: Entry): boolean {
  return !!key && status !== 'void';
}

interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
}

function columnsOf(path: Path, selection: Selection | undefined): readonly Column<Entry>[] {
  return [
    {title: TEXT, cell: row => html`<span class="pick">
      ${selection && canChange(row) && html`<input type="checkbox" aria-label=${`Select ${textOf(row)}`} checked=${selection.selected.has(row.key!)}
        onChange=${() => selection.toggle(row.key!)} />`}
      <a href=${href(sequencePath(path.scope, path.name, 'who'), {q: row.key ?? String(row.first)})}><${Literal} text=${textOf(row)} /></a></span>`},
    {title: KEY, cell: ({key}) => key && html`<${Literal} text=${key} />`},
    {title: DATE, kind: 'short', cell: ({date}) => day(date)},
    {title: ALLOCATED, cell: ({allocatedAt, actor, actorId}) => html`<${By} at=${allocatedAt} actor=${actor} id=${actorId} />`},
    {title: STATUS, cell: row => html`${row.kind === 'advance' ? html`<${Chip} kind="warn">${CHIPS.skipped}<//>` : html`<${StatusChip} status=${row.status} />`}
      ${row.statusAt && html`<span class="about"><${By} at=${row.statusAt} actor=${row.statusActor} id=${row.statusActorId} isNamed /></span>`}
      ${row.reason && html`<span class="about">${row.reason}</span>`}`},
  ];
}
