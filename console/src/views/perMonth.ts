import {html, useMemo} from '../html.ts';
import {useRequest} from '../requests.ts';
import type {Path} from '../router.ts';
import {amount, dayOf, monthName, type Definition, type State} from '../words.ts';
import type {Entry} from './entries.ts';
import {monthFrom} from './months.ts';

/** The number of last numbers to count. */
const COUNTED = 1_000;
const SHOWN = 12;

/**
 * Returns how many numbers have a date in each month, oldest first. If the entries are not all, the first month may be incomplete, and is
 * left out.
 */
export function countsOf(entries: readonly Entry[], areAll: boolean): [month: string, count: number][] {
  const counts = new Map<string, number>();
  for (const {date, count = 1} of entries.filter(entry => entry.date)) {
    counts.set(date!.slice(0, 7), (counts.get(date!.slice(0, 7)) ?? 0) + count);
  }
  const [first, last] = [...counts.keys()].sort().filter((_, i, all) => i === 0 || i === all.length - 1);
  const months = first ? [first] : [];
  while (last && months.at(-1)! < last) {
    months.push(monthFrom(months.at(-1)!, 1));
  }
  return months.slice(areAll ? 0 : 1).map(month => [month, counts.get(month) ?? 0]);
}

type Range = {readonly from?: string; readonly to?: string};

/** Returns the range of the last numbers, and the range of all numbers before them. */
function rangesOf(state: State, definition: Definition): [last: Range, before: Range] {
  const step = BigInt(definition.increment ?? 1);
  const begin = BigInt(state.next) - step * BigInt(COUNTED);
  return step > 0n ? [{from: String(begin)}, {to: String(begin - 1n)}] : [{to: String(begin)}, {from: String(begin + 1n)}];
}

/** The documents of each month, among the last numbers of the period; hidden for fewer than two months. */
export function PerMonth({path, state, definition}: {path: Path; state: State; definition: Definition}) {
  const [last, before] = rangesOf(state, definition);
  const entriesIn = (range: Range, limit: number) => ({call: 'ReadLedger', path, query: {...range, date: dayOf(state.period, definition), limit}} as const);
  const {value} = useRequest<{entries: readonly Entry[]}>(entriesIn(last, COUNTED));
  // The state does not count imported numbers, and these may come before the start of the sequence, so only the ledger has the answer.
  const earlier = useRequest<{entries: readonly Entry[]}>(entriesIn(before, 1)).value;
  const counts = useMemo(() => countsOf(value?.entries ?? [], earlier?.entries.length === 0).slice(-SHOWN), [value, earlier]);
  const most = Math.max(...counts.map(([, count]) => count));
  return counts.length > 1 && html`
    <section class="card"><h2>Documents per month</h2>
      <ol class="bars">${counts.map(([month, count]) => html`<li key=${month}><span>${monthName(month)}</span>
        <meter min="0" max=${most} value=${count} aria-label=${`${monthName(month)}: ${amount(count)}`}></meter><span>${amount(count)}</span></li>`)}</ol>
    </section>`;
}
