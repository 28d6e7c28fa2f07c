import {amount, type Num} from '../words.ts';

/** A change of a status: the time, the user and the reason. */
export interface StatusChange {
  readonly status: string;
  readonly at: string;
  readonly reason?: string;
  readonly actor?: string;
  readonly actorId?: string;
}

/** An entry of the ledger: the numbers of a key, or skipped numbers. */
export interface Entry {
  readonly kind: 'allocation' | 'import' | 'advance';
  readonly key?: string;
  readonly first: Num;
  readonly last: Num;
  readonly count?: number;
  readonly texts?: readonly string[];
  readonly period?: string;
  readonly date?: string;
  readonly allocatedAt: string;
  readonly status?: string;
  readonly reason?: string;
  readonly statusAt?: string;
  /** The user who requested, imported or skipped the numbers. */
  readonly actor?: string;
  readonly statusActor?: string;
  /** The ids of both, if a gateway vouched for them. */
  readonly actorId?: string;
  readonly statusActorId?: string;
  /** Each status that was set, oldest first; only for the entry of a key. */
  readonly history?: readonly StatusChange[];
}

/** Returns how many numbers the entries have. */
export function countOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, {count = 1}) => sum + count, 0);
}

export function numbersOf(entries: readonly Entry[]): string {
  return amount(countOf(entries), 'number');
}
