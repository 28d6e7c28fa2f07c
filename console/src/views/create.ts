import {html, useId} from '../html.ts';
import {useDoing, useSettled} from '../requests.ts';
import {nameProblem, scopeProblem} from '../names.ts';
import {Field, ProblemBox, Curl} from '../parts.ts';
import {go, href, sequencePath} from '../router.ts';
import {useDraft} from './drafts.ts';
import {useAlike} from './alike.ts';
import {DefinitionFields, definitionOf, proposingZone, type Draft} from './fields.ts';
import {PRESETS, Presets} from './presets.ts';
import {limitOf, useScopes} from './scopes.ts';
import {Preview, usePreview, wrongFields} from './preview.ts';
import {NAME, NEW_SEQUENCE, SCOPE} from '../terms.ts';
import type {ViewProps} from '../view.ts';

interface New {
  readonly scope: string;
  readonly name: string;
  readonly draft: Draft;
}

const TYPING_MILLIS = 300;

function Form({query}: ViewProps) {
  const preset = PRESETS.find(({id}) => id === query.get('for'));
  const [{scope, name, draft}, edit, forget, wasKept] = useDraft<New>(`new ${preset?.id ?? ''} ${query.get('scope') ?? ''} ${query.get('name') ?? ''}`, () => ({
    scope: query.get('scope') ?? 'App1',
    name: query.get('name') ?? preset?.name ?? '',
    draft: proposingZone({}, {guarantee: 'strict', resetEvery: 'never', dateOrder: 'none', keys: 'optional', ...preset?.fields}),
  }));
  const scopes = useScopes('Define');
  const listId = useId();
  const setDraft = (next: Draft) => edit(last => ({...last, draft: next}));
  const definition = definitionOf(draft);
  const badNames = {scope: scopeProblem(scope), name: nameProblem(name)};
  const isNamed = !!scope && !!name && !badNames.scope && !badNames.name;
  const preview = usePreview(isNamed ? {scope, name} : null, definition, draft['timeZone']);
  const alike = useAlike(useSettled(isNamed ? scope : '', TYPING_MILLIS), useSettled(name, TYPING_MILLIS));
  const making = useDoing(JSON.stringify([scope, name, draft]));
  const wrong = wrongFields(making.problem ?? preview.problem);
  const request = {call: 'PutDefinition', path: {scope, name}, headers: {'If-None-Match': '*'}, body: definition} as const;
  const make = async (e: Event) => {
    e.preventDefault();
    if (await making.start(request)) {
      forget();
      go(sequencePath(scope, name));
    }
  };
  return html`
    <h1>${NEW_SEQUENCE}</h1>
    ${wasKept && html`<p class="note" role="status">Your unsaved entries are still here.</p>`}
    ${!preset && html`<p>Choose what the numbers are for, or fill in the form:</p><${Presets} scope=${scope} name=${name} />`}
    <form class="columns" onSubmit=${make}>
      <div>
        <fieldset>
          <legend>Scope and name</legend>
          <div class="grid">
            <${Field} label=${SCOPE} value=${scope} onValue=${(text: string) => edit(last => ({...last, scope: text.trim()}))} required maxlength="63" autocomplete="off" spellcheck=${false} error=${badNames.scope ?? wrong['scope']}
                list=${listId} hint=${`Tenant, app or customer. ${limitOf(scopes) || '~ is a template for every scope.'}`} />
            <datalist id=${listId}>${scopes?.named.map(each => html`<option value=${each} />`)}</datalist>
            <${Field} label=${NAME} value=${name} onValue=${(text: string) => edit(last => ({...last, name: text.trim()}))} required maxlength="63" autocomplete="off" spellcheck=${false} error=${badNames.name ?? wrong['name']}
                hint="Letters, digits and . _ ~ -" />
          </div>
          ${alike.length > 0 && html`<p class="note" role="status">${alike.length === 1 ? 'A similar sequence exists' : 'Similar sequences exist'}:
            ${alike.map((other, i) => html`${i > 0 ? ', ' : ' '}<a href=${href(sequencePath(other.scope, other.name))}>${other.scope}/${other.name}</a>`)}.
            Two series for one kind of document are easily mixed up.</p>`}
        </fieldset>
        <${DefinitionFields} draft=${draft} onDraft=${setDraft} fixedBecause="" wrong=${wrong} />
      </div>
      <div class="beside">
        <${Preview} ...${preview} />
        <${ProblemBox} problem=${making.problem} marked=${wrong} />
        <p class="actions"><button type="submit" class="primary" disabled=${making.busy || !isNamed}>Create</button> <${Curl} request=${request} /></p>
        <p class="hint">You can change everything until the first number is allocated.</p>
      </div>
    </form>`;
}

/** The form for a new sequence. Its key restarts the form with each chosen preset. */
export function Create(props: ViewProps) {
  return html`<${Form} key=${props.query.get('for') ?? ''} ...${props} />`;
}
