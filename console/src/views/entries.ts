import type {Num} from '../words.ts';

/** A status of numbers, since when, and by whom. */
export interface StatusChange {
  readonly status: string;
  readonly at: string;
  readonly reason?: string;
  readonly actor?: string;
}

/** A row of the ledger: numbers of a key, or numbers that were passed over. */
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
  /** Who requested or imported the numbers, or skipped them. */
  readonly actor?: string;
  readonly statusActor?: string;
  /** Of the entry of a key: each status that was set. */
  readonly history?: readonly StatusChange[];
}
