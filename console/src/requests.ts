import {useCallback, useEffect, useRef, useState} from './html.ts';
import {access, refused, tried} from './access.ts';
import {allOf, askForRights, Problem, send, write, type Ask, type Reply} from './api.ts';
import type {Call} from './calls.ts';
import {useStore} from './store.ts';

/** What has become of a question: an answer, a problem, or nothing yet. */
export interface Answer<T> {
  readonly value?: T;
  readonly etag?: string;
  readonly problem?: Problem;
  readonly busy: boolean;
  /** How often it was asked again. */
  readonly round: number;
  again(): void;
}

type Told<T> = {readonly value?: T; readonly problem?: Problem; readonly of?: string; readonly isAll?: boolean};

/** Makes the calls that a question needs, telling what is known after each. */
export type Answering<T> = (ask: Ask, tell: (value: T) => void, signal: AbortSignal) => Promise<void>;

/** Has a question answered, and anew when it or the key is another one. Null asks nothing. An older answer stands until the next one comes. */
export function useAnswer<T>(ask: Ask | null, answering: Answering<T>): Answer<T> {
  const [told, setTold] = useState<Told<T>>({});
  const [round, setRound] = useState(0);
  const {key} = useStore(access);
  const question = ask ? write([ask, round, key]) : '';
  useEffect(() => {
    if (!ask) {
      setTold({});
      return undefined;
    }
    const left = new AbortController();
    const add = (more: Told<T>) => left.signal.aborted || setTold(last => ({...(last.of === question ? last : {}), ...more, of: question}));
    answering(ask, value => add({value}), left.signal)
      .then(() => add({isAll: true}), thrown => add({problem: asProblem(ask, thrown), isAll: true}));
    return () => left.abort();
  }, [question]);
  const again = useCallback(() => setRound(last => last + 1), []);
  return {value: told.value, problem: told.problem, busy: !!ask && (told.of !== question || !told.isAll), round, again};
}

/** The answer to one call. */
export function useAsk<T>(ask: Ask | null): Answer<T> {
  const {value, ...answer} = useAnswer<Reply<T>>(ask, async (asked, tell, signal) => tell(await send<T>(asked, signal)));
  return {...answer, value: value?.body, etag: value?.etag};
}

/** All rows of a list, however many pages it has. */
export function useAll<R>(ask: Ask | null, rowsOf: (page: any) => readonly R[]): Answer<readonly R[]> {
  return useAnswer<readonly R[]>(ask, async (asked, tell, signal) => tell(await allOf(asked, rowsOf, signal)));
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
  const latest = useRef('');
  const load = useCallback(async (of: string, before: readonly R[], continuation?: string) => {
    setPage({rows: before, busy: true});
    try {
      const {body} = await send<any>({...ask!, query: {...ask!.query, continuation}});
      if (latest.current === of) {
        setPage({rows: [...before, ...rowsOf(body)], next: body.continuation, busy: false});
      }
    } catch (e) {
      if (latest.current === of) {
        setPage({rows: before, next: continuation, problem: asProblem(ask!, e), busy: false});
      }
    }
  }, [question]);
  useEffect(() => {
    latest.current = question;
    if (ask) {
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

/** Something that is done once, when somebody says so. */
export interface Doing<T> {
  readonly busy: boolean;
  readonly problem?: Problem;
  readonly reply?: Reply<T>;
  /** The reply; undefined where there is a problem, which `problem` then is. */
  start(ask: Ask): Promise<Reply<T> | undefined>;
  forget(): void;
}

/** A problem is forgotten when what it was about, such as the draft that was refused, is another one. */
export function useDoing<T>(about = ''): Doing<T> {
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
  useEffect(() => setState(last => last.problem ? {busy: false} : last), [about]);
  return {...state, start, forget: useCallback(() => setState({busy: false}), [])};
}

/**
 * Whether the key opens a function, as far as is known: views hide what it does not. Where no key was entered nothing is asked: the host
 * may want none.
 */
export function useMay(call: Call): boolean {
  const {key} = useStore(access);
  const isRefused = useStore(refused).has(call);
  useEffect(() => {
    if (key && !tried.has(call)) {
      tried.add(call);
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
