import {html, useState} from '../html.ts';
import {useRequest, useDoing, useMay} from '../requests.ts';
import type {ApiRequest} from '../api.ts';
import {ConfirmByName, Curl, Field, Loading, ProblemBox} from '../parts.ts';
import {href, pathOf, sequencePath, type Path} from '../router.ts';
import {useStanding} from './standing.ts';
import type {View, ViewProps} from '../views.ts';
import {amount, moment, type Definition, type Num, type State} from '../words.ts';

const WHOLE = /^-?\d{1,19}$/;
const HIDDEN = 30;

/** A word, what is, and what will be. */
type Rows = readonly (readonly [what: string, before: unknown, after: unknown])[];

function BeforeAfter({rows}: {rows: Rows}) {
  return html`
    <div class="table"><table>
      <caption class="unseen">Before and after</caption>
      <thead><tr><th scope="col"><span class="unseen">What</span></th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>${rows.map(([what, before, after]) => html`<tr key=${what}><th scope="row" data-label="">${what}</th>
        <td data-label="Before">${before}</td><td data-label="After">${after}</td></tr>`)}</tbody>
    </table></div>`;
}

/** The next number after an advance: the first of the series at or beyond the wanted one, and never before the present one. */
export function advanced(next: Num, increment: Num, wanted: string): {readonly next: bigint; readonly passed: bigint} {
  const [from, step, to] = [BigInt(next), BigInt(increment), BigInt(wanted)];
  const size = step < 0n ? -step : step;
  const distance = step < 0n ? from - to : to - from;
  const steps = distance <= 0n ? 0n : (distance + size - 1n) / size;
  return {next: from + steps * step, passed: steps};
}

function Lifecycle({params}: ViewProps) {
  const path = pathOf(params);
  const {definition, counted, state, changes, retiredAt: retired} = useStanding(path);
  const [said, setSaid] = useState('');
  const done = (what: string) => {
    setSaid(what);
    definition.again();
    changes.again();
    state.again();
  };
  const stored = definition.value;
  const isKnown = stored && (counted ? state.value : changes.value);
  return html`
    <p role="status">${said}</p>
    ${[definition, state, changes].map(requested => html`<${ProblemBox} problem=${requested.problem} again=${requested.again} />`)}
    ${!isKnown && !definition.problem && !state.problem && !changes.problem && html`<${Loading} />`}
    ${isKnown && html`
      ${counted && !retired && html`<${Advance} path=${path} definition=${stored} present=${state.value!} onDone=${done} />`}
      ${retired
        ? html`<${Revive} path=${path} definition=${stored} since=${retired} onDone=${done} />`
        : html`<${Retire} path=${path} etag=${definition.etag ?? ''} onDone=${done} onStale=${definition.again} />`}`}
    <p class="muted">Earlier changes are listed under <a href=${href(sequencePath(path.scope, path.name, 'changes'))}>Changes</a>.</p>`;
}

interface DoneProps {
  readonly path: Path;
  readonly onDone: (said: string) => void;
}

function Advance({path, definition, present, onDone}: DoneProps & {definition: Definition; present: State}) {
  const resets = (definition.resetEvery ?? 'never') !== 'never';
  const [wanted, setWanted] = useState('');
  const [date, setDate] = useState('');
  const [reason, setReason] = useState('');
  const [confirming, setConfirming] = useState(false);
  const ofPeriod = useRequest<State>(date ? {call: 'ReadState', path, query: {date}} : null);
  // The state of another period, or of before an advance, does not show what would move.
  const state = !date ? present : ofPeriod.busy ? undefined : ofPeriod.value;
  const doing = useDoing<{previousNext: Num; next: Num}>();
  const isWhole = WHOLE.test(wanted);
  const after = isWhole && state ? advanced(state.next, definition.increment ?? 1, wanted) : null;
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
      setConfirming(true);
    }}>
      <h2>Advance</h2>
      <p>Moves the next number forward, for example after a restore, or when another system issued numbers. It never moves back: skipped numbers are never allocated.</p>
      <div class="grid">
        <${Field} label="Next number at least" value=${wanted} onValue=${(text: string) => setWanted(text.trim())} inputmode="numeric" required autocomplete="off"
            error=${wanted && !isWhole ? 'A whole number, without commas or points.' : undefined}
            hint=${state ? `Now ${state.next}${state.period ? ` in ${state.period}` : ''}.` : ''} />
        ${resets && html`<${Field} label="Date of the period" type="date" value=${date} onValue=${setDate} hint="Empty: today's period." />`}
        <${Field} label="Reason" value=${reason} onValue=${setReason} maxlength="200" hint="Shown in the changes, and beside the gap in the ledger of a gapless sequence." />
      </div>
      <${ProblemBox} problem=${ofPeriod.problem} />
      <p class="actions"><button type="submit" class="primary" disabled=${!after}>Advance …</button> <${Curl} request=${request} /></p>
      ${after && after.passed === 0n && html`<p class="muted">The next number is already this high.</p>`}
    </form>
    ${confirming && after && html`
      <${ConfirmByName} title="Advance" verb="Advance" name=${path.name} busy=${doing.busy} problem=${doing.problem}
          onClose=${() => setConfirming(false)} onConfirm=${confirm}>
        <${BeforeAfter} rows=${[
          ['Next number', html`<span class="mono">${String(state!.next)}</span>`, html`<span class="mono">${String(after.next)}</span>`],
          ['Left', amount(state!.left), amount(BigInt(state!.left) > after.passed ? BigInt(state!.left) - after.passed : 0n)],
        ]} />
        <p>${after.passed === 0n ? 'Nothing moves.' : html`<strong>${amount(after.passed, 'number')}</strong> will never be allocated. This cannot be undone.`}
          ${definition.guarantee === 'cached' ? ` Other instances may use their present blocks for up to ${HIDDEN} s.` : ''}</p>
      <//>`}`;
}

interface TurnProps extends DoneProps {
  readonly verb: string;
  readonly kind: 'danger' | 'primary';
  readonly about: string;
  readonly request: ApiRequest;
  readonly rows: Rows;
  readonly said: string;
  /** Called where the definition is another one by now. */
  readonly onStale?: () => void;
}

/** Turns numbering off or on, after an explanation and a confirmation. */
function Turn({path, verb, kind, about, request, rows, said, onDone, onStale}: TurnProps) {
  const [confirming, setConfirming] = useState(false);
  const doing = useDoing();
  const confirm = async () => {
    if (await doing.start(request)) {
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
      }}>${verb} …</button> <${Curl} request=${request} /></p>
      ${confirming && html`
        <${ConfirmByName} title=${verb} verb=${verb} name=${path.name} busy=${doing.busy} problem=${doing.problem}
            onClose=${close} onConfirm=${confirm}>
          <${BeforeAfter} rows=${rows} />
        <//>`}
    </section>`;
}

function Retire({path, etag, onDone, onStale}: DoneProps & {etag: string; onStale: () => void}) {
  return useMay('Retire') ? html`
    <${Turn} path=${path} verb="Retire" kind="danger" request=${{call: 'Retire', path, headers: {'If-Match': etag || '*'}}}
      about="Stops the sequence: no new numbers are allocated. Its numbers stay in the ledger, known keys still get theirs, and you can revive it."
      rows=${[
        ['New numbers', 'allocated', 'refused'],
        ['Known keys', 'get their numbers', 'get their numbers'],
        ['State, ledger, check', 'available', 'available'],
        ['Definition', 'can be changed', 'cannot be changed'],
      ]}
      said=${`${path.name} is retired. Effective on all instances within ${HIDDEN} s.`} onDone=${onDone} onStale=${onStale} />` : null;
}

function Revive({path, definition, since, onDone}: DoneProps & {definition: Definition; since: string}) {
  const retired = `This sequence was retired on ${moment(since)}.`;
  return useMay('PutDefinition') ? html`
    <${Turn} path=${path} verb="Revive" kind="primary" request=${{call: 'PutDefinition', path, headers: {'If-None-Match': '*'}, body: definition}}
      about=${`${retired} Reviving it continues after its last number, with its definition, ledger and keys.`}
      rows=${[
        ['New numbers', 'refused', 'allocated'],
        ['Next number, ledger, keys', 'unchanged', 'unchanged'],
        ['Definition', 'cannot be changed', 'can be changed'],
      ]}
      said=${`${path.name} is active again.`} onDone=${onDone} />` : html`<p>${retired}</p>`;
}

export const lifecycle: View = {path: '/sequences/:scope/:name/lifecycle', label: 'Advance & retire', place: 'sequence', needs: 'Retire', component: Lifecycle};
