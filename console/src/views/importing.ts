import {html, useState} from '../html.ts';
import type {ApiRequest} from '../api.ts';
import {Confirm} from '../parts.ts';
import {useDoing} from '../requests.ts';
import {go, sequencePath, type Path} from '../router.ts';
import {CANNOT_BE_UNDONE, IMPORT} from '../terms.ts';
import {amount} from '../words.ts';
import {forgetDraft} from './drafts.ts';
import type {Parameters} from './inspection.ts';
import {pastedFor} from './source.ts';

/** The import that a check prepared. */
export interface Prepared {
  readonly request: ApiRequest;
  /** The numbers of the file in words, if they are known. */
  readonly stored?: string | undefined;
  readonly stated: Parameters;
}

/** The import of each check, and of each import that this page sent, by its id. The page keeps the rows until the user leaves it. */
const prepared = new Map<string, Prepared>();

export function rememberChecked(id: string, of: Prepared): void {
  prepared.set(id, of);
}

export function preparedImport(id: string): Prepared | undefined {
  return prepared.get(id);
}

/** Refused rows that the user corrects in this page, with the parameters of their file. */
interface Correction {
  readonly text: string;
  readonly stated: Parameters;
}

let correction: (Correction & {readonly path: Path}) | undefined;

/** Opens the form with refused rows to correct. */
export function correct(path: Path, text: string, stated: Parameters): void {
  correction = {path, text, stated};
  go(sequencePath(path.scope, path.name, 'upload'), {task: 'import'});
}

/** Returns the rows to correct, once. */
export function corrected({scope, name}: Path): Correction | undefined {
  const last = correction;
  correction = undefined;
  return last?.path.scope === scope && last.path.name === name ? last : undefined;
}

/** The most rows that are imported without typing the name of the sequence. */
const MAX_UNTYPED_ROWS = 100;

interface ImportProps {
  readonly path: Path;
  readonly request: ApiRequest;
  /** The numbers that will be stored, in words, if they are known. */
  readonly stored?: string | undefined;
  /** The number of rows that will be stored, if it is known. */
  readonly rows?: number | undefined;
  /** The rows that will not be stored, in words. */
  readonly except?: string;
  readonly primary?: boolean;
  readonly disabled?: boolean;
  /** Starts a check instead; missing after a check. */
  readonly onCheck?: () => void;
}

/** The button that imports numbers, after the user has confirmed it, because no one can remove imported numbers from the ledger. */
export function ImportButton({path, request, stored, rows, except, primary, disabled, onCheck}: ImportProps) {
  const [confirming, setConfirming] = useState(false);
  const doing = useDoing<{id: string}>();
  const start = async () => {
    const reply = await doing.start(request);
    if (reply) {
      forgetDraft(pastedFor(path, 'import'));
      rememberChecked(reply.body.id, {request, stored, stated: request.query as Parameters});
      go(sequencePath(path.scope, path.name, `imports/${reply.body.id}`));
    }
  };
  const name = `${path.scope}/${path.name}`;
  const what = stored ?? (rows === undefined ? 'The rows' : amount(rows, 'row'));
  return html`
    <button type="button" class=${primary ? 'primary' : ''} disabled=${disabled} onClick=${() => {
      doing.forget();
      setConfirming(true);
    }}>Import numbers …</button>
    ${confirming && html`
      <${Confirm} title=${`Import into ${name}`} verb=${IMPORT} name=${rows !== undefined && rows <= MAX_UNTYPED_ROWS ? undefined : name} busy=${doing.busy} problem=${doing.problem}
          onConfirm=${start} onClose=${() => setConfirming(false)}>
        <p><strong>${what}</strong>${except} will be in the ledger forever. The next number follows the highest imported one if that is beyond the present one, and the definition's fixed fields can no longer change. <strong>${CANNOT_BE_UNDONE}</strong></p>
        ${onCheck && html`<p class="hint">Not checked yet. <button type="button" onClick=${() => {
          setConfirming(false);
          onCheck();
        }}>Check the rows first</button></p>`}
      <//>`}`;
}
