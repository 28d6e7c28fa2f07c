import {html, useState} from '../html.ts';
import {audit, type Audit} from '../audit.ts';
import {Loading, ProblemBox, Table, type Column} from '../parts.ts';
import {useAnswer, useMay, useRequest} from '../requests.ts';
import type {Path} from '../router.ts';
import {ACCEPT, ACTION, NUMBERS, NUMBERS_IN_NO_ROW, PERIOD} from '../terms.ts';
import {textOf, type Definition} from '../words.ts';
import {AcceptDialog, type PeriodGap} from './acceptGap.ts';
import {gapName} from './inspection.ts';

/** The most gaps that the sentence names. The table has all. */
const NAMED = 20;

/** The numbers between imported ones that no import contains, each with a button that accepts the gap. */
export function Lacking({path}: {path: Path}) {
  const mayCheck = useMay('CheckLedger');
  const mayAccept = useMay('AcceptGap');
  const [accepting, setAccepting] = useState<PeriodGap>();
  const {value, problem, busy, again} = useAnswer<readonly Audit[]>(mayCheck ? {call: 'CheckLedger', path} : null, audit);
  const definition = useRequest<Definition>(mayAccept && value ? {call: 'GetDefinition', path} : null).value;
  const gaps = (value ?? []).flatMap(({period, gaps: own}) => own.filter(({kind}) => kind === 'unimported').map(gap => ({...gap, period})));
  if (problem) {
    return html`<${ProblemBox} problem=${problem} again=${again} />`;
  }
  if (gaps.length === 0) {
    return busy ? html`<${Loading} />` : null;
  }
  const columns: Column<PeriodGap>[] = [
    {title: NUMBERS, cell: gap => textOf(gap)},
    {title: PERIOD, cell: ({period}) => period ?? 'all'},
    ...(mayAccept ? [{title: ACTION, cell: (gap: PeriodGap) => html`<button type="button" class="no-print" onClick=${() => setAccepting(gap)}>${ACCEPT} …<span class="unseen"> ${textOf(gap)}</span></button>`}] : []),
  ];
  const accepted = () => {
    setAccepting(undefined);
    again();
  };
  return html`
    <section aria-label=${NUMBERS_IN_NO_ROW}>
      <h2>${NUMBERS_IN_NO_ROW}</h2>
      <p>${gaps.slice(0, NAMED).map(gapName).join(', ')}${gaps.length > NAMED && ' …'} ${gaps.length === 1 && gaps[0]!.first === gaps[0]!.last ? 'is' : 'are'} in no row. Import them as void with a reason, or accept them as never issued.</p>
      ${accepting && html`<${AcceptDialog} path=${path} definition=${definition} gap=${accepting} onDone=${accepted} onClose=${() => setAccepting(undefined)} />`}
      <${Table} caption=${NUMBERS_IN_NO_ROW} columns=${columns} rows=${gaps} busy=${busy} keyOf=${(gap: PeriodGap) => `${gap.period} ${gap.first}`} />
    </section>`;
}
