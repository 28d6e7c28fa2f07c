// Allocates numbers with Numera and handles failures on the way. Needs only fetch: Node 22 or later, or a browser.
//
// A call is repeated with the same key in three cases: its answer is lost, a proxy on the way answers 408, 429 or 5xx, or Numera
// itself answers with a Retry-After. No other failure is retried.

const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
const NUMERA = 'urn:problem-type:numera:';
const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 30;
const LONGEST_RETRY_AFTER_SECONDS = 60;
const PAGE = 1000;
// Keys that a header carries unchanged. Any other key is sent as a parameter, and so is a key in quotes, which a header would lose.
const PLAIN_KEY = /^[!#-~]([ !#-~]*[!#-~])?$/;

/** A refusal: the same request would not succeed now. */
export class NumeraProblem extends Error {
  /** @param {number} status @param {object} fields @param {number} [retryAfterSeconds] */
  constructor(status, fields, retryAfterSeconds) {
    super(fields.detail ?? fields.title ?? `The server answered ${status}.`);
    this.name = 'NumeraProblem';
    this.status = status;
    this.type = fields.type;
    this.kind = fields.type?.startsWith(NUMERA) ? fields.type.slice(NUMERA.length) : undefined;
    this.title = fields.title;
    this.detail = fields.detail;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = fields;
  }
}

/** No usable answer arrived before the deadline, so it is unknown whether a number was allocated. The same call returns it later. */
export class NumeraUnavailable extends Error {
  constructor(message, attempts, status, cause) {
    super(message, { cause });
    this.name = 'NumeraUnavailable';
    this.attempts = attempts;
    this.status = status;
  }
}

export class Numera {
  #url;
  #headers;
  #tryForSeconds;
  #answerWithinSeconds;
  #waitForSeconds;
  #clock;

  constructor({ url, functionKey, token, rights, tryForSeconds = 120, answerWithinSeconds = 30, waitForSeconds = 900, clock = SYSTEM_CLOCK }) {
    this.#url = String(url).replace(/\/+$/, '');
    this.#headers = async () => ({
      ...(functionKey && { 'x-functions-key': functionKey }),
      ...(rights !== undefined && { 'Numera-Rights': rights }),
      ...(token && { Authorization: `Bearer ${await token()}` }),
    });
    this.#tryForSeconds = tryForSeconds;
    this.#answerWithinSeconds = answerWithinSeconds;
    this.#waitForSeconds = waitForSeconds;
    this.#clock = clock;
  }

  /** Returns the next numbers. The same key always gets the same numbers. */
  async next(sequence, { key, count, date, reserve } = {}) {
    if (key !== undefined) requireText('key', key);
    const inHeader = key !== undefined && PLAIN_KEY.test(key);
    const headers = inHeader ? { 'Idempotency-Key': key } : {};
    const query = { key: inHeader ? undefined : key, count, date, reserve };
    return (await this.#send('POST', path(sequence, 'next'), { query, headers })).body;
  }

  /** Reserves numbers until the key is confirmed or voided. */
  async reserve(sequence, key, { count, date } = {}) {
    requireText('key', key);
    return this.next(sequence, { key, count, date, reserve: true });
  }

  /** Issues the reserved numbers of a key. */
  async confirm(sequence, key, { actor } = {}) {
    return (await this.#setStatus(sequence, { key, status: 'issued' }, actor)).body;
  }

  /** Voids the numbers of a key permanently. Also succeeds if they are void already, for whatever reason. */
  async voidNumbers(sequence, key, reason, { actor } = {}) {
    try {
      return (await this.#setStatus(sequence, { key, status: 'void', reason }, actor)).body;
    } catch (e) {
      if (e instanceof NumeraProblem && e.kind === 'status-final' && e.fields.allocation?.status === 'void') {
        return e.fields.allocation;
      }
      throw e;
    }
  }

  /** Numbers a list (an array of keys or the text of a CSV file) and yields each key with its numbers or its problem. */
  batch(sequence, id, list, { date, reserve, keyColumn, dateColumn, separator } = {}) {
    const upload =
      typeof list === 'string'
        ? csv(id, list, { date, reserve, keyColumn, dateColumn, separator })
        : json({ id, keys: [...list], date, reserve });
    return this.#rowsOf(sequence, 'batches', id, upload, {}, 'allocations');
  }

  /** Imports numbers of another system (an array of rows or the text of a CSV file) and yields the result of each row. */
  importNumbers(sequence, id, list, { actor, onlyRefused, separator, ...columns } = {}) {
    const upload = typeof list === 'string' ? csv(id, list, { ...columns, separator }) : { ...json({ rows: [...list] }), query: { ...columns, separator } };
    upload.headers = { ...upload.headers, 'Idempotency-Key': id, ...actorHeader(actor) };
    return this.#rowsOf(sequence, 'imports', id, upload, { outcome: onlyRefused ? 'refused' : undefined }, 'rows');
  }

  /** Yields the entries of the ledger that the filter selects; without a filter, all entries of today's period. */
  ledger(sequence, filter = {}) {
    return this.#pages(path(sequence, 'ledger'), { limit: PAGE, ...filter }, 'entries');
  }

  #setStatus(sequence, body, actor) {
    const { headers, ...rest } = json(body);
    return this.#send('POST', path(sequence, 'status'), { ...rest, headers: { ...headers, ...actorHeader(actor) } });
  }

  async *#rowsOf(sequence, kind, id, upload, query, property) {
    requireText('id', id);
    const { body } = await this.#send('POST', path(sequence, kind), upload);
    const location = path(sequence, `${kind}/${encodeURIComponent(body.id)}`);
    const first = await this.#finished(location, { limit: PAGE, ...query }, body.status === 'pending' ? 1 : 0);
    yield* this.#pages(location, { limit: PAGE, ...query }, property, first);
  }

  async #finished(location, query, firstWaitSeconds) {
    const deadline = this.#clock.now() + this.#waitForSeconds;
    for (let waitSeconds = firstWaitSeconds; ; ) {
      if (this.#clock.now() + waitSeconds > deadline) {
        throw new NumeraUnavailable(`${location} is not done after ${this.#waitForSeconds} s. Send the same list again later.`);
      }
      await this.#clock.sleep(waitSeconds);
      const { status, body, retryAfterSeconds } = await this.#send('GET', location, { query });
      if (status !== 202) return body;
      waitSeconds = Math.min(retryAfterSeconds ?? 1, LONGEST_RETRY_AFTER_SECONDS);
    }
  }

  async *#pages(location, query, property, first) {
    let page = first ?? (await this.#send('GET', location, { query })).body;
    yield* page[property];
    while (page.continuation !== undefined) {
      page = (await this.#send('GET', location, { query: { ...query, continuation: page.continuation } })).body;
      yield* page[property];
    }
  }

  async #send(method, location, { query, headers, body } = {}) {
    const deadline = this.#clock.now() + this.#tryForSeconds;
    for (let attempts = 1; ; attempts++) {
      const left = deadline - this.#clock.now();
      const request = new Request(this.#url + location + search(query), {
        method,
        body,
        headers: { ...headers, ...(await this.#headers()) },
        // A redirect would turn POST into GET.
        redirect: 'manual',
        cache: 'no-store',
        signal: AbortSignal.timeout(Math.ceil(1000 * Math.min(this.#answerWithinSeconds, left))),
      });
      let answer;
      let cause;
      try {
        answer = await read(await fetch(request), this.#clock);
        if (answer.ok) return answer;
      } catch (e) {
        // No complete answer arrived. The result is unknown; a retry with the same key is safe.
        cause = e;
      }
      if (answer && !isRetried(answer)) throw problemOf(answer);
      const waitSeconds = wait(attempts, answer?.retryAfterSeconds);
      const isTimeLeft = this.#clock.now() + waitSeconds < deadline;
      if (isTimeLeft) await this.#clock.sleep(waitSeconds);
      // The wait may have taken longer, for example if the machine was suspended.
      if (!isTimeLeft || this.#clock.now() >= deadline) {
        if (answer?.isNumera) throw problemOf(answer);
        const last = answer ? `The last answer was ${answer.status}.` : `The last failure: ${cause.cause?.message ?? cause.message}`;
        const message = `${method} ${location} got no usable answer in ${attempts} attempts. Send it again later, with the same key. ${last}`;
        throw new NumeraUnavailable(message, attempts, answer?.status, cause);
      }
    }
  }
}

const SYSTEM_CLOCK = {
  now: () => performance.now() / 1000,
  sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds)),
};

async function read(response) {
  const text = await response.text();
  const isProblem = (response.headers.get('content-type') ?? '').startsWith('application/problem+json');
  const body = response.ok || isProblem ? jsonObject(text) : { detail: text.slice(0, 500) || undefined };
  return {
    ok: response.ok,
    status: response.status,
    body,
    isNumera: isProblem && String(body.type).startsWith(NUMERA),
    retryAfterSeconds: retryAfter(response.headers.get('retry-after')),
  };
}

function jsonObject(text) {
  const value = JSON.parse(text);
  if (value?.constructor !== Object) throw new SyntaxError('The answer is no JSON object.');
  return value;
}

/** Returns the seconds that the header states; it may contain a date. */
function retryAfter(header) {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}

function isRetried({ status, isNumera, retryAfterSeconds }) {
  return isNumera ? status === 503 && retryAfterSeconds !== undefined : RETRIED.has(status);
}

/** Returns the pause before the next attempt. It has a random part, so that many callers do not retry at the same time. */
function wait(attempts, retryAfterSeconds) {
  return retryAfterSeconds === undefined
    ? Math.min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), LONGEST_WAIT_SECONDS) * (0.5 + Math.random() / 2)
    : Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS) + Math.random() / 2;
}

function problemOf({ status, body, isNumera, retryAfterSeconds }) {
  const detail = status === 401 ? 'The function key or token is missing, or is not accepted.' : body.detail;
  return new NumeraProblem(status, isNumera ? body : { ...body, detail }, retryAfterSeconds);
}

/** Refuses null, which would become the string "null" in a header or a query: one key for every document without a key. */
function requireText(what, value) {
  if (typeof value !== 'string' || !value.isWellFormed()) {
    throw new TypeError(`The ${what} must be a string of whole characters, not ${JSON.stringify(value)}.`);
  }
}

function path(sequence, call) {
  const [scope, name, ...rest] = sequence.split('/');
  if (!scope || !name || rest.length > 0) {
    throw new TypeError(`A sequence is named 'scope/name', such as 'App1/invoice', not '${sequence}'.`);
  }
  return `/sequences/${encodeURIComponent(scope)}/${encodeURIComponent(name)}/${call}`;
}

function search(query = {}) {
  const stated = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const parameters = stated.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return stated.length === 0 ? '' : `?${parameters.join('&')}`;
}

function json(body) {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

function csv(id, body, query) {
  return { headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': id }, body, query };
}

function actorHeader(actor) {
  return actor === undefined ? {} : { 'Numera-Actor': encodeURIComponent(actor) };
}
