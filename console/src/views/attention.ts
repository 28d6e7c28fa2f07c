import {html, useCallback, useState} from '../html.ts';
import {pagesOf, type ApiRequest} from '../api.ts';
import {Chip, Curl, ProblemBox} from '../parts.ts';
import {inOneLine, type Refusal} from '../problems.ts';
import {useAnswer, useFresh, useMay} from '../requests.ts';
import {href, sequencePath, type Query} from '../router.ts';
import {CHECK, CHIPS, CONFIRM_OR_VOID, RANGE_IS_USED_UP, SHOW, STATUS_NAMES} from '../terms.ts';
import {ago, amount, dateOf, leftWords, moment, monthName, sentence, type Num} from '../words.ts';

/** Something that a person should look at. */
export interface Matter {
  readonly kind: 'failed-messages' | 'suspended' | 'nearly-used' | 'reserved' | 'refused-rows' | 'standing-still' | 'month-open' | 'month-changed' | 'month-not-judged' | 'unreadable';
  readonly scope?: string;
  readonly name?: string;
  readonly since?: string;
  readonly until?: string;
  readonly count?: Num;
  readonly left?: Num;
  readonly month?: string;
  readonly key?: string;
  readonly reason?: string;
  readonly list?: 'batch' | 'import';
  readonly id?: string;
  readonly problem?: Refusal;
}

interface Page {
  readonly entries: readonly Matter[];
  readonly searched: number;
  readonly continuation?: string;
}

interface Known {
  readonly matters: readonly Matter[];
  readonly searched: number;
  readonly isAll: boolean;
}

/** The pages of 50 sequences that are looked at before the user decides whether to continue. */
const PAGES_AT_ONCE = 4;
const SHOWN = 6;
/** Long, because each page reads many rows. */
const EVERY_MILLIS = 300_000;

interface Words {
  readonly chip: readonly ['warn' | 'bad' | 'quiet', string];
  readonly said: string;
  /** The view of the sequence that handles the matter, its query, and the name of the link. */
  readonly to: readonly [view: string, link: string, query?: Query];
}

/** Returns the words for a matter, and the view that handles it. */
export function wordsOf({kind, since, until, count = 0, left = 0, month = '', key, reason, list, id, problem}: Matter): Words {
  const upload = id ? `${list === 'import' ? 'imports' : 'uploads'}/${id}` : 'uploads';
  const check = ['check', CHECK, {month}] as const;
  switch (kind) {
    case 'failed-messages': return {chip: ['bad', 'failed messages'], said: `${amount(count, 'message')} could not be numbered.`, to: ['/poison', 'Show them']};
    case 'suspended': return {chip: ['warn', CHIPS.suspended], said: sentence(`Since ${moment(since)}${reason ? `: ${reason}` : ''}`), to: ['lifecycle', 'Resume']};
    case 'nearly-used': return {chip: ['bad', leftWords(left)], said: Number(left) === 0 ? `${RANGE_IS_USED_UP}.` : 'The range is nearly used.', to: ['definition', 'Widen the range']};
    case 'reserved': return {chip: ['warn', STATUS_NAMES['reserved']!], said: `${amount(count, 'number')}, the first ${ago(since)}${key ? ` under ${key}` : ''}.`, to: ['ledger', CONFIRM_OR_VOID, {status: 'reserved', order: 'asc'}]};
    case 'refused-rows': return {chip: ['warn', 'refused rows'], said: `${amount(count, 'row')}, sent ${ago(since)}. Listed until ${dateOf(until)} at the latest, corrected or not.`, to: [upload, 'Correct']};
    case 'standing-still': return {chip: ['warn', 'no progress'], said: `The ${list === 'import' ? 'import' : 'upload'} has not moved since ${moment(since)}.`, to: [upload, SHOW]};
    case 'month-open': return {chip: ['quiet', 'open month'], said: `${monthName(month)} is not recorded.`, to: check};
    case 'month-changed': return {chip: ['warn', 'changed'], said: `${monthName(month)} has changed since it was recorded.`, to: check};
    case 'month-not-judged': return {chip: ['quiet', 'not judged'], said: `${monthName(month)} has too many new rows to judge.`, to: check};
    case 'unreadable': return {chip: ['bad', CHIPS.unreadable], said: problem ? inOneLine(problem) : '', to: ['', SHOW]};
  }
}

function One({matter}: {matter: Matter}) {
  const {scope, name} = matter;
  const {chip: [kind, word], said, to: [view, link, query]} = wordsOf(matter);
  return html`<li><${Chip} kind=${kind}>${word}<//> ${scope && html`<a href=${href(sequencePath(scope, name ?? ''))}>${scope}/${name}</a>`}
    <span>${said}</span> <a href=${href(scope ? sequencePath(scope, name ?? '', view) : view, query)}>${link}<span class="unseen"> ${scope && `${scope}/${name}`} ${matter.month}</span></a></li>`;
}

/** Shows above the list of sequences which of them need a person today. Loads after the list. */
export function Attention({scope}: {scope: string}) {
  const may = useMay('ListAttention');
  const [pages, setPages] = useState(PAGES_AT_ONCE);
  const [isOpen, setOpen] = useState(false);
  const request: ApiRequest = {call: 'ListAttention', query: {scope}};
  const {value, problem, busy, again} = useAnswer<Known>(may ? {...request, headers: {}, path: {pages: String(pages)}} : null, async (_, report, signal) => {
    const matters: Matter[] = [];
    let searched = 0;
    let read = 0;
    for await (const page of pagesOf<Page>(request, signal)) {
      matters.push(...page.entries);
      searched += page.searched;
      report({matters: [...matters], searched, isAll: !page.continuation});
      if (++read === pages) {
        return;
      }
    }
  });
  useFresh(useCallback(again, [again]), EVERY_MILLIS);
  if (!may || [401, 403].includes(problem?.status ?? 0)) {
    return null;
  }
  const {matters = [], searched = 0, isAll = false} = value ?? {};
  const shown = isOpen ? matters : matters.slice(0, SHOWN);
  return html`
    <section class="attention" aria-label="Attention" aria-busy=${busy}>
      <h2>Attention</h2>
      <${Curl} request=${request} />
      <${ProblemBox} problem=${problem} again=${again} />
      ${shown.length > 0 && html`<ul>${shown.map(matter => html`<${One} key=${JSON.stringify([matter.kind, matter.scope, matter.name, matter.month, matter.id])} matter=${matter} />`)}</ul>`}
      <p class="muted" role="status">${busy ? 'Looking …' : problem ? '' : `${matters.length === 0 ? 'Nothing needs attention. ' : ''}Looked at ${amount(searched, 'sequence')}${isAll ? '.' : '; more are left.'}`}
        ${!isOpen && matters.length > SHOWN && html` <button type="button" class="quiet" onClick=${() => setOpen(true)}>Show all ${amount(matters.length)}</button>`}
        ${!busy && value && !isAll && html` <button type="button" class="quiet" onClick=${() => setPages(pages + PAGES_AT_ONCE)}>Look at more</button>`}</p>
    </section>`;
}
