import {html, useEffect, useState} from '../html.ts';
import {useRequest, useDoing, useMay, type Doing} from '../requests.ts';
import type {ApiRequest} from '../api.ts';
import {Confirm, Curl, Loading, ProblemBox} from '../parts.ts';
import {pathOf, type Path} from '../router.ts';
import {useDraft} from './drafts.ts';
import {DefinitionFields, definitionOf, draftOf, labelOf, patchOf, type Draft} from './fields.ts';
import {finalChanges} from './finalChanges.ts';
import {Preview, usePreview, wrongFields, type Previewed} from './preview.ts';
import {isCounted, useUsed} from './standing.ts';
import {CANNOT_BE_UNDONE, NEXT_NUMBER} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import type {Definition} from '../words.ts';

const FIXED = 'Numbers have been allocated.';

interface Stored {
  readonly draft: Draft;
  readonly etag: string;
}

/** The definition as a form. */
export function DefinitionView({params}: ViewProps) {
  const path = pathOf(params);
  const request: ApiRequest = {call: 'GetDefinition', path};
  const {value, etag, problem, again} = useRequest<Definition>(request);
  return html`
    <${ProblemBox} problem=${problem} again=${again} />
    ${!value && !problem && html`<${Loading} />`}
    ${value && html`<${Editor} key=${`${path.scope}/${path.name}`} path=${path} stored=${{draft: draftOf(value), etag: etag ?? ''}} counted=${isCounted(path.scope, value)} />`}
    <${Curl} request=${request} />`;
}

interface EditorProps {
  readonly path: Path;
  readonly stored: Stored;
  readonly counted: boolean;
}

/**
 * A form for a stored definition. Saves changes only over the version that was read. If someone else has changed the definition meanwhile,
 * shows both versions.
 */
function Editor({path, stored, counted}: EditorProps) {
  const [{base, draft}, edit, forget, wasKept] = useDraft(`definition ${path.scope}/${path.name}`, () => ({base: stored, draft: stored.draft}));
  // A kept draft starts from the definition that was stored when the user began; the view has read the present one.
  const [latest, setLatest] = useState(stored);
  const rebase = (now: Stored, next: (last: Draft) => Draft) => {
    setLatest(now);
    edit(last => ({base: now, draft: next(last.draft)}));
  };
  const setDraft = (next: Draft) => edit(last => ({...last, draft: next}));
  const [theirs, setTheirs] = useState<Stored | null>(null);
  const [saved, setSaved] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const isFixed = useUsed(path, counted);
  const mayChange = useMay('PatchDefinition');
  const patch = patchOf(base.draft, draft);
  const isChanged = Object.keys(patch).length > 0;
  // Sends every field, because the preview of a retired sequence takes a definition instead of a change.
  const preview = usePreview(path, {...definitionOf(draft), ...patch}, draft['timeZone']);
  const saving = useDoing<Definition>(JSON.stringify(draft));
  const reading = useDoing<Definition>();
  const saveRequest = {call: 'PatchDefinition', path, headers: {'If-Match': base.etag}, body: patch, type: 'application/merge-patch+json'} as const;
  useEffect(() => {
    if (isChanged) {
      setSaved(false);
    } else {
      forget();
    }
  }, [isChanged]);
  const save = async () => {
    const reply = await saving.start(saveRequest);
    setConfirming(false);
    if (reply) {
      const now = {draft: draftOf(reply.body), etag: reply.etag};
      rebase(now, last => over(now.draft, draft, last));
      setSaved(true);
    }
  };
  const finals = isFixed ? finalChanges(base.draft, patch) : [];
  const submit = (e: Event) => {
    e.preventDefault();
    if (finals.length > 0 || isFixed && 'format' in patch) {
      setConfirming(true);
    } else {
      void save();
    }
  };
  const isStale = saving.problem?.type === 'precondition-failed';
  useEffect(() => {
    if (isStale) {
      void reading.start({call: 'GetDefinition', path})
        .then(reply => {
          const stored = reply && {draft: draftOf(reply.body), etag: reply.etag};
          if (stored && Object.keys(draft).every(field => draft[field] === stored.draft[field])) {
            // The definition already is as the user wants it, for example because the answer to the first attempt was lost.
            rebase(stored, () => draft);
            saving.forget();
            setSaved(true);
          } else if (stored) {
            setTheirs(stored);
          }
        });
    }
  }, [isStale]);
  const settle = (next: Draft) => {
    rebase(theirs!, () => next);
    setTheirs(null);
    saving.forget();
  };
  const wrong = wrongFields(saving.problem ?? preview.problem);
  return html`
    <form class="columns" onSubmit=${submit}>
      <div>
        ${wasKept && isChanged && html`<p class="note" role="status">Your unsaved changes are still here.</p>`}
        ${theirs && html`<${Conflict} before=${base.draft} mine=${draft} theirs=${theirs.draft} onSettle=${settle} />`}
        <${DefinitionFields} draft=${draft} onDraft=${setDraft} fixedBecause=${isFixed ? FIXED : ''} hasZone=${!!base.draft['timeZone']} wrong=${wrong} />
      </div>
      <div class="beside">
        <${Preview} ...${preview} />
        <${ProblemBox} problem=${isStale ? reading.problem : saving.problem} marked=${wrong} />
        ${mayChange ? html`
          <p class="actions">
            <button type="submit" class="primary" disabled=${!isChanged || saving.busy || !!theirs}>Save</button>
            <button type="button" disabled=${!isChanged} onClick=${() => rebase(latest, () => latest.draft)}>Discard changes</button>
            <${Curl} request=${saveRequest} />
          </p>` : html`<p class="hint">This key can read the definition, but not change it.</p>`}
        <p role="status">${saved && `Saved${isChanged ? ', except for your latest edits' : ''}. Effective on all instances within 30 s.`}</p>
      </div>
    </form>
    ${confirming && html`<${SaveDialog} path=${path} patch=${patch} finals=${finals} date=${preview.date} saving=${saving} onSave=${save} onClose=${() => setConfirming(false)} />`}`;
}

interface SaveProps {
  readonly path: Path;
  readonly patch: Record<string, unknown>;
  readonly finals: readonly string[];
  readonly date: string;
  readonly saving: Doing<Definition>;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** The confirmation before a change of printed texts, or a change that cannot be undone. */
function SaveDialog({path, patch, finals, date, saving, onSave, onClose}: SaveProps) {
  const isFormat = 'format' in patch;
  const preview = (body: unknown): ApiRequest | null => isFormat ? {call: 'Preview', path, query: {date}, body} : null;
  const before = useRequest<Previewed>(preview({}));
  const after = useRequest<Previewed>(preview(patch));
  const texts = (previewed: Previewed | undefined, i: number) => html`<span class="mono">${previewed?.texts?.[i] ?? String(previewed?.numbers[i] ?? '…')}</span>`;
  return html`
    <${Confirm} title="Save the definition" verb="Save" name=${finals.length > 0 ? `${path.scope}/${path.name}` : undefined}
        busy=${saving.busy} problem=${saving.problem} onConfirm=${onSave} onClose=${onClose}>
      ${isFormat && html`
        <p>New numbers get other texts. Numbers that were allocated keep theirs.</p>
        <div class="table"><table>
          <caption class="unseen">Texts before and after</caption>
          <thead><tr><th scope="col">${NEXT_NUMBER}</th><th scope="col">Text now</th><th scope="col">Text after saving</th></tr></thead>
          <tbody>${(after.value?.numbers ?? []).map((number, i) => html`<tr key=${String(number)}><th scope="row" data-label="Next number">${String(number)}</th>
            <td data-label="Text now">${texts(before.value, i)}</td><td data-label="Text after saving">${texts(after.value, i)}</td></tr>`)}</tbody>
        </table></div>`}
      ${finals.length > 0 && html`<p><strong>${CANNOT_BE_UNDONE}</strong></p><ul>${finals.map(final => html`<li>${final}</li>`)}</ul>`}
    <//>`;
}

/** Returns the stored definition with the user's changes since `before` applied. */
function over(stored: Draft, before: Draft, mine: Draft): Draft {
  return Object.fromEntries(Object.keys(mine).map(field => [field, mine[field] === before[field] ? stored[field]! : mine[field]!]));
}

interface ConflictProps {
  readonly before: Draft;
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly onSettle: (draft: Draft) => void;
}

/** Shows both versions of a definition that two people changed, and lets the user choose. */
function Conflict({before, mine, theirs, onSettle}: ConflictProps) {
  const fields = Object.keys(mine).filter(field => mine[field] !== theirs[field]);
  return html`
    <section class="problem" role="alert">
      <p class="title">This definition has changed since you opened it</p>
      <p>Your changes were not saved. Choose a version to continue with, then save again.</p>
      <div class="table"><table>
        <caption class="unseen">Both versions</caption>
        <thead><tr><th scope="col">Field</th><th scope="col">Yours</th><th scope="col">Stored now</th></tr></thead>
        <tbody>${fields.map(field => html`<tr key=${field}><th scope="row" data-label="Field">${labelOf(field)}</th>
          <td data-label="Yours">${mine[field] || '(default)'}</td><td data-label="Stored now">${theirs[field] || '(default)'}</td></tr>`)}</tbody>
      </table></div>
      <p class="actions">
        <button type="button" class="primary" onClick=${() => onSettle(over(theirs, before, mine))}>Keep mine</button>
        <button type="button" onClick=${() => onSettle(theirs)}>Use theirs</button>
      </p>
    </section>`;
}
