export interface NumeraOptions {
  /** The address of the API, such as `https://APP.azurewebsites.net/api`. */
  url: string | URL;
  /** A function key. Keep it out of browser pages. */
  functionKey?: string;
  /** Returns the bearer token for a gateway in front of the app. Called before each request. */
  token?: () => string | Promise<string>;
  /** The only rights of each call, such as `Numera.Allocate:Shop1`, for a backend whose tenants share a key. */
  rights?: string;
  /** The total time for which a call is retried. Default 120. */
  tryForSeconds?: number;
  /** The time that one request may take. Default 30. */
  answerWithinSeconds?: number;
  /** The time that the result of a list may take. Default 900. */
  waitForSeconds?: number;
  /** Sends the requests. Default `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Called before each pause, for example to log it. */
  onRetry?: (retry: Retry) => void;
  /** A replacement for tests: seconds of a monotonic clock, and a pause that ends early when the signal aborts. */
  clock?: { now(): number; sleep(seconds: number, signal?: AbortSignal): Promise<void> };
}

/** An attempt that is followed by another one. */
export interface Retry {
  method: string;
  location: string;
  /** The number of requests sent so far. */
  attempts: number;
  waitSeconds: number;
  /** The status of the answer, if one arrived. */
  status?: number;
  /** The failure, if no answer arrived. */
  cause?: unknown;
}

/** Options of each call. */
export interface CallOptions {
  /** Ends the call with the signal's reason. Its number may have been allocated: with a key, the same call returns it later. */
  signal?: AbortSignal;
  /** The total time for which the call is retried; of a list, each of its requests. */
  tryForSeconds?: number;
}

export interface ChangeOptions extends CallOptions {
  /** The person or program that makes the call. */
  actor?: string;
}

export interface NextOptions extends ChangeOptions {
  /** The count of numbers to allocate, all or none. Default 1. */
  count?: number;
  /** The date of the document, such as `2026-11-21`. Default: today in the sequence's time zone. */
  date?: string;
}

export interface ListOptions extends ChangeOptions {
  /** The time that the result may take. */
  waitForSeconds?: number;
}

export type Status = 'issued' | 'reserved' | 'void';

/** The numbers of one request. Beyond 2^53 - 1 only `texts` are exact. */
export interface Allocation {
  scope?: string;
  name?: string;
  key?: string;
  first: number;
  last: number;
  count: number;
  increment: number;
  /** The numbers as the sequence's format prints them, if it has a format. */
  texts?: string[];
  date?: string;
  period?: string;
  /**
   * An earlier request with the same key got these numbers: also an earlier attempt of this call whose answer was lost. `attempts` is more
   * than 1 then.
   */
  replayed?: true;
  /** The person or program that allocated, as the caller stated. */
  actor?: string;
  actorId?: string;
  /** The status; missing means issued. */
  status?: Status;
  reason?: string;
  statusAt?: string;
  statusActor?: string;
  statusActorId?: string;
  created?: true;
}

export type KeyedAllocation = Allocation & { key: string };

/** The numbers of one call, and how often it was sent. */
export type Attempted<T> = T & { attempts: number };

/** A problem as in RFC 9457; the page `/api/docs` of the app lists the further fields of each type. */
export interface ProblemFields {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  errors?: { field: string; reason: string }[];
  allocation?: KeyedAllocation;
  left?: number;
  [field: string]: unknown;
}

/** A key of a list with its numbers, or with the problem that explains why it got none. */
export type NumberedKey = (KeyedAllocation & { problem?: undefined }) | (Partial<KeyedAllocation> & { key: string; problem: ProblemFields });

export interface RowToImport {
  key: string;
  number?: number;
  text?: string;
  date?: string;
  status?: Status;
  reason?: string;
}

export type ImportedRow =
  | (KeyedAllocation & { outcome: 'imported' | 'already-there' | 'would-import' })
  | ({ outcome: 'refused'; problem: ProblemFields } & RowToImport);

/** An entry of the ledger. Beyond 2^53 - 1 only `texts` are exact. */
export interface LedgerEntry {
  kind: 'allocation' | 'import' | 'advance';
  key?: string;
  first: number;
  last: number;
  count?: number;
  texts?: string[];
  period?: string;
  date?: string;
  allocatedAt: string;
  actor?: string;
  actorId?: string;
  status?: Status;
  reason?: string;
  statusAt?: string;
  statusActor?: string;
  statusActorId?: string;
  /** Each status that was set; only with the filter `key`. */
  history?: { status: Status; at: string; reason?: string; actor?: string; actorId?: string }[];
}

export interface LedgerFilter extends CallOptions {
  from?: number;
  to?: number;
  text?: string;
  key?: string;
  keyPrefix?: string;
  date?: string;
  dateFrom?: string;
  dateTo?: string;
  status?: 'reserved' | 'void';
  /** A part of the name of the actor who requested, imported, skipped, reserved or voided the numbers, in any case. */
  actor?: string;
  /** A part of the reason, in any case. Only void and skipped numbers have a reason. */
  reason?: string;
  /** `desc` yields the newest entries first. */
  order?: 'asc' | 'desc';
  limit?: number;
}

/** A refusal: the same request would not succeed now. */
export declare class NumeraProblem extends Error {
  constructor(status: number, fields: ProblemFields, retryAfterSeconds?: number);
  readonly status: number;
  readonly type?: string;
  /** The last part of Numera's `type`, such as `exhausted`; missing in another server's answer. */
  readonly kind?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly retryAfterSeconds?: number;
  /** All fields of the answer. */
  readonly fields: ProblemFields;
}

/** No usable answer arrived before the deadline, so it is unknown whether a number was allocated. With a key, the same call returns it later. */
export declare class NumeraUnavailable extends Error {
  readonly attempts?: number;
  /** The status of the last answer, if one arrived. */
  readonly status?: number;
}

/** A sequence has another definition than the program declares. Nothing was changed. */
export declare class NumeraDifference extends Error {
  constructor(sequence: string, differences: { field: string; stored: unknown; wanted: unknown }[]);
  readonly differences: { field: string; stored: unknown; wanted: unknown }[];
}

/** The declaration of the owner. `/api/docs` describes each field. */
export interface Definition {
  guarantee?: 'strict' | 'gapless' | 'cached' | 'snowflake';
  start?: number;
  increment?: number;
  minValue?: number;
  maxValue?: number;
  cycle?: boolean;
  cacheSize?: number;
  format?: string;
  maxLength?: number;
  resetEvery?: 'never' | 'year' | 'quarter' | 'month' | 'day';
  timeZone?: string;
  fiscalYearStart?: number | string;
  dateOrder?: 'none' | 'ascending';
  keys?: 'optional' | 'required';
  description?: string;
  contact?: string;
  warnAtPercent?: number;
}

/** The state of a sequence. Beyond 2^53 - 1 numbers are rounded, and only `nextText` is exact. */
export interface State {
  scope: string;
  name: string;
  period?: string;
  next: number;
  nextText?: string;
  allocated: number;
  left: number;
  used: number;
  lastDate?: string;
  firstAllocatedAt?: string;
  changedAt?: string;
  suspendedAt?: string;
  retiredAt?: string;
}

export interface CheckFilter extends CallOptions {
  from?: number;
  to?: number;
  date?: string;
  dateFrom?: string;
  dateTo?: string;
  reservedBefore?: string;
}

/** The result of a check. Beyond 2^53 - 1 the numbers of `gaps` are rounded. */
export interface Check {
  checkedAt: string;
  allocated: number;
  void: number;
  reserved: number;
  gaps: { first: number; last: number; kind: 'advanced' | 'unimported' | 'missing' | 'unrecorded' | 'twice'; reason?: string }[];
}

export type FoundEntry = LedgerEntry & { scope: string; name: string; foundBy: 'key' | 'text' | 'number' };

export interface Found {
  entries: FoundEntry[];
  /** The sequences that were not searched and may contain a match. */
  unsearched: { scope: string; name: string; problem?: ProblemFields }[];
}

export interface Closing {
  id?: string;
  closedAt?: string;
  actor?: string;
  dateFrom?: string;
  dateTo?: string;
  allocated?: number;
  void?: number;
  reserved?: number;
  gapCount?: number;
  sha256?: string;
  changedCount?: number;
  /** The reason why this closing cannot be read; every other field is missing then. */
  problem?: ProblemFields;
}

/** A client of Numera. Repeats calls when a retry can help, always with the same key. A sequence is named `scope/name`. */
export declare class Numera {
  constructor(options: NumeraOptions);
  /** Returns the next numbers. The same key always gets the same numbers. */
  next(sequence: string, key: string, options?: NextOptions): Promise<Attempted<KeyedAllocation>>;
  /** Returns the next numbers without a key: a lost answer skips numbers, and a repeated call gets other numbers. */
  nextWithoutKey(sequence: string, options?: NextOptions): Promise<Attempted<Allocation>>;
  /** Reserves numbers until the key is confirmed or voided. */
  reserve(sequence: string, key: string, options?: NextOptions): Promise<Attempted<KeyedAllocation>>;
  /** Issues the reserved numbers of a key. */
  confirm(sequence: string, key: string, options?: ChangeOptions): Promise<KeyedAllocation>;
  /** Voids the numbers of a key permanently. Also succeeds if they are void already, for whatever reason. */
  voidNumbers(sequence: string, key: string, reason: string, options?: ChangeOptions): Promise<KeyedAllocation>;
  /** Creates the sequence, or returns its definition if each field of the argument has the same value already; otherwise throws `NumeraDifference`. */
  define(sequence: string, definition: Definition, options?: ChangeOptions): Promise<Definition>;
  /** Returns the next number, and how many are allocated and left. Allocates nothing. */
  state(sequence: string, options?: CallOptions & { date?: string }): Promise<State>;
  /** Checks whether each number is accounted for: adds up all pages. */
  check(sequence: string, filter?: CheckFilter): Promise<Check>;
  /** Returns the number and the period of a text. Throws a `RangeError` if the number is beyond 2^53 - 1. */
  parse(sequence: string, text: string, options?: CallOptions): Promise<{ number: number; period?: string }>;
  /** Finds a key, a text or a number in all sequences, or in the sequences of a scope: adds up all pages. */
  find(q: string, options?: CallOptions & { scope?: string }): Promise<Found>;
  /** Yields the recorded closings. */
  closings(sequence: string, options?: CallOptions): AsyncIterableIterator<Closing>;
  /**
   * Numbers a list of keys and yields each key with its numbers or its problem. The list is sent when the first key is requested. The id
   * names the list: the same list under the same id is uploaded only once.
   */
  batch(
    sequence: string,
    id: string,
    keys: readonly string[] | Set<string>,
    options?: ListOptions & { date?: string; reserve?: boolean },
  ): AsyncIterableIterator<NumberedKey>;
  /** Imports numbers of another system and yields the result of each row. The id is ASCII. */
  importNumbers(
    sequence: string,
    id: string,
    rows: readonly RowToImport[],
    options?: ListOptions & {
      onlyRefused?: boolean;
      /** Whether to check the rows without importing them. */
      dryRun?: boolean;
    },
  ): AsyncIterableIterator<ImportedRow>;
  /** Yields the entries of the ledger that the filter selects; without a filter, all entries of today's period. */
  ledger(sequence: string, filter?: LedgerFilter): AsyncIterableIterator<LedgerEntry>;
}
