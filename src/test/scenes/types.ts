// Uses the types of the JavaScript client as a caller does. It is only compiled.
import { Numera, NumeraProblem, NumeraUnavailable } from '../../../clients/javascript/numera.js';

const numera = new Numera({ url: 'http://127.0.0.1:7071/api', token: async () => 'token' });

export async function everyCall(): Promise<number[]> {
  const { first, texts = [] } = await numera.next('shop/order', 'order-1', { count: 2, actor: 'anna', signal: AbortSignal.timeout(9) });
  const numbers = [first, texts.length, (await numera.reserve('shop/order', 'order-2')).last];
  numbers.push((await numera.nextWithoutKey('shop/order')).attempts);
  await numera.confirm('shop/order', 'order-2', { actor: 'anna' });
  for await (const row of numera.batch('shop/order', 'list-1', ['order-3'], { date: '2026-11-21' })) {
    if (row.problem) console.log(row.key, row.problem.detail);
    else numbers.push(row.first);
  }
  for await (const row of numera.importNumbers('shop/order', 'old', [{ key: 'old-1', number: 1 }], { onlyRefused: true })) {
    if (row.outcome === 'refused') console.log(row.key, row.problem.detail);
    else numbers.push(row.first);
  }
  for await (const entry of numera.ledger('shop/order', { status: 'reserved' })) numbers.push(entry.first);
  try {
    await numera.voidNumbers('shop/order', 'order-2', 'The payment failed.');
  } catch (e) {
    if (e instanceof NumeraProblem) numbers.push(e.status, e.fields.left ?? 0);
    if (e instanceof NumeraUnavailable) numbers.push(e.attempts ?? 0);
  }
  return numbers;
}
