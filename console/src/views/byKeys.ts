import {html, useState} from '../html.ts';
import {send, type ApiRequest} from '../api.ts';
import {csvLine} from '../csv.ts';
import {fileName, save} from '../download.ts';
import {Field, Literal, ProblemBox, StatusChip, Table, type Column} from '../parts.ts';
import {inOneLine, type Refusal} from '../problems.ts';
import {useAnswer} from '../requests.ts';
import type {Path} from '../router.ts';
import {CLOSE, CONFIRM, CONFIRMED, CONFIRM_OR_VOID_KEYS, DATE, KEY, RESULT, STATUS, STATUS_NAMES, TEXT, VOID} from '../terms.ts';
import {amount, day, textOf, today} from '../words.ts';
import type {Entry} from './entries.ts';
import {keysOfFile, keysOfLines} from './keys.ts';
import {Many, type Change} from './many.ts';

/** The most keys, because each one is a separate request. */
const KEYS_MOST = 1_000;
const AT_ONCE = 4;

interface Known {
  readonly key: string;
  /** Missing while it is loading, and if no number has the key. */
  readonly entry?: Entry | undefined;
  readonly isLoaded: boolean;
}

/** Looks the keys up, a few at a time, and reports after each. */
function useKeys(path: Path, keys: readonly string[]) {
  const request: ApiRequest | null = keys.length > 0 && keys.length <= KEYS_MOST ? {call: 'ReadLedger', path, query: {key: keys}} : null;
  return useAnswer<readonly Known[]>(request, async (_, report, signal) => {
    const found = new Map<string, Entry | undefined>();
    const waiting = [...keys];
    const work = async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        const {body} = await send<{entries: readonly Entry[]}>({call: 'ReadLedger', path, query: {key}}, signal);
        found.set(key, body.entries[0]);
        report(keys.map(each => ({key: each, entry: found.get(each), isLoaded: found.has(each)})));
      }
    };
    await Promise.all(Array.from({length: AT_ONCE}, work));
  });
}

/** Returns the planned change of a key, or the reason for none. */
function planned({entry, isLoaded}: Known, change: Change): string {
  const status = entry?.status ?? 'issued';
  return !isLoaded ? '…' : !entry ? 'no number has this key' : status === 'void' ? 'is voided already'
    : change === 'void' ? 'will be voided' : status === 'reserved' ? 'will be confirmed' : 'is issued already';
}

function isPlanned(known: Known, change: Change): boolean {
  return planned(known, change).startsWith('will be');
}

/** Confirms or voids the numbers of a list of keys, with a preview and a result for each. */
export function ByKeys({path, onClose}: {path: Path; onClose: () => void}) {
  const [text, setText] = useState('');
  const [keys, setKeys] = useState<readonly string[]>([]);
  const [change, setChange] = useState<Change>('issued');
  const [running, setRunning] = useState(false);
  const [results, setResults] = useState<ReadonlyMap<string, Entry | Refusal>>(new Map());
  const {value = [], problem, busy, again} = useKeys(path, keys);
  // The entry has its key as the service stores it, which may be another Unicode form than the typed one.
  const resultOf = ({key, entry}: Known) => results.get(entry?.key ?? key);
  const known = value.map(each => {
    const result = resultOf(each);
    return result && 'kind' in result ? {...each, entry: result as Entry} : each;
  });
  const chosen = known.filter(each => isPlanned(each, change)).map(({entry}) => entry!);
  const paste = (typed: string) => {
    setText(typed);
    setResults(new Map());
    setKeys(keysOfLines(typed));
  };
  const take = async (file: File | undefined) => {
    const content = await file?.text() ?? '';
    paste((file?.name.endsWith('.txt') ? keysOfLines(content) : keysOfFile(content)).join('\n'));
  };
  const add = (key: string, result: Entry | Refusal) => setResults(last => new Map([...last, [key, result]]));
  const saidOf = (each: Known) => {
    const result = resultOf(each);
    return !result ? planned(each, change) : 'kind' in result ? result['status'] === 'void' ? STATUS_NAMES['void'] : CONFIRMED : inOneLine(result as Refusal);
  };
  const columns: Column<Known>[] = [
    {title: KEY, cell: ({key}) => html`<${Literal} text=${key} />`},
    {title: TEXT, cell: ({entry}) => entry && html`<${Literal} text=${textOf(entry)} />`},
    {title: DATE, kind: 'short', cell: ({entry}) => day(entry?.date)},
    {title: STATUS, cell: ({entry}) => entry && html`<${StatusChip} status=${entry.status} />`},
    {title: RESULT, cell: saidOf},
  ];
  const download = () => save(fileName(path.scope, path.name, 'keys', today('UTC')),
    [['key', 'text', 'status', 'result'], ...known.map(each => [each.key, each.entry && textOf(each.entry), each.entry?.status ?? (each.entry ? 'issued' : ''), saidOf(each)])].map(line => csvLine(line, [0, 1])));
  return html`
    <section class="card no-print" aria-label="A list of keys">
      <h2>${CONFIRM_OR_VOID_KEYS}</h2>
      <div class="source">
        <${Field} label="Keys, one on each line" as="textarea" rows="5" value=${text} onValue=${paste} spellcheck=${false} placeholder=${'cart-9001\ncart-9002'} />
        <div>
          <${Field} label="Or a file with a column of keys" type="file" accept=".csv,.txt,text/csv,text/plain" value="" onValue=${() => undefined}
            onChange=${(e: Event) => void take((e.currentTarget as HTMLInputElement).files?.[0])} />
          <${Field} label="Change" as="select" value=${change} onValue=${(next: string) => setChange(next as Change)} options=${[['issued', 'Confirm reserved numbers'], ['void', VOID]]} />
        </div>
      </div>
      ${keys.length > KEYS_MOST && html`<p class="error" role="alert">At most ${amount(KEYS_MOST)} keys at once. The list has ${amount(keys.length)}.</p>`}
      <${ProblemBox} problem=${problem} again=${again} />
      ${known.length > 0 && html`<${Table} caption="Preview and results" columns=${columns} rows=${known} keyOf=${({key}: Known) => key} busy=${busy} />`}
      <p class="actions">
        <button type="button" class=${change === 'void' ? 'danger' : 'primary'} disabled=${busy || chosen.length === 0} onClick=${() => setRunning(true)}>${change === 'void' ? VOID : CONFIRM} ${amount(chosen.length, 'key')} …</button>
        ${results.size > 0 && html`<button type="button" onClick=${download}>Save results as CSV</button>`}
        <button type="button" onClick=${onClose}>${CLOSE}</button>
      </p>
      ${running && html`<${Many} path=${path} change=${change} entries=${chosen} onChanged=${(entry: Entry) => add(entry.key!, entry)}
        onRefused=${({key}: Entry, refusal: Refusal) => add(key!, refusal)} onClose=${() => setRunning(false)} />`}
    </section>`;
}
