import {pagesOf, type Ask} from './api.ts';

/** Numbers that are not in the ledger under one key. */
export interface Hole {
  readonly first: number | bigint;
  readonly last: number | bigint;
  readonly kind: 'advanced' | 'missing' | 'unrecorded' | 'twice';
  readonly reason?: string;
  readonly before?: Neighbour;
  readonly after?: Neighbour;
}

export interface Neighbour {
  readonly key?: string;
  readonly number: number | bigint;
  readonly allocatedAt: string;
}

/** A page of the check, or several of one period together. */
export interface Audit {
  readonly period?: string;
  /** Missing where there is no number to judge. */
  readonly from?: number | bigint;
  readonly to?: number | bigint;
  readonly checkedAt: string;
  readonly given: number;
  readonly void: number;
  readonly reserved: number;
  readonly holes: readonly Hole[];
}

/** Asks for page after page and tells after each what is known by then, one audit for each period. */
export async function audit(ask: Ask, tell: (audits: readonly Audit[]) => void, signal: AbortSignal): Promise<void> {
  const periods = new Map<string, Audit>();
  for await (const page of pagesOf<Audit>(ask, signal)) {
    const before = periods.get(page.period ?? '');
    periods.set(page.period ?? '', before ? together(before, page) : page);
    tell([...periods.values()]);
  }
}

function together(one: Audit, other: Audit): Audit {
  return {
    period: one.period,
    from: one.from ?? other.from,
    to: other.to ?? one.to,
    checkedAt: other.checkedAt,
    given: one.given + other.given,
    void: one.void + other.void,
    reserved: one.reserved + other.reserved,
    holes: [...one.holes, ...other.holes],
  };
}

/** How many numbers a hole has. */
export function sizeOf(hole: Hole, increment: number | bigint): number {
  return Math.abs(Number((BigInt(hole.last) - BigInt(hole.first)) / BigInt(increment))) + 1;
}
