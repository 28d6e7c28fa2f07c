import {html, useId, useLayoutEffect, useRef, useState} from './html.ts';
import {access, isSigningIn} from './access.ts';
import {asCurl, type ApiRequest, type Problem} from './api.ts';
import {reasonsOf, saidOf, type Refusal} from './problems.ts';
import {useStore} from './store.ts';
import {amount, type Num} from './words.ts';

/** What views are made of. Texts are children of elements, never markup, so keys and names are always shown literally. */
type Children = unknown;

export interface Column<R> {
  readonly title: string;
  /** The content of the cell. The first column names its row. */
  readonly cell: (row: R) => unknown;
  /** `number` is aligned right, in digits of one width; `short` stays on one line where there is room for a table. */
  readonly kind?: 'number' | 'short';
}

interface TableProps<R> {
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly busy?: boolean;
  /** Loads more rows; missing where all are shown. */
  readonly more?: (() => void) | undefined;
}

/** So many rows are shown at once: more take the browser long, and no one reads them. */
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

/** One row. On a phone each cell shows its column. */
export function Row<R>({columns, row, of = ''}: {columns: readonly Column<R>[]; row: R; of?: string}) {
  return html`<tr class=${of}>${columns.map((column, i) => i === 0
    ? html`<th scope="row" data-label=${column.title}>${column.cell(row)}</th>`
    : html`<td class=${column.kind ?? ''} data-label=${column.title}>${column.cell(row)}</td>`)}</tr>`;
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: unknown;
  readonly error?: string | undefined;
  /** `input` unless said otherwise. A select has options. */
  readonly as?: 'input' | 'textarea' | 'select';
  readonly options?: readonly (string | readonly [value: string, label: string])[];
  /** Anything else is an attribute of the control: type, required, maxlength, autocomplete … */
  readonly [attribute: string]: unknown;
}

/** A labelled control with what helps to fill it and what is wrong with it. */
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
  /** Fields that show what is wrong with them themselves. */
  readonly marked?: Readonly<Record<string, string>>;
}

/** What went wrong, in the page's own words, and what to do about it. */
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
        : others.length < reasons.length ? html`<p>Fix the marked fields.</p>` : ''}
      ${others.length > 0 && html`<ul>${others.map(({field, reason}) => html`<li><strong>${field}</strong> ${reason}</li>`)}</ul>`}
      <p class="actions">
        ${again && html`<button type="button" onClick=${again}>Try again</button>`}
        ${problem.status === 401 && html`<button type="button" onClick=${() => isSigningIn.set(true)}>Sign in</button>`}
      </p>
      <${Details} refusal=${refusal} />
    </div>`;
}

/** Several requests of one view often fail for one reason: it is shown once, and all are tried again. */
export function Problems({of}: {of: readonly {readonly problem?: Problem | undefined; again(): void}[]}) {
  const failed = of.filter(({problem}) => problem);
  const reasons = [...new Map(failed.map(each => [saidOf(each.problem!.refusal).title, each.problem!])).values()];
  return html`${reasons.map((problem, i) => html`<${ProblemBox} key=${problem.type} problem=${problem}
    again=${i === 0 ? () => failed.forEach(each => each.again()) : undefined} />`)}`;
}

/** What the service answered, for who has to find out more. */
export function Details({refusal}: {refusal: Refusal}) {
  return refusal.detail && html`<details><summary>Details for support</summary><p>${refusal.type.split(':').pop()}: ${refusal.detail}</p></details>`;
}

/** What to do first where there is nothing yet. */
export function Empty({title, children}: {title: string; children?: Children}) {
  return html`<div class="empty"><h2>${title}</h2>${children}</div>`;
}

export function Loading() {
  return html`<p class="loading" role="status"><span class="spinner" aria-hidden="true"></span>Loading …</p>`;
}

/** So long a text fits beside others in a table. */
const SHORT = 28;

/** A text or a key, on one line unless it is long. */
export function Literal({text}: {text: string}) {
  return html`<span class=${`mono${text.length > SHORT ? '' : ' short'}`}>${text}</span>`;
}

/** A small word of state: good, warn, bad or quiet. */
export function Chip({kind = 'quiet', children}: {kind?: 'good' | 'warn' | 'bad' | 'quiet'; children?: Children}) {
  return html`<span class=${`chip ${kind}`}>${children}</span>`;
}

/** The status of numbers: issued, reserved or voided. */
export function StatusChip({status}: {status: string | undefined}) {
  const said = status ?? 'issued';
  return html`<${Chip} kind=${said === 'void' ? 'bad' : said === 'reserved' ? 'warn' : 'good'}>${said === 'void' ? 'voided' : said}<//>`;
}

/** Copies the request behind a view to the clipboard, for a terminal. */
export function Curl({request}: {request: ApiRequest}) {
  const [said, setSaid] = useState('');
  useStore(access);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(asCurl(request));
      setSaid('Copied');
    } catch {
      setSaid(asCurl(request));
    }
  };
  return html`
    <span class="curl">
      <button type="button" class="quiet" onClick=${copy}>Copy as curl</button>
      <span role="status">${said}</span>
    </span>`;
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: Children;
}

/** A window over the page. Escape closes it, and the focus goes back to where it was. */
export function Dialog({title, onClose, children}: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Another effect would end after the window has left the page, which leaves the focus nowhere.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // Of its own the browser would choose the button that closes it.
    dialog.current?.querySelector<HTMLElement>('form input, form select, form textarea, form button')?.focus();
    return () => dialog.current?.close();
  }, []);
  return html`
    <dialog ref=${dialog} aria-labelledby=${id} onCancel=${(e: Event) => {
      e.preventDefault();
      onClose();
    }}>
      <header><h2 id=${id}>${title}</h2><button type="button" class="quiet" aria-label="Close" onClick=${onClose}>✕</button></header>
      ${children}
    </dialog>`;
}

interface ConfirmProps extends DialogProps {
  /** What has to be typed, `scope/name`; without it the button is enough. */
  readonly name?: string | undefined;
  /** What the button says: Retire, Advance … */
  readonly verb: string;
  readonly onConfirm: () => void;
  readonly busy?: boolean;
  readonly problem?: Problem | undefined;
}

/** Shows before and after as its children; what cannot be taken back goes on only once the name is typed. */
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
          <button type="button" onClick=${onClose}>Cancel</button>
        </p>
      </form>
    <//>`;
}

/** What is, and what will be. */
export type Rows = readonly (readonly [what: string, before: unknown, after: unknown])[];

export function BeforeAfter({rows}: {rows: Rows}) {
  return html`
    <div class="table"><table>
      <caption class="unseen">Before and after</caption>
      <thead><tr><th scope="col"><span class="unseen">What</span></th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>${rows.map(([what, before, after]) => html`<tr key=${what}><th scope="row" data-label="">${what}</th>
        <td data-label="Before">${before}</td><td data-label="After">${after}</td></tr>`)}</tbody>
    </table></div>`;
}

/** Pairs of a word and what it is. */
export function Facts({facts}: {facts: readonly (readonly [string, unknown])[]}) {
  return html`<dl class="facts">${facts.map(([word, value]) => html`<div><dt>${word}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The share of a range that is used, and from which share on a warning is logged. */
export function Meter({part, label, warnAtPercent = 90}: {part: number; label: string; warnAtPercent?: Num | undefined}) {
  return html`<span class="meter"><meter min="0" max="1" high=${Number(warnAtPercent) / 100} optimum="0" value=${part} aria-label=${label}></meter>
    <span>${label}</span></span>`;
}
