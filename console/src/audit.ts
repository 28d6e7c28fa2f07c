import {pagesOf, type ApiRequest} from './api.ts';

/** Numbers that are not in the ledger under exactly one key. */
export interface Gap {
  /** The period, for a gap of a closing. A gap of a check has the period of its page. */
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

/** A page of the check, or the sum of several pages of one period. */
export interface Audit {
  readonly period?: string;
  /** The first checked number; missing if there are no numbers to check. */
  readonly from?: number | bigint;
  readonly to?: number | bigint;
  /** The count of numbers between the two that have other dates; only for a check by dates. */
  readonly otherDates?: number;
  readonly checkedAt: string;
  readonly allocated: number;
  readonly void: number;
  readonly reserved: number;
  readonly gaps: readonly Gap[];
}

/** Reads page after page. After each, reports the result so far, with one audit for each period. */
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

/** Returns how many numbers a gap has. */
export function sizeOf(gap: Gap, increment: number | bigint): number {
  return Math.abs(Number((BigInt(gap.last) - BigInt(gap.first)) / BigInt(increment))) + 1;
}
