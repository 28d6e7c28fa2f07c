import {useLayoutEffect, useRef, useState} from '../html.ts';

/** Work on several items, which the user can stop. */
export interface Work {
  readonly isRunning: boolean;
  /**
   * Handles the items in their order, some at once, until all are done or the work is stopped. Always waits for the items that have begun.
   * Returns whether it was stopped.
   */
  run<I>(items: readonly I[], atOnce: number, handle: (item: I) => Promise<void>): Promise<boolean>;
  stop(): void;
}

/** Work that also stops when its view is left, because nothing would show its progress then. */
export function useWork(): Work {
  const [isRunning, setRunning] = useState(false);
  const stopped = useRef(false);
  const stop = () => {
    stopped.current = true;
  };
  // An ordinary effect would end only after the next view is drawn, and more requests would be sent until then.
  useLayoutEffect(() => stop, []);
  const run = async <I>(items: readonly I[], atOnce: number, handle: (item: I) => Promise<void>) => {
    const waiting = [...items];
    stopped.current = false;
    setRunning(true);
    await Promise.all(Array.from({length: atOnce}, async () => {
      while (waiting.length > 0 && !stopped.current) {
        await handle(waiting.shift()!);
      }
    }));
    setRunning(false);
    return stopped.current;
  };
  return {isRunning, run, stop};
}
