// Allocates numbers with Numera and handles failures on the way. Needs only fetch: Node 22 or later, or a browser.
//
// A call is repeated with the same key in three cases: its answer is lost, a proxy on the way answers 408, 429 or 5xx, or Numera
// itself answers with a Retry-After. No other failure is retried. What no retry can correct fails before anything is sent.

const VERSION = '0.3.0-SNAPSHOT';
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
const NUMERA = 'urn:problem-type:numera:';
const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 30;
const LONGEST_RETRY_AFTER_SECONDS = 60;
const LAST_ATTEMPT_SECONDS = 1;
const PAGE = 1000;
// Keys that a header carries unchanged. Any other key is sent as a parameter, and so is a key in quotes, which a header would lose.
const PLAIN = /^[!#-~]([ !#-~]*[!#-~])?$/;
const HEADER = /^[!-~]([ -~]*[!-~])?$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
// Date.parse takes '1.5' and '-1' for dates as well.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const FIRST_OF_MONTH = /^\d{2}-01$/;
// Failures of TLS, which a retry repeats: a wrong certificate, or a server that does not speak TLS.
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO|HOSTNAME_MISMATCH)/;

/** A refusal: the same request would not succeed now. */
export class NumeraProblem extends Error {
  /** @param {number} status @param {object} fields @param {number} [retryAfterSeconds] */
  constructor(status, fields, retryAfterSeconds) {
    // Another server's fields may have any type.
    const [type, title, detail] = [fields.type, fields.title, fields.detail].map((value) => (typeof value === 'string' ? value : undefined));
    super(detail ?? title ?? `The server answered ${status}.`);
    this.name = 'NumeraProblem';
    this.status = status;
    this.type = type;
    this.kind = type?.startsWith(NUMERA) ? type.slice(NUMERA.length) : undefined;
    this.title = title;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = fields;
  }
}

/** No usable answer arrived before the deadline, so it is unknown whether a number was allocated. With a key, the same call returns it later. */
export class NumeraUnavailable extends Error {
  constructor(message, attempts, status, cause) {
    super(message, { cause });
    this.name = 'NumeraUnavailable';
    this.attempts = attempts;
    this.status = status;
  }
}

/** A sequence has another definition than the program declares. Nothing was changed. */
export class NumeraDifference extends Error {
  /** @param {string} sequence @param {{ field: string, stored: unknown, wanted: unknown }[]} differences */
  constructor(sequence, differences) {
    const listed = differences.map(({ field, stored, wanted }) => `${field} is ${JSON.stringify(stored)}, not ${JSON.stringify(wanted)}`);
    super(`${sequence} is defined otherwise: ${listed.join('; ')}. Nothing was changed.`);
    this.name = 'NumeraDifference';
    this.differences = differences;
  }
}

const isBoolean = [(value) => typeof value === 'boolean', 'true or false'];
const isNumber = [Number.isSafeInteger, 'a whole number'];
const isSeconds = [(value) => typeof value === 'number' && value > 0, 'a positive number'];
const isFunction = [(value) => typeof value === 'function', 'a function'];
const isDate = [(value) => typeof value === 'string' && DATE.test(value), "a string such as '2026-11-21'"];
const isText = [(value) => typeof value === 'string' && value !== '' && value.isWellFormed() && !CONTROL.test(value), 'a string of printable characters, and not empty'];
const isHeader = [(value) => typeof value === 'string' && HEADER.test(value), 'printable ASCII without a blank at either end'];
const isPlain = [(value) => typeof value === 'string' && PLAIN.test(value), 'ASCII without quotes'];
const isKeys = [(value) => typeof value === 'object' && typeof value?.[Symbol.iterator] === 'function', 'an array'];

const isDefinition = [
  (value) => typeof value === 'object' && value !== null && !Object.values(value).includes(null),
  'an object without null: leave out what may have any value',
];

// The field by which an answer of Numera is told from an object of another server, and what its value is.
const HAS_NUMBERS = ['first', Number.isInteger];
const HAS_ID = ['id', (value) => typeof value === 'string'];
const HAS_DEFINITION = ['guarantee', (value) => typeof value === 'string'];

const OF_A_CALL = { signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'], tryForSeconds: isSeconds };
const OF_A_LIST = { ...OF_A_CALL, actor: isText, waitForSeconds: isSeconds };
const OPTIONS = {
  Numera: {
    url: [isAddress, "such as 'https://APP.azurewebsites.net/api'"],
    functionKey: [(value) => value === '' || isHeader[0](value), isHeader[1]],
    token: isFunction,
    rights: isHeader,
    tryForSeconds: isSeconds,
    answerWithinSeconds: isSeconds,
    waitForSeconds: isSeconds,
    fetch: isFunction,
    onRetry: isFunction,
    clock: [(value) => typeof value === 'object', 'a clock'],
  },
  next: { ...OF_A_CALL, count: isNumber, date: isDate, actor: isText },
  reserve: { ...OF_A_CALL, count: isNumber, date: isDate, actor: isText },
  nextWithoutKey: { ...OF_A_CALL, count: isNumber, date: isDate, actor: isText },
  confirm: { ...OF_A_CALL, actor: isText },
  voidNumbers: { ...OF_A_CALL, actor: isText },
  define: { ...OF_A_CALL, actor: isText },
  state: { ...OF_A_CALL, date: isDate },
  check: { ...OF_A_CALL, from: isNumber, to: isNumber, date: isDate, dateFrom: isDate, dateTo: isDate, reservedBefore: isText },
  parse: OF_A_CALL,
  find: { ...OF_A_CALL, scope: isText },
  closings: OF_A_CALL,
  batch: { ...OF_A_LIST, date: isDate, reserve: isBoolean },
  importNumbers: { ...OF_A_LIST, onlyRefused: isBoolean, dryRun: isBoolean },
  ledger: {
    ...OF_A_CALL,
    from: isNumber,
    to: isNumber,
    text: isText,
    key: isText,
    keyPrefix: isText,
    date: isDate,
    dateFrom: isDate,
    dateTo: isDate,
    status: isText,
    actor: isText,
    reason: isText,
    order: isText,
    limit: isNumber,
  },
};
const ROW = { key: isText, number: isNumber, text: isText, date: isDate, status: isText, reason: isText };

export class Numera {
  #url;
  #headers;
  #settings;

  constructor(options) {
    const { url, functionKey, token, rights, ...settings } = checked('Numera', options);
    if (url === undefined) throw new TypeError(`Numera: the url must be ${OPTIONS.Numera.url[1]}.`);
    this.#url = String(url).replace(/\/+$/, '');
    this.#headers = async () => ({
      // A browser sends its own.
      ...(globalThis.process?.versions?.node && { 'User-Agent': `numera-javascript/${VERSION}` }),
      ...(functionKey && { 'x-functions-key': functionKey }),
      ...(rights && { 'Numera-Rights': rights }),
      ...(token && { Authorization: `Bearer ${required('token', await token(), isHeader)}` }),
    });
    const defaults = { tryForSeconds: 120, answerWithinSeconds: 30, waitForSeconds: 900, fetch: globalThis.fetch, onRetry: () => {}, clock: SYSTEM_CLOCK };
    this.#settings = { ...defaults, ...settings };
  }

  /** Returns the next numbers. The same key always gets the same numbers. */
  async next(sequence, key, options) {
    return this.#allocate(sequence, requireKey(key), checked('next', options));
  }

  /** Returns the next numbers without a key: a lost answer skips numbers, and a repeated call gets other numbers. */
  async nextWithoutKey(sequence, options) {
    return this.#allocate(sequence, undefined, checked('nextWithoutKey', options));
  }

  /** Reserves numbers until the key is confirmed or voided. */
  async reserve(sequence, key, options) {
    return this.#allocate(sequence, requireKey(key), { ...checked('reserve', options), reserve: true });
  }

  /** Issues the reserved numbers of a key. */
  async confirm(sequence, key, options) {
    return this.#setStatus(sequence, { key: requireKey(key), status: 'issued' }, checked('confirm', options));
  }

  /** Voids the numbers of a key permanently. Also succeeds if they are void already, for whatever reason. */
  async voidNumbers(sequence, key, reason, options) {
    const body = { key: requireKey(key), status: 'void', reason: required('reason', reason, isText) };
    try {
      return await this.#setStatus(sequence, body, checked('voidNumbers', options));
    } catch (e) {
      if (e instanceof NumeraProblem && e.kind === 'status-final' && e.fields.allocation?.status === 'void') {
        return e.fields.allocation;
      }
      throw e;
    }
  }

  /**
   * Creates the sequence, or returns its definition if each field of the argument has the same value already. Changes no sequence.
   *
   * @throws {NumeraDifference} if a field has another value
   */
  async define(sequence, definition, options) {
    const { actor, ...rest } = checked('define', options);
    const wanted = required('definition', definition, isDefinition);
    const stored = await this.#definition(path(sequence), rest);
    return stored === undefined ? this.#create(sequence, wanted, actor, rest) : requireSame(sequence, stored, wanted);
  }

  /** Returns the next number, and how many are allocated and left. Allocates nothing. */
  async state(sequence, options) {
    const { date, ...rest } = checked('state', options);
    return (await this.#send('GET', path(sequence, 'state'), { query: { date }, needs: ['next', Number.isInteger], ...rest })).body;
  }

  /** Checks whether each number is accounted for: adds up all pages. */
  async check(sequence, filter) {
    const { signal, tryForSeconds, ...query } = checked('check', filter);
    const sum = { allocated: 0, void: 0, reserved: 0, gaps: [] };
    for await (const page of this.#eachPage(path(sequence, 'check'), query, { needs: ['gaps', Array.isArray], signal, tryForSeconds })) {
      for (const count of ['allocated', 'void', 'reserved']) sum[count] += page[count];
      sum.gaps.push(...page.gaps);
      sum.checkedAt ??= page.checkedAt;
    }
    return sum;
  }

  /**
   * Returns the number and the period of a text.
   *
   * @throws {RangeError} if the number is beyond 2^53 - 1
   */
  async parse(sequence, text, options) {
    const request = { ...json({ text: required('text', text, isText) }), needs: ['number', Number.isInteger], ...checked('parse', options) };
    const { body } = await this.#send('POST', path(sequence, 'parse'), request);
    if (!Number.isSafeInteger(body.number)) throw new RangeError(`The number of ${shown(text)} is beyond 2^53 - 1, which JavaScript rounds.`);
    return body;
  }

  /** Finds a key, a text or a number in all sequences: adds up all pages. `unsearched` names sequences that were not searched. */
  async find(q, options) {
    const { scope, ...rest } = checked('find', options);
    const found = { entries: [], unsearched: [] };
    for await (const page of this.#eachPage('/find', { q: required('search', q, isText), scope }, { needs: ['entries', Array.isArray], ...rest })) {
      found.entries.push(...page.entries);
      found.unsearched.push(...page.unsearched);
    }
    return found;
  }

  /** Yields the recorded closings. */
  closings(sequence, options) {
    return this.#pages(path(sequence, 'closings'), { limit: PAGE }, 'closings', checked('closings', options));
  }

  /** Numbers a list of keys and yields each key with its numbers or its problem. */
  batch(sequence, id, keys, options) {
    const { date, reserve, actor, ...rest } = checked('batch', options);
    const list = [...required('list', keys, isKeys)].map((key) => requireKey(key));
    // Stated or not, a default is the same list: the service compares what is sent.
    const upload = json({ id: required('id', id, isText), keys: list, date, reserve: reserve || undefined }, actor);
    return this.#rowsOf(sequence, 'batches', upload, {}, 'allocations', rest);
  }

  /** Imports numbers of another system and yields the result of each row. */
  importNumbers(sequence, id, rows, options) {
    const { actor, onlyRefused, dryRun, ...rest } = checked('importNumbers', options);
    const list = [...required('list', rows, isKeys)].map((row) => checkedRow(row));
    const upload = { ...json({ rows: list }, actor), query: { dryRun: dryRun || undefined } };
    // Unlike a key, this id can only be sent in a header.
    upload.headers['Idempotency-Key'] = required('id', id, isPlain);
    return this.#rowsOf(sequence, 'imports', upload, { outcome: onlyRefused ? 'refused' : undefined }, 'rows', rest);
  }

  /** Yields the entries of the ledger that the filter selects; without a filter, all entries of today's period. */
  ledger(sequence, filter) {
    const { signal, tryForSeconds, ...query } = checked('ledger', filter);
    return this.#pages(path(sequence, 'ledger'), { limit: PAGE, ...query }, 'entries', { signal, tryForSeconds });
  }

  async #allocate(sequence, key, { count, date, reserve, actor, ...rest }) {
    const inHeader = key !== undefined && PLAIN.test(key);
    const headers = { ...(inHeader && { 'Idempotency-Key': key }), ...actorHeader(actor) };
    const query = { key: inHeader ? undefined : key, count, date, reserve };
    const remedy =
      key === undefined
        ? 'A number may have been skipped, and another call takes another one.'
        : 'Make the same call later, with the same key.';
    return withAttempts(await this.#send('POST', path(sequence, 'next'), { query, headers, key, needs: HAS_NUMBERS, remedy, ...rest }));
  }

  async #setStatus(sequence, body, { actor, ...rest }) {
    return withAttempts(await this.#send('POST', path(sequence, 'status'), { ...json(body, actor), needs: HAS_NUMBERS, ...rest }));
  }

  async #definition(location, rest) {
    try {
      return (await this.#send('GET', location, { needs: HAS_DEFINITION, ...rest })).body;
    } catch (e) {
      if (e instanceof NumeraProblem && e.kind === 'unknown-sequence') return undefined;
      throw e;
    }
  }

  /** Creates a sequence. Another program may have created it meanwhile, or this one, if an answer was lost. */
  async #create(sequence, definition, actor, rest) {
    const location = path(sequence);
    const { headers, body } = json(definition, actor);
    try {
      return (await this.#send('PUT', location, { headers: { ...headers, 'If-None-Match': '*' }, body, needs: HAS_DEFINITION, ...rest })).body;
    } catch (e) {
      const stored = e instanceof NumeraProblem && e.kind === 'precondition-failed' ? await this.#definition(location, rest) : undefined;
      if (stored === undefined) throw e;
      return requireSame(sequence, stored, definition);
    }
  }

  #rowsOf(sequence, kind, upload, query, property, rest) {
    const location = path(sequence, kind);
    return this.#rows(location, upload, { limit: PAGE, ...query }, property, rest);
  }

  async *#rows(location, upload, query, property, { waitForSeconds, ...rest }) {
    const { body } = await this.#send('POST', location, { ...upload, needs: HAS_ID, ...rest });
    const result = `${location}/${encodeURIComponent(body.id)}`;
    const first = await this.#finished(result, query, body.status === 'pending' ? 1 : 0, waitForSeconds ?? this.#settings.waitForSeconds, rest);
    yield* this.#pages(result, query, property, rest, first);
  }

  async #finished(location, query, firstWaitSeconds, waitForSeconds, rest) {
    const { clock } = this.#settings;
    const deadline = clock.now() + waitForSeconds;
    for (let waitSeconds = firstWaitSeconds; ; ) {
      if (clock.now() + waitSeconds > deadline) {
        throw new NumeraUnavailable(`${location} is not done after ${waitForSeconds} s. Send the same list again later.`);
      }
      await this.#pause(waitSeconds, rest.signal);
      const { status, body, retryAfterSeconds } = await this.#send('GET', location, { query, needs: HAS_ID, ...rest });
      if (status !== 202) return body;
      waitSeconds = Math.min(retryAfterSeconds ?? 1, LONGEST_RETRY_AFTER_SECONDS);
    }
  }

  async *#pages(location, query, property, rest, first) {
    for await (const page of this.#eachPage(location, query, { needs: [property, Array.isArray], ...rest }, first)) yield* page[property];
  }

  async *#eachPage(location, query, rest, first) {
    let page = first ?? (await this.#send('GET', location, { query, ...rest })).body;
    yield page;
    while (page.continuation !== undefined) {
      page = (await this.#send('GET', location, { query: { ...query, continuation: page.continuation }, ...rest })).body;
      yield page;
    }
  }

  async #send(method, location, { query, headers, body, key, needs, remedy = 'Make the same call later.', signal, tryForSeconds = this.#settings.tryForSeconds }) {
    const { clock, onRetry, fetch } = this.#settings;
    const deadline = clock.now() + tryForSeconds;
    for (let attempts = 1; ; attempts++) {
      const inTime = AbortSignal.timeout(Math.ceil(1000 * Math.min(this.#settings.answerWithinSeconds, deadline - clock.now())));
      const request = new Request(this.#url + location + search(query), {
        method,
        body,
        headers: { ...headers, ...(await this.#headers()) },
        // A redirect would turn POST into GET.
        redirect: 'manual',
        cache: 'no-store',
        signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
      });
      let answer;
      let cause;
      try {
        answer = await read(await fetch(request), needs, key);
        if (answer.ok) return { ...answer, attempts };
      } catch (e) {
        signal?.throwIfAborted();
        // No complete answer arrived. The result is unknown; a retry with the same key is safe.
        cause = e;
      }
      if (answer && !isRetried(answer)) throw problemOf(answer, this.#url);
      const isRepeatable = !TLS.test(cause?.cause?.code);
      const waitSeconds = isRepeatable ? wait(attempts, answer?.retryAfterSeconds, deadline - clock.now()) : undefined;
      if (waitSeconds !== undefined) {
        onRetry({ method, location, attempts, waitSeconds, status: answer?.status, cause });
        await this.#pause(waitSeconds, signal);
      }
      // The wait may have taken longer, for example if the machine was suspended.
      if (waitSeconds === undefined || clock.now() >= deadline) {
        if (answer?.isNumera) throw problemOf(answer, this.#url);
        const last = answer ? `The last answer was ${answer.status}.` : `The last failure: ${cause.cause?.message ?? cause.message}`;
        const message = `${method} ${location} got no usable answer in ${attempts} attempts. ${remedy} ${last}`;
        throw new NumeraUnavailable(message, attempts, answer?.status, cause);
      }
    }
  }

  async #pause(seconds, signal) {
    signal?.throwIfAborted();
    await this.#settings.clock.sleep(seconds, signal);
    signal?.throwIfAborted();
  }
}

const SYSTEM_CLOCK = {
  now: () => performance.now() / 1000,
  /** Resolves after the pause, or when the signal aborts. */
  sleep: (seconds, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, 1000 * seconds);
      signal?.addEventListener('abort', end);
    }),
};

/** Reads an answer. If the request had a key, the answer must have the same one, in the form that Numera stores: NFC. */
async function read(response, [needed, isValid], key) {
  const text = await response.text();
  const isProblem = (response.headers.get('content-type') ?? '').startsWith('application/problem+json');
  const body = response.ok || isProblem ? jsonObject(text) : { detail: text.slice(0, 500) || undefined };
  if (response.ok && !isValid(body[needed])) throw new SyntaxError(`The answer is of another server: it has no valid "${needed}".`);
  if (response.ok && key !== undefined && String(body.key).normalize() !== key.normalize()) throw new Error('The answer is for another key.');
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

/** Returns the seconds that the header states; it may contain a date. Any other header counts as missing. */
function retryAfter(header) {
  if (/^\d+$/.test(header)) return Number(header);
  const seconds = HTTP_DATE.test(header) ? (Date.parse(header) - Date.now()) / 1000 : NaN;
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}

function isRetried({ status, isNumera, retryAfterSeconds }) {
  return isNumera ? status === 503 && retryAfterSeconds !== undefined : RETRIED.has(status);
}

/**
 * Returns the pause before the next attempt; undefined if no time is left for one. The pause has a random part, so that many callers do not
 * retry at the same time. The last pause is shortened, unless the server stated it.
 */
function wait(attempts, retryAfterSeconds, leftSeconds) {
  const seconds =
    retryAfterSeconds === undefined
      ? Math.min(
          Math.min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), LONGEST_WAIT_SECONDS) * (0.5 + Math.random() / 2),
          leftSeconds - LAST_ATTEMPT_SECONDS,
        )
      : Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS) + Math.random() / 2;
  return seconds >= 0 && seconds < leftSeconds ? seconds : undefined;
}

function problemOf({ status, body, isNumera, retryAfterSeconds }, url) {
  const details = {
    401: 'The function key or token is missing, or is not accepted.',
    404: `There is no Numera at ${url}. The address is such as 'https://APP.azurewebsites.net/api'.`,
  };
  return new NumeraProblem(status, isNumera ? body : { ...body, detail: details[status] ?? body.detail }, retryAfterSeconds);
}

function withAttempts({ body, attempts }) {
  return { ...body, attempts };
}

/** Returns the stated options. An unknown name may be a misspelled one, so it is an error, and so is a value of another type. */
function checked(call, options = {}, known = OPTIONS[call]) {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new TypeError(`${call}: the options must be an object, not ${shown(options)}.`);
  }
  const stated = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(`${call} has no option '${name}'. Its options are ${Object.keys(known).join(', ')}.`);
  }
  for (const [name, value] of stated) required(name, value, known[name]);
  return Object.fromEntries(stated);
}

function checkedRow(row) {
  const stated = checked('importNumbers', row, ROW);
  requireKey(stated.key);
  return stated;
}

/** Refuses a missing key, which would allocate other numbers at each retry, and null, which would become the string "null". */
function requireKey(key) {
  return required('key', key, isText);
}

function required(what, value, [isValid, wanted]) {
  if (!isValid(value)) throw new TypeError(`The ${what} must be ${wanted}, not ${shown(value)}.`);
  return value;
}

function shown(value) {
  return value instanceof Date ? 'a Date' : typeof value === 'string' || value === null ? JSON.stringify(value) : typeof value;
}

function isAddress(url) {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Returns the stored definition if it has each wanted value. */
function requireSame(sequence, stored, wanted) {
  const differences = Object.entries(wanted)
    .filter(([field, value]) => value !== undefined && JSON.stringify(stored[field]) !== JSON.stringify(asStored(field, value)))
    .map(([field, value]) => ({ field, stored: stored[field], wanted: value }));
  if (differences.length > 0) throw new NumeraDifference(sequence, differences);
  return stored;
}

/** Returns a month for its first day, as the service does. */
function asStored(field, value) {
  return field === 'fiscalYearStart' && FIRST_OF_MONTH.test(value) ? Number(value.slice(0, 2)) : value;
}

function path(sequence, call) {
  const [scope, name, ...rest] = String(sequence).split('/');
  if (!scope || !name || rest.length > 0) {
    throw new TypeError(`A sequence is named 'scope/name', such as 'App1/invoice', not '${sequence}'.`);
  }
  return `/sequences/${encodeURIComponent(scope)}/${encodeURIComponent(name)}${call === undefined ? '' : `/${call}`}`;
}

function search(query = {}) {
  const stated = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = stated.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return stated.length === 0 ? '' : `?${parameters.join('&')}`;
}

function json(body, actor) {
  // The service takes an unescaped U+FFFD for a sign of bytes that are not UTF-8.
  const content = JSON.stringify(body).replaceAll('\ufffd', '\\ufffd');
  return { headers: { 'Content-Type': 'application/json', ...actorHeader(actor) }, body: content };
}

function actorHeader(actor) {
  return actor === undefined ? {} : { 'Numera-Actor': encodeURIComponent(actor) };
}
