import {html, useMemo} from '../html.ts';
import {useAsk, useSettled} from '../asks.ts';
import {write, type Ask, type Problem} from '../api.ts';
import {Curl} from '../parts.ts';
import type {Path} from '../router.ts';
import type {Num} from '../words.ts';

interface Previewed {
  readonly numbers: readonly Num[];
  readonly texts?: readonly string[];
  readonly longestText?: string;
}

const TYPING_MILLIS = 300;

/** What a definition, or a change of one, would give, asked for when typing pauses. */
export function usePreview(path: Path | null, change: Record<string, unknown>) {
  const text = useSettled(write(change), TYPING_MILLIS);
  const scope = useSettled(path?.scope ?? '', TYPING_MILLIS);
  const name = useSettled(path?.name ?? '', TYPING_MILLIS);
  const ask = useMemo<Ask | null>(() => scope && name
    ? {call: 'Preview', path: {scope, name}, body: text, type: 'application/json'} : null, [text, scope, name]);
  const {value, problem, busy} = useAsk<Previewed>(ask);
  return {ask, value: problem ? undefined : value, problem, busy};
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
  readonly ask: Ask | null;
}

export function Preview({value, problem, ask}: PreviewProps) {
  return html`
    <section class="card preview" aria-live="polite">
      <h2>The next numbers would be</h2>
      ${value && html`<ol class="texts">${(value.texts ?? value.numbers.map(String)).map(text => html`<li class="mono">${text}</li>`)}</ol>`}
      ${value?.longestText && html`<p class="muted">The longest text there can be: <span class="mono">${value.longestText}</span></p>`}
      ${value?.numbers.length === 0 && html`<p>No number is left.</p>`}
      ${problem && html`<p class="error">${problem.errors.length > 0 ? 'Not like this: see what is marked in the form.' : problem.message}</p>`}
      ${!value && !problem && html`<p class="muted">Give the sequence a scope and a name.</p>`}
      ${ask && html`<p class="no-print"><${Curl} ask=${ask} /></p>`}
    </section>`;
}
