import type {ApiRequest} from '../api.ts';
import {firstRows, SEPARATORS, separatorsOf} from '../firstRows.ts';

/** Puts the key into a header, because addresses are logged on their way. A key that no header can contain goes into the query. */
export function keyOf(key: string, query: Record<string, string>): Pick<ApiRequest, 'query' | 'headers'> {
  const header = key.startsWith('"') ? `"${key.replace(/["\\]/g, '\\$&')}"` : key;
  return !key ? {query} : /^[ -~]*$/.test(key) ? {query, headers: {'Idempotency-Key': header}} : {query: {...query, key}};
}

/** Returns the different keys of a list with one on each line. */
export function keysOfLines(text: string): string[] {
  return [...new Set(text.split(/\r?\n/).map(line => line.trim()).filter(Boolean))];
}

/** Returns the different keys of a CSV file: of its column `key`, or of its first one. The first line has the names of the columns. */
export function keysOfFile(text: string): string[] {
  const [separator = 'comma'] = separatorsOf(text);
  const [header = [], ...rows] = firstRows(text.replace(/^\uFEFF/, ''), separator in SEPARATORS ? separator : 'comma', Infinity);
  const place = Math.max(0, header.findIndex(name => name.trim().toLowerCase() === 'key'));
  return [...new Set(rows.map(row => row[place]?.trim() ?? '').filter(Boolean))];
}
