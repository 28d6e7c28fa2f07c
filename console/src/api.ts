import {access, refuse} from './access.ts';
import {CALLS, SIGNED, type Call} from './calls.ts';

/** A request to the service. */
export interface Ask {
  readonly call: Call;
  /** What stands in the path: scope, name, id. */
  readonly path?: Readonly<Record<string, string>>;
  /** What is undefined or empty is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or a file as it stands, with its type; anything else as JSON. */
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
}

export interface Reply<T> {
  readonly status: number;
  readonly body: T;
  readonly etag: string;
  readonly headers: Headers;
}

export interface FieldError {
  readonly field: string;
  readonly reason: string;
}

/** Why a call was refused or had no answer, in the words of the problem's detail. */
export class Problem extends Error {
  constructor(
    readonly ask: Ask,
    /** 0 where there was no answer. */
    readonly status: number,
    /** The last word of the problem's type, such as `texts-could-repeat`. */
    readonly type: string,
    readonly title: string,
    detail: string,
    readonly members: Readonly<Record<string, any>> = {},
    readonly etag = '',
  ) {
    super(detail);
  }

  get errors(): readonly FieldError[] {
    return this.members['errors'] ?? [];
  }
}

const JSON_TYPE = 'application/json';
/** The page is served beside the calls, whatever stands before both. */
const BASE = location.origin + location.pathname.replace(/\/console$/, '');

function parts(ask: Ask): [method: string, address: string] {
  const [method, template] = CALLS[ask.call].split(' ') as [string, string];
  const path = template.replace(/\{(\w+)}/g, (_, name) => encodeURIComponent(ask.path?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(ask.query ?? {})) {
    if (value !== undefined && value !== '') {
      query.set(name, String(value));
    }
  }
  return [method, BASE + path + (query.size ? `?${query}` : '')];
}

function headers(ask: Ask): Record<string, string> {
  const {actor} = access.get();
  return {
    ...(ask.accept ? {Accept: ask.accept} : {}),
    ...(ask.body === undefined ? {} : {'Content-Type': ask.type ?? JSON_TYPE}),
    ...(actor && SIGNED.has(ask.call) ? {'Numera-Actor': actor} : {}),
    ...ask.headers,
  };
}

function body(ask: Ask): string | File | undefined {
  if (ask.body === undefined || ask.body instanceof File) {
    return ask.body;
  }
  return typeof ask.body === 'string' && ask.type ? ask.body : write(ask.body);
}

/** Numbers beyond 2^53 are BigInts here, so that none is rounded on its way through the page. */
export function write(value: unknown): string {
  const numbers = new Map<string, string>();
  const text = JSON.stringify(value, (_, part) => {
    if (typeof part !== 'bigint') {
      return part;
    }
    const mark = `bigint:${numbers.size}:${crypto.randomUUID()}`;
    numbers.set(`"${mark}"`, String(part));
    return mark;
  });
  return [...numbers].reduce((all, [mark, number]) => all.replace(mark, number), text);
}

type Source = {source?: string};

export function read(text: string): any {
  const exact = (_: string, value: unknown, context?: Source) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context!.source!) : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
}

/**
 * Makes a call.
 *
 * @throws Problem where it is refused or not answered
 */
export async function send<T>(ask: Ask, signal?: AbortSignal): Promise<Reply<T>> {
  const {key} = access.get();
  const response = await answered(ask, key, signal);
  const text = await response.text();
  const isJson = (response.headers.get('Content-Type') ?? '').includes('json');
  const content = isJson && text ? read(text) : text;
  if (response.ok) {
    return {status: response.status, body: content, etag: response.headers.get('ETag') ?? '', headers: response.headers};
  }
  throw response.status === 401 ? unauthorized(ask, key) : problem(ask, response, content);
}

async function answered(ask: Ask, key: string, signal?: AbortSignal): Promise<Response> {
  const [method, address] = parts(ask);
  try {
    return await fetch(address, {
      method,
      headers: {...headers(ask), ...(key ? {'x-functions-key': key} : {})},
      body: body(ask),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal,
    });
  } catch (e) {
    if (signal?.aborted) {
      throw e;
    }
    throw new Problem(ask, 0, 'no-answer', 'No answer',
      `The service did not answer (${e instanceof Error ? e.message : e}). Check that it runs and that you are online, then try again.`);
  }
}

/** The pages of a list, one after the other. */
export async function* pagesOf<P>(ask: Ask, signal?: AbortSignal): AsyncGenerator<P> {
  let continuation: string | undefined;
  do {
    const {body} = await send<any>({...ask, query: {...ask.query, continuation}}, signal);
    yield body;
    continuation = body.continuation;
  } while (continuation);
}

/** All rows of a list, with as many calls as it has pages. */
export async function allOf<R>(ask: Ask, rowsOf: (page: any) => readonly R[], signal?: AbortSignal): Promise<R[]> {
  const rows: R[] = [];
  for await (const page of pagesOf(ask, signal)) {
    rows.push(...rowsOf(page));
  }
  return rows;
}

function unauthorized(ask: Ask, key: string): Problem {
  refuse(ask.call, key);
  const why = key
    ? `This key does not open the function ${ask.call}. Enter one that does, or ask the operator for its rights.`
    : `This call needs a function key. Enter one that opens the function ${ask.call}.`;
  return new Problem(ask, 401, 'unauthorized', key ? 'The key does not open this' : 'A key is needed', why);
}

function problem(ask: Ask, response: Response, content: any): Problem {
  if (typeof content !== 'object' || !content?.type) {
    return new Problem(ask, response.status, 'http', `HTTP ${response.status}`,
      `The answer was ${response.status}, and not one of the service itself: something between this page and it refused the call.`);
  }
  return new Problem(ask, response.status, String(content.type).split(':').pop()!, content.title ?? '',
    content.detail ?? content.title ?? '', content, response.headers.get('ETag') ?? content.etag ?? '');
}

/**
 * Finds out whether the key that was entered opens a function: asked with a parameter that no call knows. That is refused before anything
 * is done, but the host looks at the key first, and what it refuses is remembered like any call of its kind.
 */
export async function askForRights(call: Call): Promise<void> {
  try {
    await send({call, path: {scope: 'console', name: 'rights', id: 'rights'}, query: {rights: 'asked'}});
  } catch {
    // The answer is always a refusal, of the parameter or of the key; whatever else there is, the call itself will tell.
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same request for a terminal. The key stays out of it: `$KEY` stands in its place. */
export function asCurl(ask: Ask): string {
  const [method, address] = parts(ask);
  const text = body(ask);
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quoted(address),
    ...(access.get().key ? ['-H "x-functions-key: $KEY"'] : []),
    ...Object.entries(headers(ask)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(method === 'POST' && text === undefined ? ["-H 'Content-Length: 0'"] : []),
    ...(text === undefined ? [] : [`--data-binary ${quoted(text instanceof File ? `@${text.name}` : text)}`]),
  ].join(' ');
}
