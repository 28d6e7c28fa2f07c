// Numbers orders, each once whatever fails: node checkout.mjs order-9001 order-9002
//
// The order's own id is the key. A key gets the same number for ever, so after any failure, a crash of this program too, the same
// request is sent again. Needs Node 20 or later and nothing else.
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const API = process.env.NUMERA_URL ?? 'http://127.0.0.1:7071/api';
const SEQUENCE = process.env.NUMERA_SEQUENCE ?? 'shop/order';
const HEADERS = process.env.NUMERA_KEY ? { 'x-functions-key': process.env.NUMERA_KEY } : {};
const TRY_FOR_MILLIS = 120_000;
const ANSWER_WITHIN_MILLIS = 30_000;
const TRY_AGAIN = [408, 429, 500, 502, 503, 504];

/** What was answered does not change by another request. */
export class Refused extends Error {}

/** The number of an order, as it is to be printed: always the same for the same order. */
export async function numberOf(order) {
  const deadline = Date.now() + TRY_FOR_MILLIS;
  for (let wait = 250; ; wait = Math.min(2 * wait, 10_000)) {
    let failure;
    let waitMillis = wait * (0.5 + Math.random() / 2);
    try {
      const answer = await request(order);
      if (answer.status === 200) {
        const { first, texts } = await answer.json();
        return texts ? texts[0] : String(first);
      }
      failure = `${answer.status} ${await answer.text()}`;
      const retryAfter = answer.headers.get('retry-after');
      const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json');
      if (!TRY_AGAIN.includes(answer.status) || (isProblem && !retryAfter)) {
        throw new Refused(failure);
      }
      waitMillis = Math.max(waitMillis, 1000 * (Number(retryAfter) || 0));
    } catch (e) {
      if (e instanceof Refused) throw e;
      // No answer, or half of one: whether there is a number is not known, and need not be.
      failure = e.cause?.message ?? e.message;
    }
    if (Date.now() + waitMillis > deadline) {
      throw new Error(`No number for ${order} yet. Try again later, with the same key. ${failure}`);
    }
    console.error(`${order}: trying again in ${Math.round(waitMillis)} ms. ${failure}`);
    await sleep(waitMillis);
  }
}

function request(order) {
  return fetch(`${API}/sequences/${SEQUENCE}/next?key=${encodeURIComponent(order)}`, {
    method: 'POST',
    headers: HEADERS,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MILLIS),
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const order of process.argv.slice(2)) {
    console.log(`${order} ${await numberOf(order)}`);
  }
}
