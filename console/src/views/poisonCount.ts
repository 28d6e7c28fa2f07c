import {html} from '../html.ts';
import {useFresh, useRequest} from '../requests.ts';
import {amount} from '../words.ts';

/** Each look judges up to 32 messages. */
const EVERY_MILLIS = 300_000;

/** How many messages wait in the poison queue, for the navigation; nothing where there are none. */
export function PoisonCount() {
  const {value, again} = useRequest<{approximateCount: number}>({call: 'ListPoison'});
  useFresh(again, EVERY_MILLIS);
  return value && value.approximateCount > 0 ? html` <span class="chip bad">${amount(value.approximateCount)}<span class="unseen"> messages</span></span>` : null;
}
