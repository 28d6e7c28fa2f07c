import {pagesOf, send, type ApiRequest} from '../api.ts';
import type {Path} from '../router.ts';
import type {Definition} from '../words.ts';
import type {Entry} from './entries.ts';
import {hasLedger} from './standing.ts';

const TOKENS: Readonly<Record<string, string>> = {yyyy: '\\d{4}', gggg: '\\d{4}', yy: '\\d\\d', MM: '\\d\\d', dd: '\\d\\d', ww: '\\d\\d', DDD: '\\d{3}', q: '\\d', n: '\\d+', r: '\\d+', fy: '[\\d-]+'};

/** Whether a format may have produced a text, in any case. Never false for a text of the format. */
export function mayRead(format: string, text: string): boolean {
  const pattern = format.replace(/\{(\w+)[^}]*}|[^{]/g, (part, token?: string) => token ? TOKENS[token] ?? '.+' : part.replace(/[^\w]/, '\\$&'));
  return new RegExp(`^${pattern}$`, 'i').test(text);
}

interface Listed extends Path {
  readonly definition?: Definition;
}

/**
 * Looks a text up in the sequences whose format may have produced it, and reports each entry. A search over all sequences finds the same
 * entries later.
 */
export async function searchLikely(text: string, scope: string, report: (entry: Entry & Path) => void, signal: AbortSignal): Promise<void> {
  const list: ApiRequest = {call: 'ListSequences', query: {scope, with: 'definition', limit: 100}};
  for await (const {sequences} of pagesOf<{sequences: readonly Listed[]}>(list, signal)) {
    for (const {scope: of, name, definition} of sequences) {
      if (definition?.format && hasLedger(of, definition) && mayRead(definition.format, text)) {
        const {body} = await send<{entries: readonly Entry[]}>({call: 'ReadLedger', path: {scope: of, name}, query: {text}}, signal);
        body.entries.forEach(entry => report({...entry, scope: of, name}));
      }
    }
  }
}
