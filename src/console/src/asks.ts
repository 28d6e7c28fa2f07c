import {useCallback, useEffect, useRef, useState} from './html.ts';
import {access, refused} from './access.ts';
import {askForRights, Problem, send, write, type Ask, type Reply} from './api.ts';
import type {Call} from './calls.ts';
import {useStore} from './store.ts';

/** What has become of a question: an answer, a problem, or nothing yet. */
export interface Answer<T> {
  readonly value?: T;
  readonly etag?: string;
  readonly problem?: Problem;
  readonly busy: boolean;
  again(): void;
}

type Told<T> = {readonly reply?: Reply<T>; readonly problem?: Problem; readonly of?: string};

/** Asks, and asks anew when the question or the key is another one. Null asks nothing. An older answer stands until the next one comes. */
export function useAsk<T>(ask: Ask | null): Answer<T> {
  const [told, setTold] = useState<Told<T>>({});
  const [round, setRound] = useState(0);
  const {key} = useStore(access);
  const question = ask ? write([ask, round, key]) : '';
  useEffect(() => {
    if (!ask) {
      setTold({});
      return undefined;
    }
    const cancelled = new AbortController();
    send<T>(ask, cancelled.signal)
      .then(reply => setTold({reply, of: question}))
      .catch(problem => cancelled.signal.aborted || setTold({problem: asProblem(ask, problem), of: question}));
    return () => cancelled.abort();
  }, [question]);
  const again = useCallback(() => setRound(last => last + 1), []);
  return {value: told.reply?.body, etag: told.reply?.etag, problem: told.problem, busy: !!ask && told.of !== question, again};
}

export function asProblem(ask: Ask, thrown: unknown): Problem {
  if (thrown instanceof Problem) {
    return thrown;
  }
  return new Problem(ask, 0, 'page', 'The page could not go on', thrown instanceof Error ? thrown.message : String(thrown));
}

/** A list that comes page by page. */
export interface Pages<R> {
  readonly rows: readonly R[];
  readonly problem?: Problem;
  readonly busy: boolean;
  /** Asks for the next page; missing on the last one. */
  readonly more?: () => void;
  again(): void;
}

type PageOf<R> = {readonly rows: readonly R[]; readonly next?: string; readonly problem?: Problem; readonly busy: boolean};

/** The pages of a list, as far as they were asked for. */
export function usePages<R>(ask: Ask | null, rowsOf: (page: any) => readonly R[]): Pages<R> {
  const [page, setPage] = useState<PageOf<R>>({rows: [], busy: true});
  const [round, setRound] = useState(0);
  const {key} = useStore(access);
  const question = ask ? write([ask, round, key]) : '';
  const asked = useRef('');
  const load = useCallback(async (of: string, before: readonly R[], continuation?: string) => {
    setPage({rows: before, busy: true});
    try {
      const {body} = await send<any>({...ask!, query: {...ask!.query, continuation}});
      if (asked.current === of) {
        setPage({rows: [...before, ...rowsOf(body)], next: body.continuation, busy: false});
      }
    } catch (e) {
      if (asked.current === of) {
        setPage({rows: before, next: continuation, problem: asProblem(ask!, e), busy: false});
      }
    }
  }, [question]);
  useEffect(() => {
    asked.current = question;
    if (ask) {
      void load(question, []);
    } else {
      setPage({rows: [], busy: false});
    }
    return () => {
      asked.current = '';
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

/** Something that is done once, when somebody says so. */
export interface Doing<T> {
  readonly busy: boolean;
  readonly problem?: Problem;
  readonly reply?: Reply<T>;
  /** The reply; undefined where there is a problem, which `problem` then is. */
  start(ask: Ask): Promise<Reply<T> | undefined>;
  forget(): void;
}

export function useDoing<T>(): Doing<T> {
  const [state, setState] = useState<{busy: boolean; problem?: Problem; reply?: Reply<T>}>({busy: false});
  const start = useCallback(async (ask: Ask) => {
    setState({busy: true});
    try {
      const reply = await send<T>(ask);
      setState({busy: false, reply});
      return reply;
    } catch (e) {
      setState({busy: false, problem: asProblem(ask, e)});
      return undefined;
    }
  }, []);
  return {...state, start, forget: useCallback(() => setState({busy: false}), [])};
}

const asked = new Set<string>();

/**
 * Whether the key opens a function, as far as is known: views hide what it does not. Where no key was entered nothing is asked: the host
 * may want none.
 */
export function useMay(call: Call): boolean {
  const {key} = useStore(access);
  const isRefused = useStore(refused).has(call);
  useEffect(() => {
    const question = `${call} ${key}`;
    if (key && !asked.has(question)) {
      asked.add(question);
      void askForRights(call);
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
