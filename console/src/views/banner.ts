import {html} from '../html.ts';
import {useMay} from '../requests.ts';
import {href, sequencePath, type Path} from '../router.ts';
import type {useStanding} from './standing.ts';
import {RANGE_IS_USED_UP} from '../terms.ts';
import {isUsedUp, moment, periodName, sentence} from '../words.ts';

interface BannerProps {
  readonly path: Path;
  readonly standing: ReturnType<typeof useStanding>;
}

/** States above each view why a sequence allocates nothing, with a link to the remedy. */
export function Banner({path, standing: {definition, state, retiredAt, retired, suspended}}: BannerProps) {
  const mayRevive = useMay('PutDefinition');
  const mayResume = useMay('Resume');
  const mayChange = useMay('PatchDefinition');
  const to = (view: string, verb: string) => html` <a href=${href(sequencePath(path.scope, path.name, view))}>${verb}</a>`;
  const stored = definition.value;
  if (retiredAt) {
    return html`<p class="banner bad"><strong>Retired</strong> on ${moment(retiredAt)}${by(retired?.actor)}. No new numbers are allocated; its numbers and its ledger stay.${mayRevive && to('lifecycle', 'Revive it')}</p>`;
  }
  if (suspended) {
    return html`<p class="banner warn"><strong>Suspended</strong> since ${moment(suspended.at)}${sentence(`${by(suspended.actor)}${suspended.reason ? `: ${suspended.reason}` : ''}`)} No new numbers are allocated.${mayResume && to('lifecycle', 'Resume it')}</p>`;
  }
  if (stored && state.value && isUsedUp(state.value, stored)) {
    const resets = stored.resetEvery && stored.resetEvery !== 'never';
    return html`<p class="banner bad"><strong>No numbers left</strong>${resets ? ` in ${periodName(state.value.period, stored)}` : ''}. ${RANGE_IS_USED_UP}${resets ? ' until the next period starts' : ''}. ${isReversed(stored.format)
      ? html`The format fixes the range: ${to('definition', 'change the format')} first, then widen the range, or create another sequence.`
      : mayChange ? html`Widen the range in the${to('definition', 'definition')}.` : 'The owner can widen the range.'}</p>`;
  }
  return null;
}

function by(actor: string | undefined): string {
  return actor ? ` by ${actor}` : '';
}

/** Whether the format counts backwards, which fixes the range. */
function isReversed(format: string | undefined): boolean {
  return !!format && /\{r(:\d+)?}/.test(format);
}
