import {html, useEffect, useId, useRef, useState} from '../html.ts';
import {FileBytes} from '../api.ts';
import {Field} from '../parts.ts';
import type {Path} from '../router.ts';
import {useDraft} from './drafts.ts';

/** The size of the sample, which is enough for the first rows. */
const SAMPLE_BYTES = 64 * 1024;

/** The list to send. */
export interface Source {
  /** The whole list. */
  readonly body: FileBytes;
  /** The first bytes of the list. Their encoding is known only when the service has inspected the file. */
  readonly sample: ArrayBuffer;
  /** Whether it is a list without columns, with one key on each line. */
  readonly isList: boolean;
  /** The idempotency key of the upload, so that sending it twice has no further effect. */
  readonly id: string;
}

async function sourceOf(body: string | File, isList: boolean): Promise<Source> {
  const file = typeof body === 'string' ? new Blob([body]) : body;
  const id = `console-${crypto.randomUUID()}`;
  const sample = await file.slice(0, SAMPLE_BYTES).arrayBuffer();
  return {body: new FileBytes(id, await base64Of(file), typeof body === 'string' ? undefined : body.name), sample, isList, id};
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Decodes the sample. Drops a last character that is cut off, and a byte order mark. */
export function sampleOf({sample}: Source, encoding = 'utf-8'): string {
  const [first, second] = new Uint8Array(sample, 0, Math.min(2, sample.byteLength));
  const label = encoding === 'utf-16' && first === 0xfe && second === 0xff ? 'utf-16be' : encoding;
  return new TextDecoder(label).decode(sample, {stream: sample.byteLength === SAMPLE_BYTES});
}

export type Task = 'number' | 'import';

/** Returns the name under which the pasted text is kept. */
export function pastedFor({scope, name}: Path, task: Task): string {
  return `${task} ${scope}/${name}`;
}

interface SourceProps {
  /** The name under which the pasted text is kept while other views are open. */
  readonly form: string;
  /** Whether text without columns is a list of keys. */
  readonly isOfKeys: boolean;
  readonly label: string;
  readonly placeholder: string;
  /** Text to start with, in place of the kept one. */
  readonly pasted?: string;
  readonly onSource: (source: Source | undefined) => void;
}

export function SourceForm({form, isOfKeys, label, placeholder, pasted: first = '', onSource}: SourceProps) {
  const [pasted, setPasted, forget] = useDraft(form, () => first);
  const [failure, setFailure] = useState('');
  // Reading a file takes a while, and the user may choose another one meanwhile.
  const latest = useRef(0);
  const take = async (body: string | File | undefined, isList: boolean) => {
    const now = ++latest.current;
    setFailure('');
    try {
      const source = body ? await sourceOf(body, isList) : undefined;
      if (now === latest.current) {
        onSource(source);
      }
    } catch (e) {
      setFailure(`The browser cannot read the file: ${e instanceof Error ? e.message : e}`);
    }
  };
  const change = (text: string) => {
    setPasted(() => text);
    if (!text.trim()) {
      forget();
    }
  };
  const chosen = (file: File | undefined) => {
    change('');
    void take(file, isOfKeys && !!file?.name.endsWith('.txt'));
  };
  const paste = (text: string) => {
    change(text);
    void take(text.trim() ? text : undefined, isOfKeys);
  };
  useEffect(() => {
    if (first || pasted) {
      paste(first || pasted);
    }
  }, []);
  return html`
    <section class="source" aria-label="Source">
      <${DropZone} onFile=${chosen} />
      <${Field} label=${label} as="textarea" rows=${first ? 12 : 5} value=${pasted} onValue=${paste} spellcheck=${false} placeholder=${placeholder} />
    </section>
    ${failure && html`<p class="error" role="alert">${failure}</p>`}`;
}

function DropZone({onFile}: {onFile: (file: File | undefined) => void}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (e: DragEvent) => {
    e.preventDefault();
    setOver(false);
    if (e.dataTransfer?.files.length) {
      // Makes the control show the name of the file.
      input.current!.files = e.dataTransfer.files;
      onFile(e.dataTransfer.files[0]);
    }
  };
  const hover = (e: Event) => {
    e.preventDefault();
    setOver(true);
  };
  return html`
    <div class=${`drop${over ? ' over' : ''}`} onDragOver=${hover} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <label for=${id}>Drop a CSV file here, or choose one</label>
      <input id=${id} ref=${input} type="file" accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange=${(e: Event) => onFile((e.currentTarget as HTMLInputElement).files?.[0])} />
      <p class="hint">With a header line that names the columns. Up to 100,000 rows.</p>
    </div>`;
}
