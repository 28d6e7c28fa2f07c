import {send, type ApiRequest} from './api.ts';

/** Makes Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Saves a file in the browser. */
export function save(name: string, csv: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, ...csv], {type: 'text/csv;charset=utf-8'}));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Waits before the removal, because the browser may not have started to read the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Reads all pages of a table, with the header line only once. Reports the number of pages after each. */
export async function csvPages(request: ApiRequest, report: (pages: number) => void, signal: AbortSignal): Promise<string[]> {
  const pages: string[] = [];
  let next: ApiRequest | undefined = {...request, accept: 'text/csv'};
  while (next) {
    const {body, headers} = await send<string>(next, signal);
    pages.push(pages.length ? withoutColumns(body) : body);
    report(pages.length);
    next = following(next, headers.get('Link'));
  }
  return pages;
}

function withoutColumns(csv: string): string {
  return csv.slice(csv.indexOf('\n') + 1);
}

/** Returns the request for the next page, as the Link header states it. */
function following(request: ApiRequest, link: string | null): ApiRequest | undefined {
  const [, address] = /<([^>]*)>; *rel="?next"?/.exec(link ?? '') ?? [];
  return address === undefined ? undefined
    : {...request, query: Object.fromEntries(new URL(address, 'http://next/').searchParams)};
}

/** Returns a file name that is valid on every file system. */
export function fileName(...parts: readonly string[]): string {
  return `${parts.filter(Boolean).join('-').replace(/[^\w.~-]/g, '_')}.csv`;
}
