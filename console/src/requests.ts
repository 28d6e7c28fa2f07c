import {useCallback, useEffect, useRef, useState} from './html.ts';
import {access, refused, tried} from './access.ts';
import {allOf, probeRights, Problem, send, write, type ApiRequest, type Reply} from './api.ts';
import {CALLS, READING, type Call} from './calls.ts';
import {store, useStore} from './store.ts';

/** The state of a request: an answer, a problem, or nothing yet. */
export interface Answer<T> {
  readonly value?: T;
  readonly etag?: string;
  readonly problem?: Problem;
  readonly busy: boolean;
  /** How often it was repeated. */
  readonly round: number;
  again(): void;
}

type Known<T> = {readonly value?: T; readonly problem?: Problem; readonly of?: string; readonly isAll?: boolean};

/** Makes the calls that a question needs, and reports the result so far after each. */
export type Answering<T> = (request: ApiRequest, report: (value: T) => void, signal: AbortSignal) => Promise<void>;

/** Answers a question, again when it or the key changes. Null requests nothing. An older answer is shown until the next one arrives. */
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

/** The answer to one call. */
export function useRequest<T>(request: ApiRequest | null): Answer<T> {
  const {value, ...answer} = useAnswer<Reply<T>>(request, async (requested, report, signal) => report(await send<T>(requested, signal)));
  return {...answer, value: value?.body, etag: value?.etag};
}

/** All rows of a list, however many pages it has. */
export function useAll<R>(request: ApiRequest | null, rowsOf: (page: any) => readonly R[]): Answer<readonly R[]> {
  return useAnswer<readonly R[]>(request, async (requested, report, signal) => report(await allOf(requested, rowsOf, signal)));
}

export function asProblem(request: ApiRequest, thrown: unknown): Problem {
  if (thrown instanceof Problem) {
    return thrown;
  }
  return new Problem(request, 0, 'page', 'The page failed', thrown instanceof Error ? thrown.message : String(thrown));
}

/** A list that comes page by page. */
export interface Pages<R> {
  readonly rows: readonly R[];
  readonly problem?: Problem;
  readonly busy: boolean;
  /** Requests the next page; missing on the last one. */
  readonly more?: () => void;
  again(): void;
}

type PageOf<R> = {
  readonly rows: readonly R[]; readonly next?: string; readonly problem?: Problem; readonly busy: boolean; readonly of?: string;
};

/** The pages of a list, as far as they were requested. */
export function usePages<R>(request: ApiRequest | null, rowsOf: (page: any) => readonly R[]): Pages<R> {
  const [page, setPage] = useState<PageOf<R>>({rows: [], busy: true});
  const [round, setRound] = useState(0);
  const {key} = useStore(access);
  const asked = request ? write([request, key]) : '';
  const question = request ? `${round} ${asked}` : '';
  const latest = useRef('');
  const load = useCallback(async (of: string, before: readonly R[], continuation?: string) => {
    // When the same is asked again, the rows from before stay until the new ones are there.
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

/** How many changes were made here: what shows their effect elsewhere on the page follows it. */
export const changesMade = store(0);

const FRESH_MILLIS = 30_000;
/** A reader who goes to and fro between windows asks no more often. */
const PAUSE_MILLIS = 1_000;

/** Asks again when something was changed here, when the reader returns to the page, and from time to time while it is looked at. */
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

/** An action that runs once, on request. */
export interface Doing<T> {
  readonly busy: boolean;
  readonly problem?: Problem;
  readonly reply?: Reply<T>;
  /** The reply; undefined where there is a problem, which `problem` then is. */
  start(request: ApiRequest): Promise<Reply<T> | undefined>;
  forget(): void;
}

/** A problem is forgotten when what it was about, such as the draft that was refused, is another one. */
export function useDoing<T>(about = ''): Doing<T> {
  const [state, setState] = useState<{busy: boolean; problem?: Problem; reply?: Reply<T>}>({busy: false});
  const start = useCallback(async (request: ApiRequest) => {
    setState({busy: true});
    try {
      const reply = await send<T>(request);
      setState({busy: false, reply});
      if (!READING.has(request.call) && !CALLS[request.call].startsWith('GET')) {
        changesMade.set(changesMade.get() + 1);
      }
      return reply;
    } catch (e) {
      setState({busy: false, problem: asProblem(request, e)});
      return undefined;
    }
  }, []);
  useEffect(() => setState(last => last.problem ? {busy: false} : last), [about]);
  return {...state, start, forget: useCallback(() => setState({busy: false}), [])};
}

/**
 * Whether the key opens a function, as far as is known: views hide what it does not. Without a key nothing is requested: the host
 * may require none.
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

/** A value as it was when nothing had changed it for so many milliseconds. */
export function useSettled<T>(value: T, millis: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), millis);
    return () => clearTimeout(timer);
  }, [value, millis]);
  return settled;
}
