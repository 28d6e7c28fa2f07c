import {useEffect, useState} from '../html.ts';

/** What is typed and not saved, by the form that it was typed into: it is still there after a look at another view. */
const unsaved = new Map<string, unknown>();

function warn(e: Event): void {
  // The browser asks by itself whether to leave the page.
  e.preventDefault();
}

/** A state that outlives its view until it is forgotten, or the page is left, of which the browser warns. */
export function useDraft<T>(form: string, first: () => T): [value: T, set: (change: (last: T) => T) => void, forget: () => void, wasKept: boolean] {
  const [wasKept] = useState(unsaved.has(form));
  const [value, setValue] = useState<T>(() => wasKept ? unsaved.get(form) as T : first());
  useEffect(follow, []);
  const set = (change: (last: T) => T) => setValue(last => {
    const next = change(last);
    unsaved.set(form, next);
    follow();
    return next;
  });
  const forget = () => {
    unsaved.delete(form);
    follow();
  };
  return [value, set, forget, wasKept];
}

/** An open page asks before it is left only while there is something to lose. */
function follow(): void {
  if (unsaved.size > 0) {
    addEventListener('beforeunload', warn);
  } else {
    removeEventListener('beforeunload', warn);
  }
}
