import {access, accepted, refuse} from './access.ts';
import {CALLS, changes, DOES, SIGNED, type Call} from './calls.ts';
import type {Refusal} from './problems.ts';

type QueryValue = string | number | boolean | undefined;

/** The bytes of a file in base64. The Functions host would replace bytes that are not UTF-8. */
export class FileBytes {
  constructor(
    /** Identifies the file where requests are compared. */
    readonly id: string,
    readonly base64: string,
    /** The name of the file; undefined for pasted text. */
    readonly name?: string,
  ) {}

  toJSON(): string {
    return this.id;
  }
}

/** A request to the service. */
export interface ApiRequest {
  readonly call: Call;
  /** The parameters of the path: scope, name, id. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query parameters. Undefined and empty values are left out; a parameter with several values is repeated. */
  readonly query?: Readonly<Record<string, QueryValue | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body: a string with a type is sent unchanged, the bytes of a file in base64; anything else is sent as JSON. */
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

/** A call that was refused or not answered. Its message is the service's detail, which is for programs. People read `saidOf`. */
export class Problem extends Error {
  constructor(
    readonly request: ApiRequest,
    /** The HTTP status; 0 if no answer arrived. */
    readonly status: number,
    /** The last part of the problem's type, such as `texts-could-repeat`. */
    readonly type: string,
    readonly title: string,
    detail: string,
    readonly members: Readonly<Record<string, any>> = {},
    readonly etag = '',
  ) {
    super(detail);
  }

  get refusal(): Refusal {
    return {...this.members, call: this.request.call, type: this.type, title: this.title, detail: this.message};
  }
}

const JSON_TYPE = 'application/json';
/** The address of the API. The service serves the page under the same prefix as the calls. */
const BASE = location.origin + location.pathname.replace(/\/console$/, '');

function parts(request: ApiRequest): [method: string, address: string] {
  const [method, template] = CALLS[request.call].split(' ') as [string, string];
  if (Object.values(request.path ?? {}).some(value => value === '.' || value === '..')) {
    // A browser would resolve the dots as steps in the path, and call another function.
    throw new Problem(request, 0, 'unknown-sequence', '', 'No sequence can have this name.');
  }
  const path = template.replace(/\{(\w+)}/g, (_, name) => encodeURIComponent(request.path?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(request.query ?? {})) {
    for (const value of [values].flat()) {
      if (value !== undefined && value !== '') {
        query.append(name, String(value));
      }
    }
  }
  return [method, BASE + path + (query.size ? `?${query}` : '')];
}

function headers(request: ApiRequest): Record<string, string> {
  const actor = access.get().actor.trim();
  return {
    ...(request.accept ? {Accept: request.accept} : {}),
    ...(request.body === undefined ? {} : {'Content-Type': request.type ?? JSON_TYPE}),
    ...(request.body instanceof FileBytes ? {'Content-Transfer-Encoding': 'base64'} : {}),
    ...(actor && SIGNED.has(request.call) ? {'Numera-Actor': encodeURIComponent(actor)} : {}),
    ...request.headers,
  };
}

function body(request: ApiRequest): string | undefined {
  if (request.body === undefined || request.body instanceof FileBytes) {
    return request.body?.base64;
  }
  return typeof request.body === 'string' && request.type ? request.body : write(request.body);
}

/** Writes JSON. Numbers beyond 2^53 are BigInts in this page, so that none is rounded. */
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
 * @throws Problem the service refused the call or did not answer
 */
export async function send<T>(request: ApiRequest, signal?: AbortSignal): Promise<Reply<T>> {
  const {key} = access.get();
  const response = await answered(request, key, signal);
  if (response.status !== 401) {
    accepted.add(key);
  }
  const text = await response.text();
  const isJson = (response.headers.get('Content-Type') ?? '').includes('json');
  const content = isJson && text ? read(text) : text;
  if (response.ok) {
    return {status: response.status, body: content, etag: response.headers.get('ETag') ?? '', headers: response.headers};
  }
  throw response.status === 401 ? await unauthorized(request, key) : problem(request, response, content);
}

/** A token of three parts goes to a gateway; anything else is a function key. `written` may stand for the key. */
function credential(key: string, written = key): Record<string, string> {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(key) ? {Authorization: `Bearer ${written}`} : key ? {'x-functions-key': written} : {};
}

/** Whether a request has a key, so that repeating it gets the same numbers. */
function isKeyed({headers, query}: ApiRequest): boolean {
  return !!headers?.['Idempotency-Key'] || !!query?.['key'];
}

async function answered(request: ApiRequest, key: string, signal?: AbortSignal): Promise<Response> {
  const [method, address] = parts(request);
  try {
    return await fetch(address, {
      method,
      headers: {...headers(request), ...credential(key)},
      body: body(request),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal,
    });
  } catch (e) {
    if (signal?.aborted) {
      throw e;
    }
    const isChange = changes(request.call);
    throw new Problem(request, 0, isChange ? 'unanswered' : 'no-answer', '', e instanceof Error ? e.message : String(e), isChange ? {call: request.call, isKeyed: isKeyed(request)} : {});
  }
}

/** Yields the pages of a list, one after the other. */
export async function* pagesOf<P>(request: ApiRequest, signal?: AbortSignal): AsyncGenerator<P> {
  let {continuation} = request.query ?? {};
  do {
    const {body} = await send<any>({...request, query: {...request.query, continuation}}, signal);
    yield body;
    continuation = body.continuation;
  } while (continuation);
}

/** Reads all rows of a list, with one call for each page. */
export async function allOf<R>(request: ApiRequest, rowsOf: (page: any) => readonly R[], signal?: AbortSignal): Promise<R[]> {
  const rows: R[] = [];
  for await (const page of pagesOf(request, signal)) {
    rows.push(...rowsOf(page));
  }
  return rows;
}

async function unauthorized(request: ApiRequest, key: string): Promise<Problem> {
  refuse(request.call, key);
  const of = {call: request.call, does: DOES[request.call]};
  const type = !key ? 'no-key' : await isAccepted(key) === false ? 'wrong-key' : 'key-lacks-permission';
  return new Problem(request, 401, type, '', `HTTP 401 from the function ${request.call}`, of);
}

function problem(request: ApiRequest, response: Response, content: any): Problem {
  if (typeof content !== 'object' || !content?.type) {
    return new Problem(request, response.status, 'http', '', `HTTP ${response.status}`, {status: response.status});
  }
  return new Problem(request, response.status, String(content.type).split(':').pop()!, content.title ?? '',
    content.detail ?? content.title ?? '', content, response.headers.get('ETag') ?? content.etag ?? '');
}

/**
 * Checks whether the current key opens a function. The call has a parameter that no function knows, so the service refuses it before it
 * does anything. The host checks the key first, so an answer of 401 means that the key lacks permission.
 */
export async function probeRights(call: Call): Promise<void> {
  try {
    const {key} = access.get();
    if ((await answered(probe(call), key)).status === 401) {
      refuse(call, key);
    }
  } catch {
    // The real call will show any other failure.
  }
}

function probe(call: Call): ApiRequest {
  return {call, path: {scope: 'console', name: 'rights', id: 'rights'}, query: {rights: 'asked'}};
}

const asked = new Map<string, Promise<boolean | undefined>>();

/**
 * Whether any function accepts a key; undefined if the service cannot be reached. Simultaneous questions about a key are asked once. Only an
 * accepted key is remembered: an operator may create the key, or restore it, after it was refused.
 */
export function isAccepted(key: string): Promise<boolean | undefined> {
  if (accepted.has(key)) {
    return Promise.resolve(true);
  }
  const answer = asked.get(key) ?? tryEach(key).finally(() => asked.delete(key));
  asked.set(key, answer);
  return answer;
}

async function tryEach(key: string): Promise<boolean | undefined> {
  try {
    for (const call of Object.keys(CALLS) as Call[]) {
      if ((await answered(probe(call), key)).status !== 401) {
        accepted.add(key);
        return true;
      }
    }
    return false;
  } catch {
    return undefined;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the request as a curl command, with `$KEY` in place of the key. */
export function asCurl(request: ApiRequest): string {
  const [method, address] = parts(request);
  const text = body(request);
  const file = request.body instanceof FileBytes ? request.body.name : undefined;
  return [
    ...(file ? [`base64 < ${quoted(file)} |`] : []),
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quoted(address),
    ...Object.entries(credential(access.get().key, '$KEY')).map(([name, value]) => `-H "${name}: ${value}"`),
    ...Object.entries(headers(request)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(method === 'POST' && text === undefined ? ["-H 'Content-Length: 0'"] : []),
    ...(text === undefined ? [] : [file ? '--data-binary @-' : `--data-raw ${quoted(text)}`]),
  ].join(' ');
}
