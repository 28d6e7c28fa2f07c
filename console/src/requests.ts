import {useCallback, useEffect, useRef, useState} from './html.ts';
import {access, refused, tried} from './access.ts';
import {allOf, probeRights, Problem, send, write, type ApiRequest, type Reply} from './api.ts';
import {changes, type Call} from './calls.ts';
import {store, useStore} from './store.ts';

/** The state of a request: an answer, a problem, or nothing yet. */
export interface Answer<T> {
  readonly value?: T;
  readonly etag?: string;
  readonly problem?: Problem;
  readonly busy: boolean;
  /** The number of repetitions of the request. */
  readonly round: number;
  again(): void;
}

type Known<T> = {readonly value?: T; readonly problem?: Problem; readonly of?: string; readonly isAll?: boolean};

/** Makes the calls for a request, and reports the result so far after each. */
export type Answering<T> = (request: ApiRequest, report: (value: T) => void, signal: AbortSignal) => Promise<void>;

/**
 * Loads a request, and loads it again when the request or the key changes. Null loads nothing. Shows the previous answer until the next one
 * arrives.
 */
export function useAnswer<T>(request: ApiRequest | null, answering: Answering<T>): Answer<T> {
  const [loaded, setKnown] = useState<Known<T>>({});
  const [round, setRound] = useState(0);
  const {key} = useStore(access);
  const question = request ? write([request, round, key]) : '';
  useEffect(() => {
    if (!request) {
      setKnown({});
      return undefined;
    }
    const left = new AbortController();
    const add = (more: Known<T>) => left.signal.aborted || setKnown(last => ({...(last.of === question ? last : {}), ...more, of: question}));
    answering(request, value => add({value}), left.signal)
      .then(() => add({isAll: true}), thrown => add({problem: asProblem(request, thrown), isAll: true}));
    return () => left.abort();
  }, [question]);
  const again = useCallback(() => setRound(last => last + 1), []);
  return {value: loaded.value, problem: loaded.problem, busy: !!request && (loaded.of !== question || !loaded.isAll), round, again};
}

/** Loads the answer to one call. */
export function useRequest<T>(request: ApiRequest | null): Answer<T> {
  const {value, ...answer} = useAnswer<Reply<T>>(request, async (requested, report, signal) => report(await send<T>(requested, signal)));
  return {...answer, value: value?.body, etag: value?.etag};
}

/** Loads all rows of a list, however many pages it has. */
export function useAll<R>(request: ApiRequest | null, rowsOf: (page: any) => readonly R[]): Answer<readonly R[]> {
  return useAnswer<readonly R[]>(request, async (requested, report, signal) => report(await allOf(requested, rowsOf, signal)));
}

export function asProblem(request: ApiRequest, thrown: unknown): Problem {
  if (thrown instanceof Problem) {
    return thrown;
  }
  return new Problem(request, 0, 'page', 'The page failed', thrown instanceof Error ? thrown.message : String(thrown));
}

/** A list that loads page by page. */
export interface Pages<R> {
  readonly rows: readonly R[];
  readonly problem?: Problem;
  readonly busy: boolean;
  /** Loads the next page; missing on the last one. */
  readonly more?: () => void;
  again(): void;
}

type PageOf<R> = {
  readonly rows: readonly R[]; readonly next?: string; readonly problem?: Problem; readonly busy: boolean; readonly of?: string;
};

/** Loads the pages of a list, as far as the user requested them. */
export function usePages<R>(request: ApiRequest | null, rowsOf: (page: any) => readonly R[]): Pages<R> {
  const [page, setPage] = useState<PageOf<R>>({rows: [], busy: true});
  const [round, setRound] = useState(0);
  const {key} = useStore(access);
  const asked = request ? write([request, key]) : '';
  const question = request ? `${round} ${asked}` : '';
  const latest = useRef('');
  const load = useCallback(async (of: string, before: readonly R[], continuation?: string) => {
    // A repetition of the same request keeps the old rows until the new ones arrive.
    setPage(last => last.of === asked && !continuation && last.rows.length > 0 ? {...last, next: undefined, problem: undefined}
      : {rows: before, busy: true, of: asked});
    try {
      const {body} = await send<any>({...request!, query: {...request!.query, continuation}});
      if (latest.current === of) {
        setPage({rows: [...before, ...rowsOf(body)], next: body.continuation, busy: false, of: asked});
      }
    } catch (e) {
      if (latest.current === of) {
        setPage({rows: before, next: continuation, problem: asProblem(request!, e), busy: false, of: asked});
      }
    }
  }, [question]);
  useEffect(() => {
    latest.current = question;
    if (request) {
      void load(question, []);
    } else {
      setPage({rows: [], busy: false});
    }
    return () => {
      latest.current = '';
    };
  }, [question]);
  return {
    rows: page.rows,
    problem: page.problem,
    busy: page.busy,
    more: page.next && !page.busy ? () => void load(question, page.rows, page.next) : undefined,
    again: useCallback(() => setRound(last => last + 1), []),
  };
}

/** The number of changes that this page has made. Views reload when it grows. */
export const changesMade = store(0);

/** The number of changes of this page whose result is unknown. The views that may show them reload when it grows. */
const unknownChanges = store(0);

/** Whether it is unknown if the change was done. */
export function isUnknown(problem: Problem | undefined): boolean {
  return problem?.type === 'unanswered' || problem?.type === 'outcome-unknown';
}

/** Makes the views reload if the result of a change is unknown. */
export function reportUnknown(problem: Problem): void {
  if (isUnknown(problem)) {
    changesMade.set(changesMade.get() + 1);
    unknownChanges.set(unknownChanges.get() + 1);
  }
}

/** Reloads when the result of a change is unknown. */
export function useUnknown(again: () => void): void {
  const unknown = useStore(unknownChanges);
  const [first] = useState(unknown);
  useEffect(() => {
    if (unknown !== first) {
      again();
    }
  }, [unknown]);
}

const FRESH_MILLIS = 30_000;
/** The shortest time between two reloads, while the user switches between windows. */
const PAUSE_MILLIS = 1_000;

/** Reloads after a change in this page, when the user returns to the page, and periodically while the page is visible. */
export function useFresh(again: () => void, everyMillis = FRESH_MILLIS): void {
  const made = useStore(changesMade);
  const [first] = useState(made);
  useEffect(() => {
    if (made !== first) {
      again();
    }
  }, [made]);
  useEffect(() => {
    let last = Date.now();
    const look = () => {
      if (!document.hidden && Date.now() - last >= PAUSE_MILLIS) {
        last = Date.now();
        again();
      }
    };
    const timer = setInterval(look, everyMillis);
    addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', look);
    };
  }, [again]);
}

/** An action that runs only when it is started. */
export interface Doing<T> {
  readonly busy: boolean;
  readonly problem?: Problem;
  readonly reply?: Reply<T>;
  /** Runs the action. Returns the reply; undefined if the action failed: `problem` then says why. */
  start(request: ApiRequest): Promise<Reply<T> | undefined>;
  forget(): void;
}

/** An action. Its problem is cleared when `about` changes, for example when the user edits a refused draft. */
export function useDoing<T>(about = ''): Doing<T> {
  const [state, setState] = useState<{busy: boolean; problem?: Problem; reply?: Reply<T>}>({busy: false});
  const start = useCallback(async (request: ApiRequest) => {
    setState({busy: true});
    try {
      const reply = await send<T>(request);
      setState({busy: false, reply});
      if (changes(request.call)) {
        changesMade.set(changesMade.get() + 1);
      }
      return reply;
    } catch (e) {
      const problem = asProblem(request, e);
      setState({busy: false, problem});
      reportUnknown(problem);
      return undefined;
    }
  }, []);
  useEffect(() => setState(last => last.problem ? {busy: false} : last), [about]);
  return {...state, start, forget: useCallback(() => setState({busy: false}), [])};
}

/**
 * Whether the key opens a function, as far as is known. Views hide functions that it does not open. Sends no request without a key, because
 * the host may require none.
 */
export function useMay(call: Call): boolean {
  const {key} = useStore(access);
  const isRefused = useStore(refused).has(call);
  useEffect(() => {
    if (key && !tried.has(call)) {
      tried.add(call);
      void probeRights(call);
    }
  }, [call, key]);
  return !isRefused;
}

/** Returns a value after it has stayed the same for this many milliseconds. */
export function useSettled<T>(value: T, millis: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), millis);
    return () => clearTimeout(timer);
  }, [value, millis]);
  return settled;
}
