import {html} from '../html.ts';
import {useFresh, useRequest} from '../requests.ts';
import {amount} from '../words.ts';

/** The time between two requests. It is long, because each request makes the service check up to 32 messages. */
const EVERY_MILLIS = 300_000;

/** The approximate number of failed messages, for the navigation; hidden if it is 0. */
export function PoisonCount() {
  const {value, again} = useRequest<{approximateCount: number}>({call: 'ListPoison'});
  useFresh(again, EVERY_MILLIS);
  return value && value.approximateCount > 0 ? html` <span class="chip bad">${amount(value.approximateCount)}<span class="unseen"> messages</span></span>` : null;
}
