import {html, useState} from '../html.ts';
import {send, type ApiRequest} from '../api.ts';
import type {Audit, Gap} from '../audit.ts';
import {By, Confirm, Curl, Facts, Literal, ProblemBox, RecordedBy, StatusChip, Table, type Column} from '../parts.ts';
import {inOneLine, type Refusal} from '../problems.ts';
import {useAll, useAnswer, useDoing, useMay, type Answer} from '../requests.ts';
import {href, sequencePath, type Path, type Query} from '../router.ts';
import {DATE, DOCUMENT_DATES, GAPS, KEY, NUMBER, REASON, RECORD, REFUSED_ROW, RESULT, SEQUENCE, STATUS} from '../terms.ts';
import {amount, day, dayRange, moment, momentBy, textOf, type Num} from '../words.ts';
import {GAP_KINDS, sumOf} from './books.ts';
import type {Entry} from './entries.ts';
import {STEPS, stepsOf} from './history.ts';
import {daysOfMonth} from './months.ts';

/** A closing: the recorded result of a check of document dates. If it cannot be read, it has only a problem. */
export interface Closing {
  readonly problem?: Refusal;
  readonly id: string;
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly timeZone: string;
  readonly closedAt: string;
  readonly actor?: string;
  readonly actorId?: string;
  readonly allocated: number;
  readonly void: number;
  readonly reserved: number;
  readonly refused: number;
  readonly gapCount: number;
  readonly gaps: readonly Gap[];
  readonly sha256: string;
  /** The previous closing of the same dates; missing for the first one. */
  readonly comparedWith?: string;
  readonly changedCount?: number;
  /** False if the list may include unchanged numbers; the count is then an upper bound. */
  readonly changedExact?: boolean;
  /** The changed numbers; missing for the first closing, or if there were too many to search. */
  readonly changed?: readonly Changed[];
}

interface Changed {
  readonly key: string;
  readonly first: Num;
  readonly status: string;
}

/** A number that a closing found changed, with its ledger entry. */
export interface ChangedEntry extends Changed {
  /** Missing if the ledger no longer contains it. */
  readonly entry?: Entry | undefined;
}

/** Document dates, both inclusive, and their name on the page. */
export interface Dates {
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly name: string;
}

export function closingsOf(path: Path): ApiRequest {
  return {call: 'ListClosings', path: {scope: path.scope, name: path.name}, query: {limit: 1000}};
}

/** Loads all closings of a sequence, oldest first. */
export function useClosings(path: Path): Answer<readonly Closing[]> {
  const may = useMay('ListClosings');
  return useAll<Closing>(may ? closingsOf(path) : null, page => page.closings);
}

/** Returns the latest closing of these dates. */
export function latestOf(closings: readonly Closing[] = [], dates: Dates | undefined): Closing | undefined {
  return closings.filter(({problem, dateFrom, dateTo}) => !problem && dateFrom === dates?.dateFrom && dateTo === dates.dateTo).pop();
}

/** Loads the numbers that a closing found changed, with the users who changed them. */
export function useChanged(path: Path, closing: Closing | undefined): Answer<readonly ChangedEntry[]> {
  const question = closing?.changed?.length ? {call: 'ReadLedger', path, query: {closing: closing.id}} as const : null;
  return useAnswer<readonly ChangedEntry[]>(question, async (_, report, signal) => {
    const found: ChangedEntry[] = [];
    for (const changed of closing!.changed!) {
      const {body} = await send<{entries: readonly Entry[]}>({call: 'ReadLedger', path, query: {key: changed.key}}, signal);
      found.push({...changed, entry: body.entries[0]});
      report([...found]);
    }
  });
}

/** Returns the step that led to the status that a closing found. */
function stepOf({entry, status}: ChangedEntry) {
  const steps = entry ? stepsOf(entry) : [];
  return steps.find(([what]) => what === STEPS[status]) ?? steps[0];
}

/** Returns the facts of the report about the latest closing. */
export function closingFacts(closing: Closing | undefined): [string, unknown][] {
  return closing ? [['Result recorded', html`<${By} at=${closing.closedAt} actor=${closing.actor} id=${closing.actorId} />`]] : [];
}

/** Returns the same for the report's file, with the hash. */
export function closingLines(closing: Closing | undefined): [string, unknown][] {
  return closing ? [['Result recorded', momentBy(closing.closedAt, closing.actor ?? closing.actorId)], ['SHA-256 of the result', closing.sha256]] : [];
}

/** Returns the changed numbers as lines of the report's file. */
export function changedLines(changed: readonly ChangedEntry[] = []): readonly (readonly unknown[])[] {
  return changed.map(one => {
    const [what, at, actor, reason, id] = stepOf(one) ?? [];
    return ['changed', what ?? one.status, one.first, one.entry?.last, one.entry?.texts?.join(' '), one.key, one.entry?.period, one.entry?.date, at, actor, reason, id];
  });
}

/**
 * Whether the counts of a check differ from those of a closing. Equal counts do not prove that nothing changed; only the next closing does.
 */
export function differs(closing: Closing, audits: readonly Audit[]): boolean {
  return closing.allocated !== sumOf(audits, ({allocated}) => allocated) || closing.void !== sumOf(audits, audit => audit.void)
    || closing.reserved !== sumOf(audits, ({reserved}) => reserved);
}

interface CloseProps {
  readonly path: Path;
  readonly dates: Dates;
  readonly latest: Closing | undefined;
  readonly onClosed: () => void;
}

/** The button that records the result of the check, after the user has confirmed it. */
export function Close({path, dates, latest, onClosed}: CloseProps) {
  const [confirming, setConfirming] = useState(false);
  const doing = useDoing<Closing>();
  const {dateFrom, dateTo, name} = dates;
  const request: ApiRequest = {call: 'CloseDates', path, body: {dateFrom, dateTo}};
  if (!useMay('CloseDates')) {
    return null;
  }
  const close = async () => {
    if (await doing.start(request)) {
      setConfirming(false);
      onClosed();
    }
  };
  return html`
    <button type="button" class="primary" onClick=${() => setConfirming(true)}>${latest ? 'Record the result again' : 'Record the result'}</button>
    <${Curl} request=${request} />
    ${confirming && html`
      <${Confirm} title=${latest ? `Record the result of ${name} again?` : `Record the result of ${name}?`} verb=${RECORD} onClose=${() => setConfirming(false)} onConfirm=${close} busy=${doing.busy} problem=${doing.problem}>
        <p>The result of this check is recorded permanently. Nothing is locked. ${latest ? `The numbers that changed since ${moment(latest.closedAt)} are then listed.` : 'Record it again later to list the numbers that changed.'}</p>
        <${Facts} facts=${[[SEQUENCE, `${path.scope}/${path.name}`], [DOCUMENT_DATES, dayRange(dateFrom, dateTo)]]} />
        <${RecordedBy} />
      <//>`}`;
}

interface DifferenceProps {
  readonly path: Path;
  readonly closings: readonly Closing[];
  readonly latest: Closing;
  readonly changed: Answer<readonly ChangedEntry[]>;
}

/** The numbers that changed between the last two closings of the same dates. */
export function Difference({path, closings, latest, changed}: DifferenceProps) {
  const before = closings.find(({id}) => id === latest.comparedWith);
  if (!latest.comparedWith) {
    return null;
  }
  const since = before ? `the result of ${moment(before.closedAt)}` : 'the previous result';
  const count = latest.changedCount ?? 0;
  return html`
    <h3>Changed since the previous result</h3>
    <p>${!latest.changed ? `Too many numbers to search them all. The SHA-256 differs, so numbers changed since ${since}.`
      : count === 0 ? `No number was added or changed since ${since}.`
      : latest.changedExact ? `${amount(count, 'number')} ${count === 1 ? 'was' : 'were'} added or changed since ${since}.`
      : `At most ${amount(count, 'number')} ${count === 1 ? 'was' : 'were'} added or changed since ${since}. Some of them may be unchanged.`}</p>
    <${ProblemBox} problem=${changed.problem} again=${changed.again} />
    ${count > 0 && latest.changed && html`<${Table} caption="Changed since the previous result" columns=${changedColumns(path)} rows=${changed.value ?? []} busy=${changed.busy} keyOf=${(one: ChangedEntry) => one.key} />`}
    ${latest.changed && count > latest.changed.length && html`<p class="hint">The first ${amount(latest.changed.length, 'entry', 'entries')} are listed.</p>`}`;
}

const changedColumns = (path: Path): readonly Column<ChangedEntry>[] => [
  {title: NUMBER, cell: ({entry, first, key}) => html`<a href=${href(sequencePath(path.scope, path.name, 'who'), {q: key})}><${Literal} text=${entry ? textOf(entry) : String(first)} /></a>`},
  {title: KEY, cell: ({key}) => html`<${Literal} text=${key} />`},
  {title: DATE, kind: 'short', cell: ({entry}) => day(entry?.date)},
  {title: STATUS, cell: ({status}) => html`<${StatusChip} status=${status} />`},
  {title: 'What changed', cell: one => {
    const [what, at, actor, , id] = stepOf(one) ?? [];
    return what && html`${what} <${By} at=${at} actor=${actor} id=${id} />`;
  }},
  {title: REASON, cell: one => stepOf(one)?.[3]},
];

interface ClosedDatesProps {
  readonly path: Path;
  readonly dateFrom: string;
  readonly dateTo: string;
}

/** A link from closed dates to their check. */
export function ClosedDates({path, dateFrom, dateTo}: ClosedDatesProps) {
  return html`<a href=${href(sequencePath(path.scope, path.name, 'check'), addressOf(dateFrom, dateTo))}>${dayRange(dateFrom, dateTo)}</a>`;
}

/** Returns the address of a check. A whole month is named as a month, because the form offers it so. */
function addressOf(dateFrom: string, dateTo: string): Query {
  const month = dateFrom.slice(0, 7);
  const [first, last] = daysOfMonth(month);
  return first === dateFrom && last === dateTo ? {month} : {dateFrom, dateTo};
}

const gapWords = (gap: Gap): string => `${gap.period ? `${gap.period}: ` : ''}${textOf(gap)} ${GAP_KINDS[gap.kind][1]}${gap.reason ? `: ${gap.reason}` : ''}`;

const GAPS_SHOWN = 5;

const closingColumns = (path: Path): readonly Column<Closing>[] => [
  {title: DOCUMENT_DATES, cell: ({dateFrom, dateTo, timeZone}) => html`<${ClosedDates} path=${path} dateFrom=${dateFrom} dateTo=${dateTo} /> <span class="muted">${timeZone}</span>`},
  {title: 'Recorded', cell: ({closedAt, actor, actorId}) => html`<${By} at=${closedAt} actor=${actor} id=${actorId} />`},
  {title: RESULT, cell: closing => `${amount(closing.allocated)} allocated, ${amount(closing.void)} voided, ${amount(closing.reserved)} reserved, ${amount(closing.refused, REFUSED_ROW)}`},
  {title: GAPS, cell: ({gaps, gapCount}) => gapCount === 0 ? 'None' : html`${gaps.slice(0, GAPS_SHOWN).map(gap => html`<div>${gapWords(gap)}</div>`)}
    ${gapCount > GAPS_SHOWN && html`<div class="muted">and ${amount(gapCount - GAPS_SHOWN)} more</div>`}`},
  {title: 'Changed', kind: 'number', cell: ({changedCount, changedExact, comparedWith}) => changedCount !== undefined ? `${changedExact ? '' : 'at most '}${amount(changedCount)}` : comparedWith ? 'Unknown' : '–'},
  {title: 'SHA-256', cell: ({sha256}) => html`<span class="sha mono">${sha256}</span>`},
];

/** All closings, newest first. */
export function ClosingList({path, closings}: {path: Path; closings: Answer<readonly Closing[]>}) {
  const {value} = closings;
  const readable = value?.filter(({problem}) => !problem).reverse() ?? [];
  return html`
    <section class="report no-print" aria-label="Recorded results">
      <h2>Recorded results</h2>
      <${ProblemBox} problem=${closings.problem} again=${closings.again} />
      ${value?.map(({problem}) => problem && html`<p class="error">${inOneLine(problem)}</p>`)}
      ${value && (value.length === 0 ? html`<p class="hint">No result of this sequence is recorded yet.</p>`
        : html`<${Table} caption="Recorded results, newest first" columns=${closingColumns(path)} rows=${readable} keyOf=${(closing: Closing) => closing.id} />`)}
    </section>`;
}
