import assert from 'node:assert/strict';
import test from 'node:test';
import { define, next } from '../app.mjs';
import { visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

const BOX = 'Search all sequences for a text, number or key';

const focused = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label'));

test('finds a text in any case, a key and a number over all sequences, from any view', async (t) => {
  await define('north/other', { format: 'OTHER-{n}' });
  await next('north/other', { key: 'order-9012' });
  const { page, sees, misses, fill, follow } = await visit(t, '#/sequences/shop/credit-note');
  await sees('Credit notes');
  await page.keyboard.press('/');
  assert.equal(await focused(page), BOX);
  await page.keyboard.type('order-9012');
  await page.keyboard.press('Enter');
  await sees('2 matches for order-9012', 'shop/invoice', `INV-${YEAR}-000012`, 'voided', 'north/other', 'OTHER-1', 'Found by');
  await fill(BOX, `inv-${YEAR}-000012`);
  await page.keyboard.press('Enter');
  await sees(`1 match for inv-${YEAR}-000012`);
  await misses('north/other');
  await follow(`INV-${YEAR}-000012`);
  await sees('Found as key', 'The customer withdrew the order.');
});

test('finds a text without its hyphens, zeros and capital letters, by the keyboard alone', async (t) => {
  const { page, sees } = await visit(t, '#/');
  await sees('Sequences');
  for (const remembered of [`inv ${YEAR} 12`, `INV${YEAR}000012`, `Inv-${YEAR}-12`, `inv ${YEAR} 0000012`]) {
    await page.keyboard.press('/');
    await page.evaluate(() => document.activeElement.select());
    await page.keyboard.type(remembered);
    await page.keyboard.press('Enter');
    await sees(`1 match for ${remembered}`, `INV-${YEAR}-000012`, 'order-9012');
    await page.waitForFunction(() => document.activeElement.matches('.hits a'));
    await page.evaluate(() => document.activeElement.blur());
  }
});

test('leads to the search by Ctrl+K, but not out of a field or a dialog by a slash', async (t) => {
  const { page, sees, press, finds } = await visit(t, '#/sequences/shop/invoice/who?q=order-9012');
  await sees('Found as key');
  await (await finds('Text, number or key')).focus();
  await page.keyboard.press('/');
  assert.notEqual(await focused(page), BOX);
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  assert.equal(await focused(page), BOX);
  await press('Signed in · anna@example.com');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('/');
  assert.notEqual(await focused(page), BOX);
});

test('explains where nothing matches, and goes on after a failure', async (t) => {
  const { page, sees, press } = await visit(t, '#/find?q=no-such-key', { failing: [503] });
  await sees('No matches', 'Filter sequences by');
  let fails = true;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!fails || !request.url().includes('/api/find?q=')) return request.continue();
    fails = false;
    return request.respond({ status: 503, contentType: 'application/problem+json', body: '{"type": "urn:problem-type:numera:overloaded"}' });
  });
  await page.reload();
  await sees('The service is busy');
  await press('Try again');
  await sees('No matches');
});
