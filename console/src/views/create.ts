import {html, useState} from '../html.ts';
import {useDoing} from '../requests.ts';
import {Field, ProblemBox, Curl} from '../parts.ts';
import {go, sequencePath} from '../router.ts';
import {DefinitionFields, definitionOf, proposingZone, type Draft} from './fields.ts';
import {PRESETS, Presets} from './presets.ts';
import {Preview, usePreview, wrongFields} from './preview.ts';
import type {View, ViewProps} from '../views.ts';

function Create({query}: ViewProps) {
  const preset = PRESETS.find(({id}) => id === query.get('for'));
  const [scope, setScope] = useState(query.get('scope') ?? 'App1');
  const [name, setName] = useState(query.get('name') ?? preset?.name ?? '');
  const [draft, setDraft] = useState<Draft>(() => proposingZone({}, {guarantee: 'strict', resetEvery: 'never', dateOrder: 'none', ...preset?.fields}));
  const definition = definitionOf(draft);
  const preview = usePreview(scope && name ? {scope, name} : null, definition);
  const making = useDoing(JSON.stringify([scope, name, draft]));
  const wrong = wrongFields(making.problem ?? preview.problem);
  const request = {call: 'PutDefinition', path: {scope, name}, headers: {'If-None-Match': '*'}, body: definition} as const;
  const make = async (e: Event) => {
    e.preventDefault();
    if (await making.start(request)) {
      go(sequencePath(scope, name));
    }
  };
  return html`
    <h1>New sequence</h1>
    ${!preset && html`<p>Choose what the numbers are for, or fill in the form:</p><${Presets} scope=${scope} name=${name} />`}
    <form class="columns" onSubmit=${make}>
      <div>
        <fieldset>
          <legend>Scope and name</legend>
          <div class="grid">
            <${Field} label="Scope" value=${scope} onValue=${setScope} required maxlength="63" autocomplete="off" spellcheck=${false} error=${wrong['scope']}
                hint="Tenant, app or customer. ~ is a template for every scope." />
            <${Field} label="Name" value=${name} onValue=${setName} required maxlength="63" autocomplete="off" spellcheck=${false} error=${wrong['name']}
                hint="Letters, digits and . _ ~ -" />
          </div>
        </fieldset>
        <${DefinitionFields} draft=${draft} onDraft=${setDraft} fixedBecause="" wrong=${wrong} />
      </div>
      <div class="beside">
        <${Preview} ...${preview} />
        <${ProblemBox} problem=${making.problem} />
        <p class="actions"><button type="submit" class="primary" disabled=${making.busy}>Create</button> <${Curl} request=${request} /></p>
        <p class="hint">You can change everything until the first number is allocated.</p>
      </div>
    </form>`;
}

/** The form restarts with each preset that is chosen. */
export const create: View = {
  path: '/new', label: 'New sequence', place: 'none', needs: 'PutDefinition',
  component: (props: ViewProps) => html`<${Create} key=${props.query.get('for') ?? ''} ...${props} />`,
};
