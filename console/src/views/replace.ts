import {html, useEffect, useRef, useState} from '../html.ts';
import type {ApiRequest} from '../api.ts';
import {Dialog, Field, ProblemBox, RecordedBy} from '../parts.ts';
import {isUnknown, useDoing} from '../requests.ts';
import type {Path} from '../router.ts';
import {CANCEL, CONTINUE, DOCUMENT_DATE, VOID_AND_REPLACE} from '../terms.ts';
import {textOf, type Num} from '../words.ts';
import type {Entry} from './entries.ts';
import {keyOf} from './keys.ts';

const MAX_KEY_LENGTH = 255;

interface Allocation {
  readonly first: Num;
  readonly last: Num;
  readonly texts?: readonly string[];
  /** Whether the key had the number before this request. */
  readonly replayed?: boolean;
}

interface ReplaceProps {
  readonly path: Path;
  readonly entry: Entry;
  readonly onDone: (said: string) => void;
  readonly onClose: () => void;
}

/**
 * Returns the key that the dialog proposes. A key that must be cut ends with a hash of the whole one, because keys often differ only at
 * their ends.
 */
export function newKeyOf(key: string): string {
  const whole = `replaces-${key}`;
  if (whole.length <= MAX_KEY_LENGTH) {
    return whole;
  }
  let hash = 0;
  for (const character of key) {
    hash = Math.imul(hash, 31) + character.codePointAt(0)! | 0;
  }
  const end = `-${(hash >>> 0).toString(16).padStart(8, '0')}`;
  // Drops the first half of a character that would be cut in two.
  return whole.slice(0, MAX_KEY_LENGTH - end.length).replace(/[\uD800-\uDBFF]$/, '') + end;
}

/** The allocations that this page sent to replace an entry and that succeeded, or may have: only these may be continued. */
const begun = new Set<string>();

/**
 * Allocates the next number under a new key, then voids the old one with a reason that names the new one. Each step can be repeated: the same
 * key gets the same number, and a void stays. After a lost answer, or when the dialog is opened again, it therefore resumes where it was. A
 * number that the key had before belongs to another document, so the dialog refuses it before the void.
 */
export function ReplaceDialog({path, entry, onDone, onClose}: ReplaceProps) {
  const [key, setKey] = useState(newKeyOf(entry.key!));
  const [date, setDate] = useState('');
  const [made, setMade] = useState<Allocation>();
  /** The message about the last key, if another document has its number. */
  const [taken, setTaken] = useState('');
  const sent = useRef('');
  const allocating = useDoing<Allocation>();
  const voiding = useDoing();
  const problem = allocating.problem ?? voiding.problem;
  const isBusy = allocating.busy || voiding.busy;
  const count = entry.count === 1 ? '' : String(entry.count ?? '');
  const allocation: ApiRequest = {call: 'Allocate', path, ...keyOf(key.trim(), {count, date})};
  useEffect(() => {
    if (isUnknown(allocating.problem)) {
      begun.add(sent.current);
    }
  }, [allocating.problem]);
  const allocate = async () => {
    sent.current = JSON.stringify([path, entry.key, key.trim()]);
    const next = (await allocating.start(allocation))?.body;
    if (next?.replayed && !begun.has(sent.current)) {
      setTaken(`This key already has ${textOf(next)}. Choose another key.`);
      return undefined;
    }
    if (next) {
      begun.add(sent.current);
      setMade(next);
    }
    return next;
  };
  const submit = async (e: Event) => {
    e.preventDefault();
    const next = made ?? await allocate();
    if (next && await voiding.start({call: 'ChangeStatus', path, body: {key: entry.key, status: 'void', reason: `replaced by ${textOf(next)}`}})) {
      onDone(`${textOf(entry)} is voided and replaced by ${textOf(next)}.`);
    }
  };
  const edit = (typed: string) => {
    setKey(typed);
    setTaken('');
  };
  return html`
    <${Dialog} title=${`${VOID_AND_REPLACE} ${textOf(entry)}`} onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>Allocates the next number under a new key, then voids ${textOf(entry)} forever, with the reason “replaced by …”.</p>
        <div class="grid">
          <${Field} label="New key" value=${key} onValue=${edit} error=${taken} required disabled=${!!made} maxlength=${MAX_KEY_LENGTH} autocomplete="off" spellcheck=${false} />
          <${Field} label=${DOCUMENT_DATE} type="date" value=${date} onValue=${setDate} disabled=${!!made} hint="Empty: today." />
        </div>
        <${RecordedBy} />
        <div role="status"><ol>
          <li>${made ? html`<strong class="mono">${textOf(made)}</strong> is allocated under ${key}.`
            : isUnknown(allocating.problem) ? 'Whether the next number is allocated is not known.' : 'The next number is not allocated yet.'}</li>
          <li>${isUnknown(voiding.problem) ? `Whether ${textOf(entry)} is voided is not known.` : `${textOf(entry)} is not voided yet.`}</li>
        </ol></div>
        <${ProblemBox} problem=${problem} />
        <p class="actions"><button type="submit" class="primary danger" disabled=${isBusy || !key.trim()}>${made || problem ? CONTINUE : VOID_AND_REPLACE}</button>
          <button type="button" onClick=${onClose}>${CANCEL}</button></p>
      </form>
    <//>`;
}
