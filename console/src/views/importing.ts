import {html, useState} from '../html.ts';
import type {ApiRequest} from '../api.ts';
import {Confirm} from '../parts.ts';
import {useDoing} from '../requests.ts';
import {go, sequencePath, type Path} from '../router.ts';

/** The import that each check prepared, by the id of the check. The page keeps the rows until the user leaves it. */
const checked = new Map<string, ApiRequest>();

export function rememberChecked(id: string, request: ApiRequest): void {
  checked.set(id, request);
}

export function checkedImport(id: string): ApiRequest | undefined {
  return checked.get(id);
}

interface ImportProps {
  readonly path: Path;
  readonly request: ApiRequest;
  /** The number of rows, if it is known. */
  readonly rows?: string;
  readonly primary?: boolean;
}

/** The button that imports numbers, after the user has confirmed it, because no one can remove imported numbers from the ledger. */
export function ImportButton({path, request, rows = 'The rows', primary}: ImportProps) {
  const [confirming, setConfirming] = useState(false);
  const doing = useDoing<{id: string}>();
  const start = async () => {
    const reply = await doing.start(request);
    if (reply) {
      go(sequencePath(path.scope, path.name, `imports/${reply.body.id}`));
    }
  };
  return html`
    <button type="button" class=${primary ? 'primary' : ''} onClick=${() => {
      doing.forget();
      setConfirming(true);
    }}>Import numbers …</button>
    ${confirming && html`
      <${Confirm} title=${`Import into ${path.scope}/${path.name}`} verb="Import" name=${`${path.scope}/${path.name}`} busy=${doing.busy} problem=${doing.problem}
          onConfirm=${start} onClose=${() => setConfirming(false)}>
        <p>${rows} will be in the ledger forever. The next number follows the highest imported one, and the definition's fixed fields can no longer change. <strong>This cannot be undone.</strong></p>
      <//>`}`;
}
