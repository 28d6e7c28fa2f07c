import {pagesOf, type ApiRequest} from './api.ts';

/** Numbers that are not in the ledger under one key. */
export interface Gap {
  /** Of a closing; the gaps of a check have that of their page. */
  readonly period?: string;
  readonly first: number | bigint;
  readonly last: number | bigint;
  readonly kind: 'advanced' | 'unimported' | 'missing' | 'unrecorded' | 'twice';
  readonly reason?: string;
  readonly before?: Neighbor;
  readonly after?: Neighbor;
}

export interface Neighbor {
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
  /** By dates: how many numbers between the two have other ones. */
  readonly otherDates?: number;
  readonly checkedAt: string;
  readonly allocated: number;
  readonly void: number;
  readonly reserved: number;
  readonly gaps: readonly Gap[];
}

/** Reads page after page and reports after each the result so far, one audit for each period. */
export async function audit(request: ApiRequest, report: (audits: readonly Audit[]) => void, signal: AbortSignal): Promise<void> {
  const periods = new Map<string, Audit>();
  for await (const page of pagesOf<Audit>(request, signal)) {
    const before = periods.get(page.period ?? '');
    periods.set(page.period ?? '', before ? together(before, page) : page);
    report([...periods.values()]);
  }
}

function together(one: Audit, other: Audit): Audit {
  return {
    period: one.period,
    from: one.from ?? other.from,
    to: other.to ?? one.to,
    otherDates: one.otherDates === undefined ? undefined : one.otherDates + (other.otherDates ?? 0),
    checkedAt: other.checkedAt,
    allocated: one.allocated + other.allocated,
    void: one.void + other.void,
    reserved: one.reserved + other.reserved,
    gaps: [...one.gaps, ...other.gaps],
  };
}

/** How many numbers a gap has. */
export function sizeOf(gap: Gap, increment: number | bigint): number {
  return Math.abs(Number((BigInt(gap.last) - BigInt(gap.first)) / BigInt(increment))) + 1;
}
