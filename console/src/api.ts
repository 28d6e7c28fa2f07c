import {access, accepted, refuse} from './access.ts';
import {CALLS, DOES, SIGNED, type Call} from './calls.ts';
import type {Refusal} from './problems.ts';

/** A request to the service. */
export interface ApiRequest {
  readonly call: Call;
  /** The values of the path: scope, name, id. */
  readonly path?: Readonly<Record<string, string>>;
  /** What is undefined or empty is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or a file unchanged, with its type; anything else as JSON. */
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

/** Why a call was refused or had no answer. Its message is the detail of the service, which is for programs: people read `saidOf`. */
export class Problem extends Error {
  constructor(
    readonly request: ApiRequest,
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

  get refusal(): Refusal {
    return {...this.members, type: this.type, title: this.title, detail: this.message};
  }
}

const JSON_TYPE = 'application/json';
/** The page is served beside the calls, under any prefix. */
const BASE = location.origin + location.pathname.replace(/\/console$/, '');

function parts(request: ApiRequest): [method: string, address: string] {
  const [method, template] = CALLS[request.call].split(' ') as [string, string];
  if (Object.values(request.path ?? {}).some(value => value === '.' || value === '..')) {
    // A browser would take it for a step in the path, and so make another call.
    throw new Problem(request, 0, 'unknown-sequence', '', 'No sequence can have this name.');
  }
  const path = template.replace(/\{(\w+)}/g, (_, name) => encodeURIComponent(request.path?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== '') {
      query.set(name, String(value));
    }
  }
  return [method, BASE + path + (query.size ? `?${query}` : '')];
}

function headers(request: ApiRequest): Record<string, string> {
  const {actor} = access.get();
  return {
    ...(request.accept ? {Accept: request.accept} : {}),
    ...(request.body === undefined ? {} : {'Content-Type': request.type ?? JSON_TYPE}),
    ...(actor && SIGNED.has(request.call) ? {'Numera-Actor': encodeURIComponent(actor)} : {}),
    ...request.headers,
  };
}

function body(request: ApiRequest): string | File | undefined {
  if (request.body === undefined || request.body instanceof File) {
    return request.body;
  }
  return typeof request.body === 'string' && request.type ? request.body : write(request.body);
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

async function answered(request: ApiRequest, key: string, signal?: AbortSignal): Promise<Response> {
  const [method, address] = parts(request);
  try {
    return await fetch(address, {
      method,
      headers: {...headers(request), ...(key ? {'x-functions-key': key} : {})},
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
    throw new Problem(request, 0, 'no-answer', '', e instanceof Error ? e.message : String(e));
  }
}

/** The pages of a list, one after the other. */
export async function* pagesOf<P>(request: ApiRequest, signal?: AbortSignal): AsyncGenerator<P> {
  let continuation: string | undefined;
  do {
    const {body} = await send<any>({...request, query: {...request.query, continuation}}, signal);
    yield body;
    continuation = body.continuation;
  } while (continuation);
}

/** All rows of a list, with as many calls as it has pages. */
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
 * Finds out whether the present key opens a function, by a call with a parameter that no function knows. That is refused before anything
 * is done, but the host looks at the key first, and what it refuses is remembered like any call of its kind.
 */
export async function probeRights(call: Call): Promise<void> {
  try {
    const {key} = access.get();
    if ((await answered(probe(call), key)).status === 401) {
      refuse(call, key);
    }
  } catch {
    // Any other failure shows when the call itself is made.
  }
}

function probe(call: Call): ApiRequest {
  return {call, path: {scope: 'console', name: 'rights', id: 'rights'}, query: {rights: 'asked'}};
}

const asked = new Map<string, Promise<boolean | undefined>>();

/** Whether any call takes a key; undefined where the service cannot be reached. Each key is tried once. */
export function isAccepted(key: string): Promise<boolean | undefined> {
  if (accepted.has(key)) {
    return Promise.resolve(true);
  }
  const answer = asked.get(key) ?? tryEach(key);
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
    asked.delete(key);
    return undefined;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same request for a terminal. `$KEY` takes the place of the key. */
export function asCurl(request: ApiRequest): string {
  const [method, address] = parts(request);
  const text = body(request);
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quoted(address),
    ...(access.get().key ? ['-H "x-functions-key: $KEY"'] : []),
    ...Object.entries(headers(request)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(method === 'POST' && text === undefined ? ["-H 'Content-Length: 0'"] : []),
    ...(text === undefined ? [] : [text instanceof File ? `--data-binary ${quoted(`@${text.name}`)}` : `--data-raw ${quoted(text)}`]),
  ].join(' ');
}
