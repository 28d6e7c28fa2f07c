import {html, useEffect, useRef, useState} from '../html.ts';
import {useMay} from '../requests.ts';
import {go, type Place} from '../router.ts';
import {ALL_SEQUENCES, TEXT_NUMBER_OR_KEY} from '../terms.ts';

export const FOUND = '/find';

/** The search over all sequences, at the top of every view. `/` and Ctrl+K move the focus here. */
export function SearchBox({place}: {place: Place}) {
  const box = useRef<HTMLInputElement>(null);
  const requested = place.path === FOUND ? place.query.get('q') ?? '' : '';
  const [typed, setTyped] = useState(requested);
  const may = useMay('Find');
  useEffect(() => setTyped(requested), [requested]);
  useEffect(() => {
    const jump = (e: KeyboardEvent) => {
      if (isShortcut(e) && !document.querySelector('dialog[open]')) {
        e.preventDefault();
        box.current?.select();
        box.current?.focus();
      }
    };
    addEventListener('keydown', jump);
    return () => removeEventListener('keydown', jump);
  }, []);
  const search = (e: Event) => {
    e.preventDefault();
    const wanted = typed.trim();
    if (wanted) {
      go(FOUND, {q: wanted, scope: place.path === FOUND ? place.query.get('scope') ?? '' : ''});
    }
  };
  return may ? html`
    <form class="search" role="search" aria-label=${ALL_SEQUENCES} onSubmit=${search}>
      <input ref=${box} type="search" aria-label="Search all sequences for a text, number or key" aria-keyshortcuts="/ Control+K Meta+K"
          placeholder=${TEXT_NUMBER_OR_KEY} maxlength="255" autocomplete="off" spellcheck=${false} value=${typed}
          onInput=${(e: Event) => setTyped((e.currentTarget as HTMLInputElement).value)} />
      <kbd aria-hidden="true">/</kbd>
    </form>` : html`<span class="search"></span>`;
}

/** Whether the key is a shortcut. In a text field, `/` is an ordinary character. */
function isShortcut(e: KeyboardEvent): boolean {
  const isTyping = e.target instanceof HTMLElement && e.target.matches('input:not([type=checkbox], [type=radio], [type=file]), textarea, select');
  return e.key === '/' && !isTyping && !e.ctrlKey && !e.metaKey && !e.altKey
    || e.key.toLowerCase() === 'k' && (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey;
}
