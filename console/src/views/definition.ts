import {html, useEffect, useState} from '../html.ts';
import {useRequest, useDoing, useMay} from '../requests.ts';
import type {ApiRequest} from '../api.ts';
import {Curl, Loading, ProblemBox} from '../parts.ts';
import {pathOf, type Path} from '../router.ts';
import {DefinitionFields, draftOf, patchOf, type Draft} from './fields.ts';
import {Preview, usePreview, wrongFields} from './preview.ts';
import type {View, ViewProps} from '../views.ts';
import type {Definition, State} from '../words.ts';

const FIXED = 'Numbers have been allocated.';

interface Stored {
  readonly draft: Draft;
  readonly etag: string;
}

/** Whether a number was allocated, so that some fields are fixed. Where the key may not read it, the service decides. */
function useFixed(path: Path): boolean {
  const {value} = useRequest<{periods: readonly State[]}>({call: 'ListPeriods', path, query: {limit: 1}});
  return !!value && value.periods.length > 0;
}

function DefinitionView({params}: ViewProps) {
  const path = pathOf(params);
  const request: ApiRequest = {call: 'GetDefinition', path};
  const {value, etag, problem, again} = useRequest<Definition>(request);
  return html`
    <${ProblemBox} problem=${problem} again=${again} />
    ${!value && !problem && html`<${Loading} />`}
    ${value && html`<${Editor} key=${`${path.scope}/${path.name}`} path=${path} stored=${{draft: draftOf(value), etag: etag ?? ''}} />`}
    <p class="no-print"><${Curl} request=${request} /></p>`;
}

interface EditorProps {
  readonly path: Path;
  readonly stored: Stored;
}

/** A form over what was read. Its changes are saved only over that version: else both are shown. */
function Editor({path, stored}: EditorProps) {
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState(stored.draft);
  const [theirs, setTheirs] = useState<Stored | null>(null);
  const [saved, setSaved] = useState(false);
  const isFixed = useFixed(path);
  const mayChange = useMay('PatchDefinition');
  const patch = patchOf(base.draft, draft);
  const isChanged = Object.keys(patch).length > 0;
  const preview = usePreview(path, patch);
  const saving = useDoing<Definition>(JSON.stringify(draft));
  const reading = useDoing<Definition>();
  const saveRequest = {call: 'PatchDefinition', path, headers: {'If-Match': base.etag}, body: patch, type: 'application/merge-patch+json'} as const;
  useEffect(() => {
    if (isChanged) {
      setSaved(false);
    }
  }, [isChanged]);
  const save = async (e: Event) => {
    e.preventDefault();
    const reply = await saving.start(saveRequest);
    if (reply) {
      const now = {draft: draftOf(reply.body), etag: reply.etag};
      setBase(now);
      setDraft(typed => over(now.draft, draft, typed));
      setSaved(true);
    }
  };
  const isStale = saving.problem?.type === 'precondition-failed';
  useEffect(() => {
    if (isStale) {
      void reading.start({call: 'GetDefinition', path})
        .then(reply => reply && setTheirs({draft: draftOf(reply.body), etag: reply.etag}));
    }
  }, [isStale]);
  const settle = (next: Draft) => {
    setBase(theirs!);
    setDraft(next);
    setTheirs(null);
    saving.forget();
  };
  return html`
    <form class="columns" onSubmit=${save}>
      <div>
        ${theirs && html`<${Conflict} before=${base.draft} mine=${draft} theirs=${theirs.draft} onSettle=${settle} />`}
        <${DefinitionFields} draft=${draft} onDraft=${setDraft} fixedBecause=${isFixed ? FIXED : ''} hasZone=${!!base.draft['timeZone']}
            wrong=${wrongFields(saving.problem ?? preview.problem)} />
      </div>
      <div class="beside">
        <${Preview} ...${preview} />
        <${ProblemBox} problem=${isStale ? reading.problem : saving.problem} />
        ${mayChange ? html`
          <p class="actions">
            <button type="submit" class="primary" disabled=${!isChanged || saving.busy || !!theirs}>Save</button>
            <button type="button" disabled=${!isChanged} onClick=${() => setDraft(base.draft)}>Undo</button>
            <${Curl} request=${saveRequest} />
          </p>` : html`<p class="hint">This key can read the definition, but not change it.</p>`}
        <p role="status">${saved && `Saved${isChanged ? ', except for your latest edits' : ''}. Effective on all instances within 30 s.`}</p>
      </div>
    </form>`;
}

/** What is stored, with what was changed since `before` laid over it. */
function over(stored: Draft, before: Draft, mine: Draft): Draft {
  return Object.fromEntries(Object.keys(mine).map(field => [field, mine[field] === before[field] ? stored[field]! : mine[field]!]));
}

interface ConflictProps {
  readonly before: Draft;
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly onSettle: (draft: Draft) => void;
}

/** Both versions of what two people changed, and a choice. */
function Conflict({before, mine, theirs, onSettle}: ConflictProps) {
  const fields = Object.keys(mine).filter(field => mine[field] !== theirs[field]);
  return html`
    <section class="problem" role="alert">
      <p class="title">This definition has changed since you opened it</p>
      <p>Your changes were not saved. Choose a version to continue with, then save again.</p>
      <div class="table"><table>
        <caption class="unseen">Both versions</caption>
        <thead><tr><th scope="col">Field</th><th scope="col">Yours</th><th scope="col">Stored now</th></tr></thead>
        <tbody>${fields.map(field => html`<tr key=${field}><th scope="row" data-label="Field"><code>${field}</code></th>
          <td data-label="Yours">${mine[field] || '(default)'}</td><td data-label="Stored now">${theirs[field] || '(default)'}</td></tr>`)}</tbody>
      </table></div>
      <p class="actions">
        <button type="button" class="primary" onClick=${() => onSettle(over(theirs, before, mine))}>Keep mine</button>
        <button type="button" onClick=${() => onSettle(theirs)}>Use theirs</button>
      </p>
    </section>`;
}

export const definition: View = {
  path: '/sequences/:scope/:name/definition', label: 'Definition', place: 'sequence', needs: 'GetDefinition', component: DefinitionView,
};
