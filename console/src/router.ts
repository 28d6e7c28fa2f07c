import {useLayoutEffect, useState} from './html.ts';

/** The current view and its query. They are in the fragment of the address, so that users can share every view. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export function here(): Place {
  const [path = '', query = ''] = location.hash.slice(1).split(/\?(.*)/s);
  return {path: path || '/', query: new URLSearchParams(query)};
}

/** Returns the address of a view, for links. Undefined and empty values are left out. */
export function href(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return `#${path}${text ? `?${text}` : ''}`;
}

/** Opens a view. `replace` adds no step to the browser's history, for example while the user types a filter. */
export function go(path: string, query: Query = {}, replace = false): void {
  const address = href(path, query);
  if (replace) {
    history.replaceState(null, '', address);
    dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    location.hash = address;
  }
}

/** Moves the focus to the result of a search, unless the user is busy elsewhere on the page. */
export function focusResult(selector: string): void {
  if (document.activeElement?.matches('body, main, header [type=search]')) {
    document.querySelector<HTMLElement>(selector)?.focus();
  }
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  // An ordinary effect would run after the page is drawn, and miss a move that the user makes before.
  useLayoutEffect(() => {
    const follow = () => setPlace(here());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

/** Returns the values of `:scope`, `:name` and so on in a path; null if the path belongs to another view. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) {
    return null;
  }
  const found: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const text = decoded(parts[i]!);
    if (part.startsWith(':') && text) {
      found[part.slice(1)] = text;
    } else if (part !== text) {
      return null;
    }
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A hand-written % that starts no code is kept.
    return text;
  }
}

/** The scope and name of a sequence, under the names that every call and view uses. */
export type Path = {readonly scope: string; readonly name: string};

/** Returns the sequence in the address of a view. */
export function pathOf(params: Readonly<Record<string, string>>): Path {
  return {scope: params['scope']!, name: params['name']!};
}

/** Returns the path of a sequence, or of one of its views. */
export function sequencePath(scope: string, name: string, view = ''): string {
  return `/sequences/${encodeURIComponent(scope)}/${encodeURIComponent(name)}${view && `/${view}`}`;
}
