import {pagesOf, type ApiRequest} from '../api.ts';
import {useAnswer, useMay, type Answer} from '../requests.ts';
import type {Matter} from './attention.ts';

/** The pages of 50 sequences that are read at most, because each page reads many rows. */
const PAGES_MOST = 4;

interface Page {
  readonly entries: readonly Matter[];
  readonly continuation?: string;
}

/** The recorded months that have changed since, and the months without a judgment. */
export interface Judged {
  readonly changed: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
}

const idOf = (name = '', month = '') => `${name} ${month}`;

/** Returns whether a recorded month has changed since; undefined if that is not known. The service judges no month that still lasts. */
export function hasChanged(judged: Judged | undefined, name: string, month: string, lasting: string): boolean | undefined {
  return !judged || month === lasting || judged.unknown.has(idOf(name, month)) || judged.unknown.has(idOf(name)) ? undefined
    : judged.changed.has(idOf(name, month));
}

/** Reads the judgment of the recorded months of a scope from the list of what needs attention. It has no value until all pages are read. */
export function useJudged(scope: string): Answer<Judged> {
  const request: ApiRequest = {call: 'ListAttention', query: {scope}};
  return useAnswer<Judged>(useMay('ListAttention') ? request : null, async (_, report, signal) => {
    const changed = new Set<string>();
    const unknown = new Set<string>();
    let pages = 0;
    for await (const {entries, continuation} of pagesOf<Page>(request, signal)) {
      for (const {kind, name, month} of entries) {
        if (kind === 'month-changed') {
          changed.add(idOf(name, month));
        } else if (kind === 'month-not-judged' || kind === 'unreadable') {
          unknown.add(idOf(name, month));
        }
      }
      if (!continuation) {
        report({changed, unknown});
      }
      if (++pages === PAGES_MOST) {
        return;
      }
    }
  });
}
