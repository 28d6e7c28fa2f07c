import type {Num} from '../words.ts';

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
}
