import type {Call} from './calls.ts';
import {store} from './store.ts';

/** The key that the console sends with each call, and the name of its user. */
export interface Access {
  readonly key: string;
  readonly actor: string;
  /** Whether both survive a reload in this tab. Otherwise they are only in memory. */
  readonly kept: boolean;
}

const PLACE = 'numera-access';
const NO_ACCESS: Access = {key: '', actor: '', kept: false};

function remembered(): Access {
  const text = sessionStorage.getItem(PLACE);
  return text ? {...NO_ACCESS, ...JSON.parse(text)} : NO_ACCESS;
}

export const access = store<Access>(remembered());
/** The functions that refused the current key. */
export const refused = store<ReadonlySet<Call>>(new Set());
/** The functions that were tried with the current key. */
export const tried = new Set<Call>();
/** The keys that at least one function has accepted. */
export const accepted = new Set<string>();
/** Whether the sign-in dialog is open. */
export const isSigningIn = store(false);

/** Uses this key for all later calls, and forgets the permissions of the previous key. */
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

/** Records that a function refused a key. Ignores late answers for an earlier key. */
export function refuse(call: Call, key: string): void {
  if (key !== access.get().key) {
    return;
  }
  refused.set(new Set([...refused.get(), call]));
  if (!key) {
    isSigningIn.set(true);
  }
}
