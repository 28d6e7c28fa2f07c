import {html, useMemo, useState} from '../html.ts';
import {useRequest, useSettled} from '../requests.ts';
import {write, type ApiRequest, type Problem} from '../api.ts';
import {Curl, Field} from '../parts.ts';
import {inOneLine, reasonsOf} from '../problems.ts';
import type {Path} from '../router.ts';
import {DOCUMENT_DATE, FIX_THE_MARKED_FIELDS} from '../terms.ts';
import {today, type Num} from '../words.ts';

export interface Previewed {
  readonly numbers: readonly Num[];
  readonly texts?: readonly string[];
  readonly longestText?: string;
}

const TYPING_MILLIS = 300;

/** Loads the next numbers under a new or changed definition, when the user pauses typing. */
export function usePreview(path: Path | null, change: Record<string, unknown>, timeZone: string | undefined) {
  const [date, setDate] = useState('');
  const text = useSettled(write(change), TYPING_MILLIS);
  const scope = useSettled(path?.scope ?? '', TYPING_MILLIS);
  const name = useSettled(path?.name ?? '', TYPING_MILLIS);
  const request = useMemo<ApiRequest | null>(() => scope && name
    ? {call: 'Preview', path: {scope, name}, query: {date}, body: text, type: 'application/json'} : null, [text, scope, name, date]);
  const {value, problem, busy} = useRequest<Previewed>(request);
  return {request, value: problem ? undefined : value, problem, busy, date: date || today(timeZone), onDate: setDate};
}

/** Returns the error of each field. The problem `immutable-field` names its fields in `fields`. */
export function wrongFields(problem: Problem | undefined): Record<string, string> {
  const named = problem?.members['fields'];
  return Object.fromEntries([
    ...(Array.isArray(named) ? named.map(field => [String(field), 'is fixed since the first number']) : []),
    ...(problem ? reasonsOf(problem.refusal) : []).map(({field, reason}) => [field, reason]),
  ]);
}

interface PreviewProps {
  readonly value: Previewed | undefined;
  readonly problem: Problem | undefined;
  readonly request: ApiRequest | null;
  /** The day for which the numbers are shown. */
  readonly date: string;
  readonly onDate: (date: string) => void;
}

export function Preview({value, problem, request, date, onDate}: PreviewProps) {
  return html`
    <section class="card preview">
      <h2>Preview of the next numbers</h2>
      <${Field} label=${DOCUMENT_DATE} type="date" value=${date} onValue=${onDate} />
      <div aria-live="polite">
      ${value && html`<ol class="texts">${(value.texts ?? value.numbers.map(String)).map(text => html`<li class="mono">${text}</li>`)}</ol>`}
      ${value?.longestText && html`<p class="muted">The longest possible text: <span class="mono">${value.longestText}</span></p>`}
      ${value?.numbers.length === 0 && html`<p>No number is left.</p>`}
      ${problem && html`<p class="error">${reasonsOf(problem.refusal).some(({field}) => field !== 'date') ? FIX_THE_MARKED_FIELDS : inOneLine(problem.refusal)}</p>`}
      ${!value && !problem && html`<p class="muted">Enter a scope and a name.</p>`}
      </div>
      ${request && html`<${Curl} request=${request} />`}
    </section>`;
}
