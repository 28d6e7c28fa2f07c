import assert from 'node:assert/strict';
import test from 'node:test';
import { define, next } from '../app.mjs';
import { submit, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

const WHO = '#/sequences/shop/invoice/who';

test('finds an entry and its neighbors by text, number and key', async (t) => {
  const { page, fill, press, sees, misses } = await visit(t, WHO);
  for (const [typed, as] of [[`INV-${YEAR}-000012`, 'text'], ['12', `number 12 of ${YEAR}`], ['order-9012', 'key']]) {
    await fill('Text, number or key', typed);
    await press('Search');
    await sees(`Found as ${as}`, `INV-${YEAR}-000012`, 'order-9011', 'order-9013', 'The customer withdrew the order.');
  }
  await fill('Text, number or key', `INV-${YEAR}-000900`);
  await press('Search');
  await sees('No matching number', '47');
  await misses('order-9012');
});

test('shows the entry of a shared address once a key is entered', async (t) => {
  const { fill, press, sees, finds } = await visit(t, `${WHO}?q=order-9012`, { key: null, failing: [401] });
  await finds('Sign in with a key', 'dialog');
  await fill('Function key', process.env.NUMERA_KEY);
  await press('Continue');
  await sees('Found as key', 'The customer withdrew the order.');
});

test('does not report a number as missing when only the last periods were searched', async (t) => {
  await define('north/daily', { guarantee: 'gapless', resetEvery: 'day', timeZone: 'UTC' });
  await Promise.all(Array.from({ length: 25 }, (_, i) => next('north/daily', { key: `k-${i}`, date: `${YEAR - 1}-01-${i + 1 < 10 ? '0' : ''}${i + 1}` })));
  const { sees } = await visit(t, '#/sequences/north/daily/who?q=7', { failing: [422] });
  await sees('No matching number', 'in the last 24 of 25 periods only');
});

test('finds a key that looks like a number, and is larger than any', async (t) => {
  await next('south/sim', { key: '8949020000123456789' });
  const { sees } = await visit(t, '#/sequences/south/sim/who?q=8949020000123456789');
  await sees('Found as key', '8949020000123456789');
});

test('confirms a reserved number, and voids an issued one with a reason', async (t) => {
  const { page, press, fill, sees, goes, finds } = await visit(t, `${WHO}?q=order-9038`);
  await sees('reserved');
  await press('Confirm');
  await finds(`Confirm INV-${YEAR}-000038`, 'dialog');
  await submit(page);
  await sees('Reserved', 'Confirmed', 'by anna@example.com');
  await page.waitForFunction(() => [...document.querySelectorAll('.entry tr')].some(({ innerText }) => /order-9038.*issued/s.test(innerText)));
  await goes('/sequences/shop/credit-note/who?q=return-2');
  await press('Void');
  await finds(`Void CN-${YEAR}-00002`, 'dialog');
  await fill('Reason', 'The goods came back.');
  await submit(page);
  await sees('The goods came back.', 'Voided');
  await goes('/sequences/shop/invoice/who?q=order-9038');
  await sees('Found as key', 'Confirmed');
  await press('Void');
  await finds(`Void INV-${YEAR}-000038`, 'dialog');
  await fill('Reason', 'Paid by another.');
  await submit(page);
  await sees('Paid by another.');
  const steps = await page.$$eval('.history strong', (found) => found.map(({ textContent }) => textContent));
  assert.deepEqual(steps, ['Reserved', 'Confirmed', 'Voided']);
});
