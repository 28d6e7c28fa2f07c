import {html, useMemo} from '../html.ts';
import {useRequest, useSettled} from '../requests.ts';
import {write, type ApiRequest, type Problem} from '../api.ts';
import {Curl} from '../parts.ts';
import type {Path} from '../router.ts';
import type {Num} from '../words.ts';

interface Previewed {
  readonly numbers: readonly Num[];
  readonly texts?: readonly string[];
  readonly longestText?: string;
}

const TYPING_MILLIS = 300;

/** The next numbers under a definition, or a change of one, requested when typing pauses. */
export function usePreview(path: Path | null, change: Record<string, unknown>) {
  const text = useSettled(write(change), TYPING_MILLIS);
  const scope = useSettled(path?.scope ?? '', TYPING_MILLIS);
  const name = useSettled(path?.name ?? '', TYPING_MILLIS);
  const request = useMemo<ApiRequest | null>(() => scope && name
    ? {call: 'Preview', path: {scope, name}, body: text, type: 'application/json'} : null, [text, scope, name]);
  const {value, problem, busy} = useRequest<Previewed>(request);
  return {request, value: problem ? undefined : value, problem, busy};
}

/** What is wrong, by the field that it is about; `immutable-field` names its fields, too. */
export function wrongFields(problem: Problem | undefined): Record<string, string> {
  const named = problem?.members['fields'];
  return Object.fromEntries([
    ...(Array.isArray(named) ? named.map(field => [String(field), 'is fixed since the first number']) : []),
    ...(problem?.errors ?? []).map(({field, reason}) => [field, reason]),
  ]);
}

interface PreviewProps {
  readonly value: Previewed | undefined;
  readonly problem: Problem | undefined;
  readonly request: ApiRequest | null;
}

export function Preview({value, problem, request}: PreviewProps) {
  return html`
    <section class="card preview" aria-live="polite">
      <h2>Preview of the next numbers</h2>
      ${value && html`<ol class="texts">${(value.texts ?? value.numbers.map(String)).map(text => html`<li class="mono">${text}</li>`)}</ol>`}
      ${value?.longestText && html`<p class="muted">The longest possible text: <span class="mono">${value.longestText}</span></p>`}
      ${value?.numbers.length === 0 && html`<p>No number is left.</p>`}
      ${problem && html`<p class="error">${problem.errors.length > 0 ? 'Fix the marked fields.' : problem.message}</p>`}
      ${!value && !problem && html`<p class="muted">Enter a scope and a name.</p>`}
      ${request && html`<p class="no-print"><${Curl} request=${request} /></p>`}
    </section>`;
}
