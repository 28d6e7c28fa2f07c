import type {Call} from './calls.ts';
import {store} from './store.ts';

/** The key that is sent with each call, and who is said to make it. */
export interface Access {
  readonly key: string;
  readonly actor: string;
  /** Whether both outlive a reload, in this tab. Else they are in memory only. */
  readonly kept: boolean;
}

const PLACE = 'numera-access';
const NOBODY: Access = {key: '', actor: '', kept: false};

function remembered(): Access {
  const text = sessionStorage.getItem(PLACE);
  return text ? {...NOBODY, ...JSON.parse(text)} : NOBODY;
}

export const access = store<Access>(remembered());
/** The functions that this key does not open. */
export const refused = store<ReadonlySet<Call>>(new Set());
/** The functions of which it was asked whether this key opens them. */
export const tried = new Set<Call>();
/** Whether the page asks for a key now. */
export const asking = store(false);

/** From here on calls are made with this key. What was found out about another one says nothing of it. */
export function enter(next: Access): void {
  if (next.kept) {
    sessionStorage.setItem(PLACE, JSON.stringify(next));
  } else {
    sessionStorage.removeItem(PLACE);
  }
  if (next.key !== access.get().key) {
    refused.set(new Set());
    tried.clear();
  }
  access.set(next);
}

/** The answer may come late: what a key was refused that is the present one no more is forgotten. */
export function refuse(call: Call, key: string): void {
  if (key !== access.get().key) {
    return;
  }
  refused.set(new Set([...refused.get(), call]));
  if (!key) {
    asking.set(true);
  }
}
