import {useEffect, useRef, useState} from '../html.ts';
import type {ApiRequest, Problem} from '../api.ts';
import {asProblem} from '../requests.ts';
import {save} from '../download.ts';

/** Reads the content of a file, and reports its progress. */
type Reading = (report: (said: string) => void, signal: AbortSignal) => Promise<readonly string[]>;

/** Reads and saves a file on request, unless the user cancels or leaves the view meanwhile. */
export function useFile() {
  const [known, setKnown] = useState<{said: string; busy: boolean; problem?: Problem}>({said: '', busy: false});
  const cancelled = useRef(new AbortController());
  useEffect(() => () => cancelled.current.abort(), []);
  const start = async (request: ApiRequest, name: string, read: Reading, what: (csv: readonly string[]) => string = () => 'All') => {
    cancelled.current = new AbortController();
    const {signal} = cancelled.current;
    setKnown({said: 'Reading …', busy: true});
    try {
      const csv = await read(said => setKnown({said, busy: true}), signal);
      signal.throwIfAborted();
      save(name, csv);
      setKnown({said: `${what(csv)} saved as ${name}.`, busy: false});
    } catch (thrown) {
      setKnown(signal.aborted ? {said: 'Cancelled.', busy: false} : {said: '', busy: false, problem: asProblem(request, thrown)});
    }
  };
  return {...known, start, cancel: () => cancelled.current.abort()};
}
