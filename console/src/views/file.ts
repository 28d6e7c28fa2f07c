import {useEffect, useRef, useState} from '../html.ts';
import type {Ask, Problem} from '../api.ts';
import {asProblem} from '../asks.ts';
import {save} from '../download.ts';

/** Reads what is to be saved, telling how far it is. */
type Reading = (tell: (said: string) => void, signal: AbortSignal) => Promise<readonly string[]>;

/** A file that is read and saved when somebody says so, unless it is cancelled or the view is left meanwhile. */
export function useFile() {
  const [told, setTold] = useState<{said: string; busy: boolean; problem?: Problem}>({said: '', busy: false});
  const cancelled = useRef(new AbortController());
  useEffect(() => () => cancelled.current.abort(), []);
  const start = async (ask: Ask, name: string, read: Reading, what: (csv: readonly string[]) => string = () => 'All') => {
    cancelled.current = new AbortController();
    const {signal} = cancelled.current;
    setTold({said: 'Reading …', busy: true});
    try {
      const csv = await read(said => setTold({said, busy: true}), signal);
      signal.throwIfAborted();
      save(name, csv);
      setTold({said: `${what(csv)} saved as ${name}.`, busy: false});
    } catch (thrown) {
      setTold(signal.aborted ? {said: 'Cancelled.', busy: false} : {said: '', busy: false, problem: asProblem(ask, thrown)});
    }
  };
  return {...told, start, cancel: () => cancelled.current.abort()};
}
