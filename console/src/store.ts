import {useEffect, useState} from './html.ts';

/** A shared value. Views that follow it are drawn again when it changes. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  follow(listener: () => void): () => void;
}

export function store<T>(value: T): Store<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      listeners.forEach(listener => listener());
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(followed: Store<T>): T {
  const [value, setValue] = useState(followed.get());
  useEffect(() => {
    setValue(() => followed.get());
    return followed.follow(() => setValue(() => followed.get()));
  }, [followed]);
  return value;
}
