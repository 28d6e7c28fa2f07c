import {html, useEffect, useId, useLayoutEffect, useRef, useState} from './html.ts';
import {access, enter, isSigningIn} from './access.ts';
import {asCurl, write, type ApiRequest, type Problem} from './api.ts';
import {DOES} from './calls.ts';
import {placeOf, reasonsOf, saidOf, type Refusal} from './problems.ts';
import {store, useStore} from './store.ts';
import {AFTER, BEFORE, BEFORE_AND_AFTER, CANCEL, CLOSE, FIX_THE_MARKED_FIELDS, LOADING, STATUS_NAMES, TRY_AGAIN, WHAT, YOUR_NAME} from './terms.ts';
import {amount, momentBy, type Num} from './words.ts';

/** The mark of a name whose id a gateway vouches for. Any other name is only stated. */
export function Verified({id}: {id?: string | undefined}) {
  return id ? html` <span title=${id}><${Chip} kind="good">verified<//></span>` : null;
}

interface ByProps {
  readonly at: string | undefined;
  readonly actor?: string | undefined;
  readonly id?: string | undefined;
  /** Whether a missing user is named as unknown. */
  readonly isNamed?: boolean;
}

/** An instant with its user, whose name is marked if a gateway vouches for it. */
export function By({at, actor, id, isNamed}: ByProps) {
  return html`${momentBy(at, actor ?? id)}${isNamed && !actor && !id && ', user unknown'}<${Verified} id=${id} />`;
}

/** Shows the user recorded with an irreversible change, with a field for the name if it is unknown. */
export function RecordedBy() {
  const {actor} = useStore(access);
  const [isOpen] = useState(!actor);
  return isOpen ? html`<${Field} label=${YOUR_NAME} value=${actor} maxlength="100" autocomplete="name" onValue=${(name: string) => enter({...access.get(), actor: name})}
      hint="Recorded with the change; not verified. Without it the user stays unknown." />`
    : html`<p class="muted">Recorded by ${actor}.</p>`;
}

/** The parts of all views. Strings are always children of elements and never markup, so keys and names appear literally. */
type Children = unknown;

export interface Column<R> {
  readonly title: string;
  /** The content of the cell. The first column is the heading of its row. */
  readonly cell: (row: R) => unknown;
  /**
   * `number`: aligned right, with digits of equal width. `short`: on one line if the table has room. `line`: a bare number as the heading of
   * its row, with the title on a phone.
   */
  readonly kind?: 'number' | 'short' | 'line';
}

interface TableProps<R> {
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly busy?: boolean;
  /** Loads more rows; missing if all are shown. */
  readonly more?: (() => void) | undefined;
}

/** The most rows that a table shows at once, because the browser is slow with more. */
const SHOWN = 200;

export function Table<R>({caption, columns, rows, keyOf, busy, more}: TableProps<R>) {
  const [shown, setShown] = useState(SHOWN);
  const hidden = rows.length - shown;
  const next = () => {
    setShown(shown + SHOWN);
    if (hidden < SHOWN) {
      more?.();
    }
  };
  return html`
    <div class="table" aria-busy=${!!busy}>
      <table>
        <caption class="unseen">${caption}</caption>
        <thead><tr>${columns.map(column => html`<th scope="col" class=${column.kind ?? ''}>${column.title}</th>`)}</tr></thead>
        <tbody>${rows.slice(0, shown).map(row => html`<${Row} key=${keyOf(row)} columns=${columns} row=${row} />`)}</tbody>
      </table>
    </div>
    ${(more || hidden > 0) && html`<p class="more"><button type="button" onClick=${next}>Show more</button>
      ${hidden > 0 && html` <span class="muted">${amount(rows.length)} rows, the first ${amount(shown)} are shown</span>`}</p>`}
    ${busy && html`<${Loading} />`}`;
}

/** One row. On a phone, each cell also shows the title of its column. */
export function Row<R>({columns, row, of = ''}: {columns: readonly Column<R>[]; row: R; of?: string}) {
  return html`<tr class=${of}>${columns.map((column, i) => i === 0
    ? html`<th scope="row" class=${column.kind ?? ''} data-label=${column.title}>${column.cell(row)}</th>`
    : html`<td class=${column.kind ?? ''} data-label=${column.title}>${column.cell(row)}</td>`)}</tr>`;
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: unknown;
  readonly error?: string | undefined;
  /** The kind of control; `input` by default. A select has options. */
  readonly as?: 'input' | 'textarea' | 'select';
  readonly options?: readonly (string | readonly [value: string, label: string])[];
  /** Any other property becomes an attribute of the control: type, required, maxlength, autocomplete … */
  readonly [attribute: string]: unknown;
}

/** A labelled control with a hint and an error message. */
export function Field({label, value, onValue, hint, error, as = 'input', options, ...rest}: FieldProps) {
  const id = useId();
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return html`
    <div class=${`field${error ? ' wrong' : ''}`}>
      <label for=${id}>${label}</label>
      <${as} ...${rest} id=${id} value=${value} aria-invalid=${error ? 'true' : undefined} aria-describedby=${about || undefined}
          onInput=${(e: Event) => onValue((e.currentTarget as HTMLInputElement).value)}>
        ${options?.map(option => {
          const [text, name] = typeof option === 'string' ? [option, option] : option;
          return html`<option value=${text} selected=${text === value}>${name}</option>`;
        })}
      <//>
      ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
      ${error && html`<p class="error" id=${`${id}-error`}>${error}</p>`}
    </div>`;
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly hint?: unknown;
  readonly disabled?: boolean;
}

export function Check({label, checked, onChecked, hint, disabled}: CheckProps) {
  const id = useId();
  return html`
    <div class="field check">
      <input type="checkbox" id=${id} checked=${checked} disabled=${disabled} aria-describedby=${hint ? `${id}-hint` : undefined}
          onChange=${(e: Event) => onChecked((e.currentTarget as HTMLInputElement).checked)} />
      <label for=${id}>${label}</label>
      ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    </div>`;
}

interface ProblemProps {
  readonly problem: Problem | undefined;
  readonly again?: (() => void) | undefined;
  /** The fields that show their own errors. */
  readonly marked?: Readonly<Record<string, string>>;
}

/** A problem in the page's own words, with advice on how to continue. */
export function ProblemBox({problem, again, marked = {}}: ProblemProps) {
  if (!problem) {
    return null;
  }
  const {refusal} = problem;
  const reasons = reasonsOf(refusal);
  const others = reasons.filter(({field}) => !(field in marked));
  return html`
    <div class="problem" role="alert">
      <p class="title">${saidOf(refusal).title}</p>
      ${reasons.length === 0 ? html`<p>${saidOf(refusal).advice}</p>`
        : others.length < reasons.length ? html`<p>${FIX_THE_MARKED_FIELDS}</p>` : ''}
      ${others.length > 0 && html`<ul>${others.map(each => html`<li><strong>${placeOf(each)}</strong> ${each.reason}</li>`)}</ul>`}
      <p class="actions">
        ${again && html`<button type="button" onClick=${again}>${TRY_AGAIN}</button>`}
        ${problem.status === 401 && html`<button type="button" onClick=${() => isSigningIn.set(true)}>Sign in</button>`}
      </p>
      <${Details} refusal=${refusal} />
    </div>`;
}

/** Shows each problem once, even if several requests of a view failed with it. "Try again" repeats all of them. */
export function Problems({of}: {of: readonly {readonly problem?: Problem | undefined; again(): void}[]}) {
  const failed = of.filter(({problem}) => problem);
  const reasons = [...new Map(failed.map(each => [saidOf(each.problem!.refusal).title, each.problem!])).values()];
  return html`${reasons.map((problem, i) => html`<${ProblemBox} key=${problem.type} problem=${problem}
    again=${i === 0 ? () => failed.forEach(each => each.again()) : undefined} />`)}`;
}

/** The service's answer, for support. */
export function Details({refusal}: {refusal: Refusal}) {
  return refusal.detail && html`<details><summary>Details for support</summary><p>${refusal.type.split(':').pop()}: ${refusal.detail}</p></details>`;
}

/** A view without data, with advice on a first step. */
export function Empty({title, children}: {title: string; children?: Children}) {
  return html`<div class="empty"><h2>${title}</h2>${children}</div>`;
}

export function Loading() {
  return html`<p class="loading" role="status"><span class="spinner" aria-hidden="true"></span>${LOADING}</p>`;
}

/** The most characters of a text that fits on one line of a table. */
const SHORT = 28;

/** A text or a key, on one line unless it is long. */
export function Literal({text}: {text: string}) {
  return html`<span class=${`mono${text.length > SHORT ? '' : ' short'}`}>${text}</span>`;
}

/** A short word for a state, in one of four colors. */
export function Chip({kind = 'quiet', children}: {kind?: 'good' | 'warn' | 'bad' | 'quiet'; children?: Children}) {
  return html`<span class=${`chip ${kind}`}>${children}</span>`;
}

/** The status of numbers: issued, reserved or voided. */
export function StatusChip({status}: {status: string | undefined}) {
  const of = status ?? 'issued';
  return html`<${Chip} kind=${of === 'void' ? 'bad' : of === 'reserved' ? 'warn' : 'good'}>${STATUS_NAMES[of] ?? of}<//>`;
}

/** The requests behind the current view. */
const behind = store<readonly ApiRequest[]>([]);

/** Adds a request of a view to the menu that copies requests. */
export function Curl({request}: {request: ApiRequest}) {
  useEffect(() => {
    behind.set([...behind.get(), request]);
    return () => behind.set(behind.get().filter(each => each !== request));
  }, [write(request)]);
  return null;
}

/** A menu that copies the requests behind the view to the clipboard, for a terminal. */
export function CurlMenu() {
  const requests = useStore(behind);
  const id = useId();
  const [said, setSaid] = useState('');
  const copy = async (request: ApiRequest) => {
    try {
      await navigator.clipboard.writeText(asCurl(request));
      setSaid('Copied');
    } catch {
      setSaid(asCurl(request));
    }
  };
  const calls = new Map(requests.map(request => [request.call, request]));
  return calls.size > 0 && html`
    <button type="button" class="key copy" popovertarget=${id}>Copy as curl</button>
    <div id=${id} popover class="menu" onToggle=${() => setSaid('')}>
      ${[...calls].map(([call, request]) => html`<button key=${call} type="button" class="quiet" onClick=${() => copy(request)}>${call}: ${DOES[call]}</button>`)}
      <p role="status">${said}</p>
    </div>`;
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: Children;
}

/** A modal dialog. Escape closes it, and the focus returns to the element that had it before. */
export function Dialog({title, onClose, children}: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // An ordinary effect would close the dialog only after it has left the page, and the focus would be lost.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // Otherwise the browser would focus the Close button.
    dialog.current?.querySelector<HTMLElement>('form input, form select, form textarea, form button')?.focus();
    return () => dialog.current?.close();
  }, []);
  return html`
    <dialog ref=${dialog} aria-labelledby=${id} onCancel=${(e: Event) => {
      e.preventDefault();
      onClose();
    }}>
      <header><h2 id=${id}>${title}</h2><button type="button" class="quiet" aria-label=${CLOSE} onClick=${onClose}>✕</button></header>
      ${children}
    </dialog>`;
}

interface ConfirmProps extends DialogProps {
  /** The text that the user must type, `scope/name`; without it, the button is enough. */
  readonly name?: string | undefined;
  /** The label of the button: Retire, Advance … */
  readonly verb: string;
  readonly onConfirm: () => void;
  readonly busy?: boolean;
  readonly problem?: Problem | undefined;
}

/** A confirmation that shows the state before and after as its children. For an irreversible action, the user must type the name. */
export function Confirm({title, name, verb, onClose, onConfirm, busy, problem, children}: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const isTyped = name === undefined || typed.trim() === name;
  const confirm = (e: Event) => {
    e.preventDefault();
    if (isTyped && !busy) {
      onConfirm();
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form onSubmit=${confirm}>
        ${children}
        ${name && html`<${Field} label=${`Type ${name} to confirm`} value=${typed} onValue=${setTyped} autocomplete="off" autocapitalize="off" spellcheck=${false} />`}
        <${ProblemBox} problem=${problem} />
        <p class="actions">
          <button type="submit" class=${`primary${name ? ' danger' : ''}`} disabled=${!isTyped || busy}>${verb}</button>
          <button type="button" onClick=${onClose}>${CANCEL}</button>
        </p>
      </form>
    <//>`;
}

/** Rows with the state before and after an action. */
export type Rows = readonly (readonly [what: string, before: unknown, after: unknown])[];

export function BeforeAfter({rows}: {rows: Rows}) {
  return html`
    <div class="table"><table>
      <caption class="unseen">${BEFORE_AND_AFTER}</caption>
      <thead><tr><th scope="col"><span class="unseen">${WHAT}</span></th><th scope="col">${BEFORE}</th><th scope="col">${AFTER}</th></tr></thead>
      <tbody>${rows.map(([what, before, after]) => html`<tr key=${what}><th scope="row" data-label="">${what}</th>
        <td data-label="Before">${before}</td><td data-label="After">${after}</td></tr>`)}</tbody>
    </table></div>`;
}

/** A list of labels and values. */
export function Facts({facts}: {facts: readonly (readonly [string, unknown])[]}) {
  return html`<dl class="facts">${facts.map(([word, value]) => html`<div><dt>${word}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The used share of a range, with a mark at the share that logs a warning. */
export function Meter({part, label, warnAtPercent = 90}: {part: number; label: string; warnAtPercent?: Num | undefined}) {
  return html`<span class="meter"><meter min="0" max="1" high=${Number(warnAtPercent) / 100} optimum="0" value=${part} aria-label=${label}></meter>
    <span>${label}</span></span>`;
}
