import {useEffect, useState} from '../html.ts';

/** The unsaved input of each form, so that it survives a visit to another view. */
const unsaved = new Map<string, unknown>();

function warn(e: Event): void {
  // This makes the browser ask whether to leave the page.
  e.preventDefault();
}

/** A state that survives its view. It is kept until `forget`, or until the user leaves the page, and the browser warns about that. */
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
  const forget = () => forgetDraft(form);
  return [value, set, forget, wasKept];
}

/** Forgets the input of a form, for example after another view has sent it. */
export function forgetDraft(form: string): void {
  unsaved.delete(form);
  follow();
}

/** Makes the browser warn before the user leaves the page, only while there is unsaved input. */
function follow(): void {
  if (unsaved.size > 0) {
    addEventListener('beforeunload', warn);
  } else {
    removeEventListener('beforeunload', warn);
  }
}
