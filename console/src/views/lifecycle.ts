import {html, useState} from '../html.ts';
import {useFresh, useRequest, useDoing, useMay, type Answer} from '../requests.ts';
import type {ApiRequest} from '../api.ts';
import {BeforeAfter, Confirm, Curl, Field, Loading, ProblemBox, Problems, type Rows} from '../parts.ts';
import {href, pathOf, sequencePath, type Path} from '../router.ts';
import {useStanding, useUsed} from './standing.ts';
import {CANNOT_BE_UNDONE, CHANGES, DEFINITION, LEFT, NAME, NEXT_NUMBER, REASON, UPLOADS} from '../terms.ts';
import type {ViewProps} from '../view.ts';
import {amount, moment, periodName, sentence, type Definition, type Num, type State} from '../words.ts';

const WHOLE = /^-?\d{1,19}$/;
const HIDDEN = 30;

/**
 * Returns the next number after an advance: the first number of the series that reaches the wanted one, and never before the current next
 * number.
 */
export function advanced(next: Num, increment: Num, wanted: string): {readonly next: bigint; readonly passed: bigint} {
  const [from, step, to] = [BigInt(next), BigInt(increment), BigInt(wanted)];
  const size = step < 0n ? -step : step;
  const distance = step < 0n ? from - to : to - from;
  const steps = distance <= 0n ? 0n : (distance + size - 1n) / size;
  return {next: from + steps * step, passed: steps};
}

/** Returns why the service would refuse an advance, so that the user learns it before confirming. */
export function advanceProblem(wanted: string, passed: bigint | undefined, left: Num): string | undefined {
  if (wanted && !WHOLE.test(wanted)) {
    return 'A whole number, without commas or points.';
  }
  return passed && passed >= BigInt(left) ? `Beyond the range: ${amount(left, 'number')} ${Number(left) === 1 ? 'is' : 'are'} left. Widen the range in the definition first.`
    : undefined;
}

/** Actions that advance, suspend, resume, retire or revive a sequence. */
export function Lifecycle({params}: ViewProps) {
  const path = pathOf(params);
  const {definition, counted, state, changes, retiredAt: retired, suspended, again} = useStanding(path);
  const [said, setSaid] = useState('');
  useFresh(again);
  const done = (what: string) => {
    setSaid(what);
    again();
  };
  const stored = definition.value;
  const isKnown = stored && (counted ? state.value : changes.value);
  return html`
    <p role="status">${said}</p>
    <${Problems} of=${[definition, state, changes]} />
    ${!isKnown && !definition.problem && !state.problem && !changes.problem && html`<${Loading} />`}
    ${isKnown && html`
      ${counted && !retired && html`<${Advance} path=${path} definition=${stored} present=${state} onDone=${done} />`}
      ${!retired && path.scope !== '~' && (suspended ? html`<${Resume} path=${path} since=${suspended.at} reason=${suspended.reason} onDone=${done} />`
        : html`<${Suspend} path=${path} onDone=${done} />`)}
      ${retired
        ? html`<${Revive} path=${path} definition=${stored} since=${retired} onDone=${done} />`
        : html`<${Retire} path=${path} etag=${definition.etag ?? ''} counted=${counted} onDone=${done} onStale=${definition.again} />`}`}
    <p class="muted">Earlier changes are listed under <a href=${href(sequencePath(path.scope, path.name, 'changes'))}>${CHANGES}</a>.</p>`;
}

interface DoneProps {
  readonly path: Path;
  readonly onDone: (said: string) => void;
}

function Advance({path, definition, present, onDone}: DoneProps & {definition: Definition; present: Answer<State>}) {
  const resets = (definition.resetEvery ?? 'never') !== 'never';
  const [wanted, setWanted] = useState('');
  const [date, setDate] = useState('');
  const [reason, setReason] = useState('');
  const [confirming, setConfirming] = useState(false);
  const ofPeriod = useRequest<State>(date ? {call: 'ReadState', path, query: {date}} : null);
  const read = date ? ofPeriod : present;
  // While the state of the chosen period is loading, no state is shown: another one would show a wrong effect.
  const state = date && ofPeriod.busy ? undefined : read.value;
  const doing = useDoing<{previousNext: Num; next: Num}>();
  const isWhole = WHOLE.test(wanted);
  const after = isWhole && state ? advanced(state.next, definition.increment ?? 1, wanted) : null;
  const wrong = advanceProblem(wanted, after?.passed, state?.left ?? 0);
  const request: ApiRequest = {call: 'Advance', path, query: {date},
    body: {nextAtLeast: isWhole ? BigInt(wanted) : wanted, ...(reason ? {reason} : {})}};
  const confirm = async () => {
    const reply = await doing.start(request);
    if (reply) {
      setConfirming(false);
      setWanted('');
      ofPeriod.again();
      onDone(`The next number is ${reply.body.next} now; it was ${reply.body.previousNext}.`);
    }
  };
  if (!useMay('Advance')) {
    return null;
  }
  return html`
    <form class="card lifecycle" onSubmit=${(e: Event) => {
      e.preventDefault();
      doing.forget();
      // The state may be half a minute old, and an advance cannot be undone.
      read.again();
      setConfirming(true);
    }}>
      <h2>Advance</h2>
      <p>Moves the next number forward, for example after a restore, or when another system issued numbers. It never moves back: skipped numbers are never allocated.</p>
      <div class="grid">
        <${Field} label="Next number at least" value=${wanted} onValue=${(text: string) => setWanted(text.trim())} inputmode="numeric" required autocomplete="off"
            error=${wrong} hint=${state ? `Now ${state.next}${state.period ? ` in ${periodName(state.period, definition)}` : ''}.` : ''} />
        ${resets && html`<${Field} label="Date of the period" type="date" value=${date} onValue=${setDate} hint="Empty: today's period." />`}
        <${Field} label=${REASON} value=${reason} onValue=${setReason} maxlength="200" hint="Shown in the changes, and beside the gap in the ledger of a gapless sequence." />
      </div>
      <${ProblemBox} problem=${ofPeriod.problem} />
      <p class="actions"><button type="submit" class="primary" disabled=${!after || !!wrong || after.passed === 0n}>Advance …</button> <${Curl} request=${request} /></p>
      ${after && after.passed === 0n && html`<p class="muted">The next number is already this high.</p>`}
    </form>
    ${confirming && after && html`
      <${Confirm} title="Advance" verb="Advance" name=${`${path.scope}/${path.name}`} busy=${doing.busy || read.busy || !!read.problem} problem=${doing.problem ?? read.problem}
          onClose=${() => setConfirming(false)} onConfirm=${confirm}>
        <${BeforeAfter} rows=${[
          [NEXT_NUMBER, html`<span class="mono">${String(state!.next)}</span>`, html`<span class="mono">${String(after.next)}</span>`],
          [LEFT, amount(state!.left), amount(BigInt(state!.left) > after.passed ? BigInt(state!.left) - after.passed : 0n)],
        ]} />
        <p><strong>${amount(after.passed, 'number')}</strong> will never be allocated. ${CANNOT_BE_UNDONE}
          ${definition.guarantee === 'cached' ? ` Other instances may use their present blocks for up to ${HIDDEN} s.` : ''}</p>
      <//>`}`;
}

interface TurnProps extends DoneProps {
  readonly verb: string;
  readonly kind: 'danger' | 'primary' | '';
  readonly about: string;
  /** Returns the request, with the user's reason if the form has one. */
  readonly request: (reason: string) => ApiRequest;
  readonly rows: Rows;
  readonly said: string;
  /** Whether the user must type the scope and name. */
  readonly typed?: boolean;
  /** The hint for the reason; without it, the form has no reason. */
  readonly reasonHint?: string;
  /** Called if someone else has changed the definition meanwhile. */
  readonly onStale?: () => void;
}

/** An action that switches allocation off or on, with an explanation and a confirmation. */
function Turn({path, verb, kind, about, request, rows, said, typed, reasonHint, onDone, onStale}: TurnProps) {
  const [confirming, setConfirming] = useState(false);
  const [reason, setReason] = useState('');
  const doing = useDoing();
  const confirm = async () => {
    if (await doing.start(request(reason.trim()))) {
      setConfirming(false);
      onDone(said);
    }
  };
  const close = () => {
    setConfirming(false);
    if (doing.problem?.type === 'precondition-failed') {
      onStale?.();
    }
  };
  return html`
    <section class="card">
      <h2>${verb}</h2>
      <p>${about}</p>
      <p class="actions"><button type="button" class=${kind} onClick=${() => {
        doing.forget();
        setConfirming(true);
      }}>${verb} …</button> <${Curl} request=${request(reason)} /></p>
      ${confirming && html`
        <${Confirm} title=${`${verb} ${path.scope}/${path.name}`} verb=${verb} name=${typed ? `${path.scope}/${path.name}` : undefined} busy=${doing.busy} problem=${doing.problem}
            onClose=${close} onConfirm=${confirm}>
          <${BeforeAfter} rows=${rows} />
          ${reasonHint && html`<${Field} label=${REASON} value=${reason} onValue=${setReason} maxlength="200" hint=${reasonHint} />`}
        <//>`}
    </section>`;
}

function Suspend({path, onDone}: DoneProps) {
  return useMay('Suspend') ? html`
    <${Turn} path=${path} verb="Suspend" kind="" reasonHint="Shown to callers that are refused."
      about="Stops the sequence for a while: no new numbers are allocated until you resume it. Known keys still get their numbers."
      request=${(reason: string) => ({call: 'Suspend', path, body: reason ? {reason} : {}})}
      rows=${[['New numbers', 'allocated', 'refused for now'], ['Known keys', 'get their numbers', 'get their numbers'], [UPLOADS, 'numbered', 'wait']]}
      said=${`${path.name} is suspended. Effective on all instances within ${HIDDEN} s.`} onDone=${onDone} />` : null;
}

function Resume({path, since, reason, onDone}: DoneProps & {since: string; reason?: string | undefined}) {
  const suspended = sentence(`Suspended since ${moment(since)}${reason ? `: ${reason}` : ''}`);
  return useMay('Resume') ? html`
    <${Turn} path=${path} verb="Resume" kind="primary" about=${`${suspended} Resuming continues after the last number.`}
      request=${() => ({call: 'Resume', path, body: {}})}
      rows=${[['New numbers', 'refused for now', 'allocated']]}
      said=${`${path.name} is resumed. Effective on all instances within ${HIDDEN} s.`} onDone=${onDone} />` : html`<p>${suspended}</p>`;
}

interface RetireProps extends DoneProps {
  readonly etag: string;
  readonly counted: boolean;
  readonly onStale: () => void;
}

function Retire({path, etag, counted, onDone, onStale}: RetireProps) {
  const isUsed = useUsed(path, counted);
  const isTemplate = path.scope === '~';
  const isFresh = isTemplate || counted && isUsed === false;
  return useMay('Retire') ? html`
    <${Turn} path=${path} verb="Retire" kind="danger" typed request=${() => ({call: 'Retire', path, headers: {'If-Match': etag || '*'}})}
      about=${isTemplate ? 'Removes the template from the lists. Sequences that it created stay.'
        : isFresh ? 'Removes the sequence from the lists. It has allocated no number, so its name is free for another definition.'
        : counted ? 'Stops the sequence: no new numbers are allocated. Its numbers stay in the ledger, known keys still get theirs, and you can revive it.'
        : 'Stops the sequence: no new ids are allocated, and you can revive it. If it never allocated one, it leaves the lists, and its name is free for another definition.'}
      rows=${[
        isTemplate ? ['New sequences', 'created from it', 'not created'] : [counted ? 'New numbers' : 'New ids', 'allocated', 'refused'],
        ...(isFresh ? [[NAME, 'in use', 'free']] : counted ? [['Known keys', 'get their numbers', 'get their numbers'], ['State, ledger, check', 'available', 'available']] : []),
        [DEFINITION, 'can be changed', 'cannot be changed'],
      ]}
      said=${`${path.name} is retired. Effective on all instances within ${HIDDEN} s.`} onDone=${onDone} onStale=${onStale} />` : null;
}

function Revive({path, definition, since, onDone}: DoneProps & {definition: Definition; since: string}) {
  const retired = `This sequence was retired on ${moment(since)}.`;
  return useMay('PutDefinition') ? html`
    <${Turn} path=${path} verb="Revive" kind="primary" typed request=${() => ({call: 'PutDefinition', path, headers: {'If-None-Match': '*'}, body: definition})}
      about=${`${retired} Reviving it continues after its last number, with its definition, ledger and keys.`}
      rows=${[
        ['New numbers', 'refused', 'allocated'],
        ['Next number, ledger, keys', 'unchanged', 'unchanged'],
        [DEFINITION, 'cannot be changed', 'can be changed'],
      ]}
      said=${`${path.name} is active again.`} onDone=${onDone} />` : html`<p>${retired}</p>`;
}
