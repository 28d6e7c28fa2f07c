import {html, useCallback, useEffect, useMemo, useRef, useState} from '../html.ts';
import {asProblem, useFresh, useRequest, useMay, useSettled} from '../requests.ts';
import {inOneLine, type Refusal} from '../problems.ts';
import {allOf, pagesOf, Problem, send, type ApiRequest} from '../api.ts';
import {Check, Chip, Curl, Empty, Field, Loading, Meter, ProblemBox, Row, type Column} from '../parts.ts';
import {go, href, sequencePath} from '../router.ts';
import {changesOf, changesOn, lastOf} from './changeList.ts';
import {Attention} from './attention.ts';
import {Presets} from './presets.ts';
import {OnlyScope, ScopeChoice} from './scopes.ts';
import {isCounted} from './standing.ts';
import {CHIPS, GUARANTEE, LAST_CHANGE, MONTH_END, NEW_SEQUENCE, SEQUENCE, SEQUENCES, SHOW, USED} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {ago, amount, isFinite, isUsedUp, lasts, leftWords, moment, nextOf, shareUsed, type Definition, type State} from '../words.ts';

interface Entry {
  readonly scope: string;
  readonly name: string;
  readonly definition?: Definition;
  readonly state?: State;
  readonly retiredAt?: string;
  readonly problem?: Refusal;
}

interface Page {
  readonly sequences: readonly Entry[];
  readonly continuation?: string;
}

/** The loaded part of the list: only names if there are many sequences, with details for those on the screen. */
interface Listed {
  readonly entries: readonly Entry[];
  readonly complete: boolean;
  readonly problem?: Problem;
}

/** The most sequences in a page of the service with details. Without details, it has ten times as many. */
const WITH_DETAILS = 100;
const NAMES = 1_000;
const ROWS = 50;
/** The pause in typing after which the filter is applied. */
const TYPING_MILLIS = 300;
/** The number of parallel requests. Browsers open six connections to one address. */
const AT_ONCE = 6;
/** The default of `warnAtPercent`. */
const WARN_AT_PERCENT = 90;

/** The sequences to list. */
interface Wanted {
  readonly scope: string;
  /** `true` to include sequences that were retired without use; otherwise empty. */
  readonly retired: string;
}

const first = (wanted: Wanted): ApiRequest =>
  ({call: 'ListSequences', query: {...wanted, with: 'definition,state', limit: WITH_DETAILS}});

const idOf = (entry: Entry) => `${entry.scope}/${entry.name}`;

/** Loads the names of all sequences, after a first page with details. Most apps need only this page. */
function useListed({scope, retired}: Wanted): {listed: Listed; busy: boolean; again: () => void} {
  const {value, problem, busy, again} = useRequest<Page>(first({scope, retired}));
  const [names, setNames] = useState<Listed>();
  const page = useMemo(() => withoutTemplates(value?.sequences ?? []), [value]);
  const continuation = value?.continuation;
  useEffect(() => {
    const gone = new AbortController();
    setNames(undefined);
    if (continuation) {
      void readPages({call: 'ListSequences', query: {scope, retired, limit: NAMES, continuation}}, listed => gone.signal.aborted || setNames(listed), gone.signal, page);
    }
    return () => gone.abort();
  }, [value]);
  const listed = useMemo(() => names ?? {entries: page, complete: !!value && !continuation, problem}, [value, problem, names]);
  return {listed, busy, again};
}

/** Reads the pages of a request, and reports all entries after each page. */
async function readPages(request: ApiRequest, report: (listed: Listed) => void, signal: AbortSignal, before: readonly Entry[] = []): Promise<void> {
  const entries = [...before];
  try {
    for await (const page of pagesOf<Page>(request, signal)) {
      entries.push(...page.sequences);
      report({entries: [...entries], complete: !page.continuation});
    }
  } catch (e) {
    if (!signal.aborted) {
      report({entries: [...entries], complete: false, problem: asProblem(request, e)});
    }
  }
}

const NOTHING: Listed = {entries: [], complete: true};

/** Searches descriptions and guarantees at the service, because the page does not have all of them. Loads nothing for an empty filter. */
function useSearched({scope, retired}: Wanted, filter: string): Listed {
  const wanted = useSettled(filter, TYPING_MILLIS);
  const [found, setFound] = useState<Listed & {readonly of?: string}>(NOTHING);
  useEffect(() => {
    const gone = new AbortController();
    if (wanted) {
      void readPages({call: 'ListSequences', query: {scope, retired, filter: wanted, limit: NAMES}},
        listed => gone.signal.aborted || setFound({...listed, of: wanted}), gone.signal);
    }
    return () => gone.abort();
  }, [scope, retired, wanted]);
  return !filter ? NOTHING : found.of === filter ? found : {...NOTHING, complete: false};
}

/** Loads the details of the sequences on the screen, each once. */
function useDetails(shown: readonly Entry[]): readonly Entry[] {
  const known = useRef(new Map<string, Entry>());
  const [, setRound] = useState(0);
  const missing = shown.filter(entry => !entry.definition && !entry.problem && !known.current.has(idOf(entry)));
  useEffect(() => {
    const waiting = [...missing];
    const gone = new AbortController();
    const work = async () => {
      for (let entry = waiting.shift(); entry && !gone.signal.aborted; entry = waiting.shift()) {
        const loaded = await detailsOf(entry, gone.signal);
        if (!gone.signal.aborted) {
          known.current.set(idOf(entry), loaded);
          setRound(round => round + 1);
        }
      }
    };
    for (let i = 0; i < AT_ONCE; i++) {
      void work();
    }
    return () => gone.abort();
  }, [shown.map(idOf).join(' ')]);
  return shown.map(entry => known.current.get(idOf(entry)) ?? entry);
}

async function detailsOf({scope, name}: Entry, signal: AbortSignal): Promise<Entry> {
  const path = {scope, name};
  try {
    const {body: definition} = await send<Definition>({call: 'GetDefinition', path}, signal);
    if (!isCounted(scope, definition)) {
      return {scope, name, definition, retiredAt: lastOf(await allOf(changesOf(path), changesOn, signal), 'retired', 'revived')?.at};
    }
    const {body: state} = await send<State>({call: 'ReadState', path}, signal);
    return {scope, name, definition, state, retiredAt: state.retiredAt};
  } catch (e) {
    return {scope, name, problem: asProblem({call: 'GetDefinition', path}, e).refusal};
  }
}

const textOf = (entry: Entry) => [idOf(entry), entry.definition?.description, entry.definition?.guarantee].join(' ').toLowerCase();

/** Returns the sequences that contain every word, in the order of names: from the details in the page and from the service's search. */
function filtered(listed: Listed, searched: Listed, words: readonly string[]): readonly Entry[] {
  const has = (text: string) => words.every(word => text.includes(word));
  const found = new Set(searched.entries.filter(({problem}) => !problem).map(idOf));
  return listed.entries.filter(entry => has(textOf(entry)) || found.has(idOf(entry)));
}

function next(entry: Entry) {
  if (entry.problem) {
    return html`<span class="error">${inOneLine(entry.problem)}</span>`;
  }
  if (entry.state) {
    return html`<span class="mono">${nextOf(entry.state, entry.definition)}</span>`;
  }
  return html`<span class="muted">${entry.scope === '~' ? 'template' : entry.definition ? 'by the clock' : '…'}</span>`;
}

/** Removes the state of templates, because a template allocates no numbers. */
function withoutTemplates(entries: readonly Entry[]): readonly Entry[] {
  return entries.map(entry => entry.scope === '~' ? {...entry, state: undefined} : entry);
}

/** A chip with the numbers left, above the share at which the service warns. */
function nearEnd({state, definition}: Entry) {
  return state && definition && !definition.cycle && state.used * 100 >= Number(definition.warnAtPercent ?? WARN_AT_PERCENT)
    && html` <${Chip} kind="bad">${leftWords(isUsedUp(state, definition) ? 0 : state.left)}<//>`;
}

const COLUMNS: readonly Column<Entry>[] = [
  {title: SEQUENCE, cell: entry => html`
    <a href=${href(sequencePath(entry.scope, entry.name))}>${entry.name}</a>
    ${entry.retiredAt && html` <${Chip} kind="quiet">${CHIPS.retired}<//>`}
    ${!entry.retiredAt && entry.state?.suspendedAt && html` <${Chip} kind="warn">${CHIPS.suspended}<//>`}
    ${!entry.retiredAt && nearEnd(entry)}
    ${entry.definition?.description && html`<span class="about brief">${entry.definition.description}</span>`}`},
  {title: GUARANTEE, cell: entry => entry.definition && html`<${Chip}>${entry.definition.guarantee}<//>`},
  {title: 'Next', kind: 'number', cell: next},
  {title: LAST_CHANGE, kind: 'short', cell: entry => entry.state && html`<span title=${moment(entry.state.changedAt)}>${ago(entry.state.changedAt)}</span>`},
  {title: USED, cell: entry => entry.state && isFinite(entry.state)
    && html`<${Meter} part=${entry.state.used} label=${shareUsed(entry.state)} warnAtPercent=${entry.definition?.warnAtPercent} />`},
  {title: 'Lasts', cell: entry => entry.state && entry.definition && !entry.retiredAt && isFinite(entry.state) && lasts(entry.state, entry.definition)},
];

/** Sequences under the heading of their scope. */
function ByScope({entries}: {entries: readonly Entry[]}) {
  const scopes = [...new Set(entries.map(entry => entry.scope))];
  return html`
    <div class="table">
      <table>
        <caption class="unseen">Sequences by scope</caption>
        <thead><tr>${COLUMNS.map(column => html`<th scope="col" class=${column.kind ?? ''}>${column.title}</th>`)}</tr></thead>
        ${scopes.map(scope => html`
          <tbody key=${scope}>
            <tr class="group"><th scope="rowgroup" colspan=${COLUMNS.length}>${scope === '~' ? 'Templates for every scope (~)' : html`${scope} <a class="months" href=${href('/months', {scope})}>${MONTH_END}<span class="unseen"> of ${scope}</span></a>`}</th></tr>
            ${entries.filter(entry => entry.scope === scope).map(entry => html`
              <${Row} key=${idOf(entry)} columns=${COLUMNS} row=${entry} of=${entry.retiredAt ? 'retired' : ''} />`)}
          </tbody>`)}
      </table>
    </div>`;
}

function Pager({page, pages, onPage}: {page: number; pages: number; onPage: (page: number) => void}) {
  return pages < 2 ? null : html`
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled=${page === 1} onClick=${() => onPage(page - 1)}>Previous</button>
      <span>Page ${amount(page)} of ${amount(pages)}</span>
      <button type="button" disabled=${page === pages} onClick=${() => onPage(page + 1)}>Next</button>
    </nav>`;
}

/** All sequences by scope. */
export function Sequences({query}: ViewProps) {
  const filter = query.get('filter') ?? '';
  const scope = query.get('scope') ?? '';
  const retired = query.get('retired') === 'true' ? 'true' : '';
  const {listed, busy, again} = useListed({scope, retired});
  const mayMake = useMay('PutDefinition');
  // The first rows of the list are shown before anything else is loaded.
  const isListed = listed.entries.length > 0;
  // Rights with scopes open no list over all scopes.
  const isOfScopes = !scope && listed.problem?.type === 'rights-missing';
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  // Periodic reloads are off for thousands of names.
  const isWhole = listed.complete && listed.entries.length <= WITH_DETAILS;
  useFresh(useCallback(() => {
    if (isWhole) {
      again();
    }
  }, [isWhole, again]));
  const isSearched = words.length > 0 && !(listed.complete && listed.entries.every(({definition, problem}) => definition ?? problem));
  const searched = useSearched({scope, retired}, isSearched ? words.join(' ') : '');
  const found = useMemo(() => filtered(listed, searched, words), [listed, searched, filter]);
  const requested = Math.max(1, Number(query.get('page')) || 1);
  const there = Math.max(1, Math.ceil(found.length / ROWS));
  // The address may name a page whose names have not arrived yet.
  const page = listed.complete || listed.problem ? Math.min(there, requested) : requested;
  const pages = Math.max(there, page);
  const shown = useDetails(found.slice((page - 1) * ROWS, page * ROWS));
  const move = (change: Record<string, string | number>, replace: boolean) => go('/', {scope, filter, retired, page: page > 1 ? page : '', ...change}, replace);
  return html`
    <div class="head"><h1>${SEQUENCES}</h1>
      ${mayMake && html`<a class="button primary" href=${href('/new', {scope})}>${NEW_SEQUENCE}</a>`}</div>
    ${isOfScopes ? html`<${ScopeChoice} right="Read" hrefOf=${(chosen: string) => href('/', {scope: chosen})} />` : ''}
    <${ProblemBox} problem=${isOfScopes ? undefined : listed.problem ?? searched.problem} again=${again} />
    ${listed.complete && !scope && !retired && listed.entries.length === 0 ? html`<${FirstVisit} mayMake=${mayMake} />` : html`
      ${isListed && (listed.complete || listed.problem) && html`<${Attention} key=${scope} scope=${scope} />`}
      <div class="filters" role="search">
        <${Field} label="Filter" type="search" value=${filter} placeholder="Name, description, guarantee …"
            onValue=${(text: string) => move({filter: text, page: ''}, true)} />
        ${scope && html`<${OnlyScope} scope=${scope} verb=${SHOW} all=${href('/', {filter, retired})} />`}
        <${Check} label="Show retired sequences that were never used" checked=${!!retired} onChecked=${(shown: boolean) => move({retired: shown ? 'true' : '', page: ''}, true)} />
        <p class="count" role="status">${counted(found.length, listed, words.length > 0)}${rest(searched, words)}</p>
      </div>
      ${shown.length > 0 && html`<${ByScope} entries=${shown} />`}
      ${shown.length === 0 && listed.complete && searched.complete && html`<${Empty} title="No matching sequences">
        <p>No name, description or guarantee${scope && ` in the scope ${scope}`} contains what you typed.</p><//>`}
      <${Pager} page=${page} pages=${pages} onPage=${(to: number) => {
        move({page: to}, false);
        scrollTo(0, 0);
      }} />
      ${shown.length === 0 && (busy || !listed.complete && !listed.problem) && html`<${Loading} />`}
      <${Curl} request=${first({scope, retired})} />`}`;
}

function counted(found: number, listed: Listed, filtered: boolean): string {
  if (listed.entries.length === 0 && !listed.complete) {
    return '';
  }
  const all = `${amount(listed.entries.length, 'sequence')}${listed.complete || listed.problem ? '' : ' so far …'}`;
  return filtered ? `${amount(found)} of ${all}` : all;
}

/** Returns a remark about sequences that the count leaves out. */
function rest({entries, complete, problem}: Listed, words: readonly string[]): string {
  const unread = entries.filter(entry => entry.problem && !words.every(word => idOf(entry).toLowerCase().includes(word))).length;
  return `${complete || problem ? '' : ', searching descriptions …'}${unread ? `, ${amount(unread)} could not be searched` : ''}`;
}

function FirstVisit({mayMake}: {mayMake: boolean}) {
  return html`
    <${Empty} title="No sequences yet">
      ${mayMake ? html`
        <p>A sequence numbers orders, invoices, tickets or rows. Choose what yours is for; you can change everything until its first number.</p>
        <${Presets} />` : html`<p>No sequence has been created. This key cannot create one: use an owner's key.</p>`}
    <//>`;
}
