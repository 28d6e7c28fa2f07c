import {html, useEffect, useLayoutEffect, useRef, useState} from '../html.ts';
import {access} from '../access.ts';
import {allOf, send, type ApiRequest, type Problem} from '../api.ts';
import {By, Chip, Curl, Empty, Literal, Loading, ProblemBox, StatusChip, Table, type Column} from '../parts.ts';
import {inOneLine, type Refusal} from '../problems.ts';
import {asProblem, useAnswer} from '../requests.ts';
import {focusResult, href, sequencePath, type Path} from '../router.ts';
import {useStore} from '../store.ts';
import {ALLOCATED, CHIPS, CONTINUE, DATE, KEY, SEARCH, SEQUENCE, STOP, TEXT} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, day, textOf} from '../words.ts';
import type {Entry} from './entries.ts';
import {searchLikely} from './likely.ts';
import {OnlyScope, ScopeChoice} from './scopes.ts';
import {FOUND} from './searchBox.ts';

interface Hit extends Entry {
  readonly scope: string;
  readonly name: string;
  readonly foundBy: 'key' | 'text' | 'number';
}

/** A sequence that was not searched, or not in all its periods. */
interface Unsearched extends Path {
  readonly periodsBefore?: string;
  readonly periodsAfter?: string;
  readonly problem?: Refusal;
}

interface Page {
  readonly entries: readonly Hit[];
  readonly searched: number;
  readonly unsearched: readonly Unsearched[];
  readonly continuation?: string;
}

interface Search {
  readonly hits: readonly Hit[];
  readonly unsearched: readonly Unsearched[];
  readonly searched: number;
  /** The start of the next page; missing before the first page and after the last. */
  readonly continuation?: string | undefined;
  readonly isRunning: boolean;
  readonly problem?: Problem;
}

const START: Search = {hits: [], unsearched: [], searched: 0, isRunning: true};

function searchedPeriods({periodsBefore, periodsAfter}: Unsearched): string {
  return [periodsBefore && `from ${periodsBefore}`, periodsAfter && `to ${periodsAfter}`].filter(Boolean).join(' ');
}

async function searchOn(request: ApiRequest, from: Search, report: (search: Search) => void, signal: AbortSignal): Promise<void> {
  let so = {...from, isRunning: true, problem: undefined};
  try {
    while (so.isRunning) {
      const {body} = await send<Page>({...request, query: {...request.query, continuation: so.continuation}}, signal);
      so = {
        ...so,
        hits: [...so.hits, ...body.entries],
        unsearched: [...so.unsearched, ...body.unsearched],
        searched: so.searched + body.searched,
        continuation: body.continuation,
        isRunning: !!body.continuation,
      };
      report(so);
    }
  } catch (thrown) {
    if (!signal.aborted) {
      report({...so, isRunning: false, problem: asProblem(request, thrown)});
    }
  }
}

/** Searches all sequences, and reports the matches so far. The user can stop and continue. */
function useSearch(request: ApiRequest): Search & {on: () => void; stop: () => void} {
  const [search, setSearch] = useState(START);
  const [from, setFrom] = useState(START);
  const {key} = useStore(access);
  const running = useRef(new AbortController());
  useEffect(() => {
    const left = new AbortController();
    running.current = left;
    setSearch({...from, isRunning: true});
    void searchOn(request, from, so => left.signal.aborted || setSearch(so), left.signal);
    return () => left.abort();
  }, [from, key]);
  return {...search, on: () => setFrom({...search}), stop: () => {
    running.current.abort();
    setSearch(last => ({...last, isRunning: false}));
  }};
}

const NAMES: ApiRequest = {call: 'ListSequences', query: {limit: 1000}};

const idOf = ({scope, name, period, first, foundBy}: Hit) => `${scope}/${name} ${period} ${first} ${foundBy}`;

/** Finds a text early in a long search: in the sequences whose format may have produced it. */
function useLikely(q: string, scope: string, isLong: boolean): readonly Hit[] {
  const {value = []} = useAnswer<readonly Hit[]>(isLong ? {...NAMES, query: {...NAMES.query, scope}, path: {q}} : null, async (_, report, signal) => {
    const found: Hit[] = [];
    await searchLikely(q, scope, entry => {
      found.push({...entry, foundBy: 'text'});
      report([...found]);
    }, signal);
  });
  return value;
}

/** Counts the sequences, once one page of a search has not reached all of them. */
function useTotal(scope: string, isMany: boolean): number | undefined {
  const {value, busy} = useAnswer<number>(isMany ? {...NAMES, query: {...NAMES.query, scope}} : null, async (requested, report, signal) =>
    report((await allOf<unknown>(requested, page => page.sequences, signal)).length));
  return busy ? undefined : value;
}

const COLUMNS: readonly Column<Hit>[] = [
  {title: TEXT, cell: hit => html`<a href=${href(sequencePath(hit.scope, hit.name, 'who'), {q: hit.key ?? String(hit.first)})}><${Literal} text=${textOf(hit)} /></a> ${hit.kind === 'advance' ? html`<${Chip} kind="warn">${CHIPS.skipped}<//>` : html`<${StatusChip} status=${hit.status} />`}`},
  {title: SEQUENCE, cell: ({scope, name}) => html`<a href=${href(sequencePath(scope, name))}>${scope}/${name}</a>`},
  {title: KEY, cell: ({key}) => key && html`<${Literal} text=${key} />`},
  {title: DATE, kind: 'short', cell: ({date}) => day(date)},
  {title: ALLOCATED, cell: ({allocatedAt, actor, actorId}) => html`<${By} at=${allocatedAt} actor=${actor} id=${actorId} />`},
  {title: 'Found by', cell: ({foundBy}) => foundBy},
];

/** Searches all sequences for a key, a text or a number. */
export function Find({query}: ViewProps) {
  const q = (query.get('q') ?? '').trim();
  const scope = query.get('scope') ?? '';
  return html`<h1>${SEARCH}</h1>
    ${q ? html`<${Results} key=${JSON.stringify([q, scope])} q=${q} scope=${scope} />` : html`<p class="muted">Enter a text (INV-2026-000042), a number (42) or a key (cart-9001) above: it is searched in all sequences.</p>`}`;
}

function Results({q, scope}: {q: string; scope: string}) {
  const request: ApiRequest = {call: 'Find', query: {q, scope}};
  const {hits, unsearched, searched, continuation, isRunning, problem, on, stop} = useSearch(request);
  const isDone = !isRunning && !problem && !continuation;
  const [isMany, setMany] = useState(false);
  useEffect(() => setMany(isMany || !!continuation), [continuation]);
  const total = useTotal(scope, isMany);
  const likely = useLikely(q, scope, isMany && !isDone);
  const shown = [...hits, ...likely.filter(one => !hits.some(hit => idOf(hit) === idOf(one)))];
  // An ordinary effect would run after the page is drawn, and move the focus while the user types the next text.
  useLayoutEffect(() => {
    if (isDone) {
      focusResult('.hits a');
    }
  }, [isDone]);
  const isOfScopes = !scope && problem?.type === 'rights-missing';
  return html`
    ${scope && html`<${OnlyScope} scope=${scope} verb=${SEARCH} all=${href(FOUND, {q})} />`}
    <p class="count" role="status">${searched > 0 && `${amount(shown.length, 'match', 'matches')} for ${q}${isDone ? ` in ${amount(searched, 'sequence')}.` : `. Searched ${amount(searched)} of ${total ? amount(total, 'sequence') : 'all sequences'}${isRunning ? ' …' : '.'}`}`}</p>
    ${isRunning && continuation && html`<p><button type="button" onClick=${stop}>${STOP}</button></p>`}
    ${shown.length > 0 && html`<div class="hits"><${Table} caption=${`Matches for ${q}`} columns=${COLUMNS} rows=${shown} keyOf=${idOf} /></div>`}
    ${isDone && hits.length === 0 && html`<${Empty} title="No matches">
      <p>${unsearched.length > 0 ? 'No searched ledger has this key, number or text. The sequences below were not searched, or only in part.' : 'No ledger has this key, number or text.'} Numbers that were allocated without a key are in no ledger. Capital letters count in keys only.
        Looking for a sequence? <a href=${href('/', {filter: q})}>Filter sequences by “${q}”</a></p><//>`}
    ${isRunning && html`<${Loading} />`}
    ${isOfScopes ? html`<${ScopeChoice} right="Read" hrefOf=${(chosen: string) => href(FOUND, {q, scope: chosen})} />` : html`<${ProblemBox} problem=${problem} again=${on} />`}
    ${!isRunning && !problem && continuation && html`<p class="more"><button type="button" onClick=${on}>${CONTINUE}</button></p>`}
    ${unsearched.length > 0 && html`<details class="unsearched" open=${isDone && hits.length === 0}><summary>${amount(unsearched.length, 'sequence')} not fully searched</summary>
      <ul>${unsearched.map(each => html`<li key=${`${each.scope}/${each.name}`}><strong>${each.scope}/${each.name}</strong> ${each.problem ? inOneLine(each.problem)
        : `As a number it was searched in the periods ${searchedPeriods(each)} only.`}</li>`)}</ul></details>`}
    <${Curl} request=${request} />`;
}
