import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define, next, status } from '../app.mjs';
import { accessible, inspect, submit, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

test('shows the ledger filtered by dates, status and the beginning of keys, in an address to share', async (t) => {
  const { page, sees, misses, fill, press, follow } = await visit(t, '#/sequences/shop/invoice/ledger');
  await sees(`INV-${YEAR}-000001`, 'order-9040', 'Five forms were printed by hand at the fair.', 'order-8990');
  await fill('Order', 'asc');
  await press('Show');
  await sees(`The current period, ${YEAR}.`, `INV-${YEAR}-000001`, 'order-9040');
  await misses('order-8990');
  await fill('Order', '');
  await fill('Status', 'void');
  await press('Show');
  await sees('Wrong address', 'by anna@example.com');
  await misses('order-9001');
  await fill('Status', '');
  await fill('First day', `${YEAR - 1}-12-01`);
  await fill('Last day', `${YEAR - 1}-12-31`);
  await fill('Key starts with', 'order-8');
  await press('Show');
  await sees('order-8990');
  await misses(`INV-${YEAR}`);
  await page.reload();
  await sees('order-8990');
  await fill('Key starts with', 'ORDER');
  await press('Show');
  await sees('No entries');
  await follow('Clear');
  await sees('order-9040');
});

test('shows the newest numbers first, and new ones move no page', async (t) => {
  await define('north/paged', { guarantee: 'gapless', format: 'PG-{n:3}', timeZone: 'UTC' });
  for (const first of [1, 66]) {
    await Promise.all(Array.from({ length: 65 }, (_, i) => next('north/paged', { key: `k-${first + i}`, date: `${YEAR - 1}-0${first === 1 ? 1 : 2}-15` })));
  }
  const { page, sees, misses, press, fill, follow } = await visit(t, '#/sequences/north/paged/ledger');
  await sees('PG-130', 'PG-031');
  await misses('PG-030');
  const texts = () => page.$$eval('tbody th a', (links) => links.map(({ textContent }) => textContent));
  assert.equal((await texts())[0], 'PG-130');
  await next('north/paged', { key: 'new', date: `${YEAR - 1}-02-15` });
  await press('Show more');
  await sees('PG-001');
  const shown = await texts();
  assert.deepEqual([shown.length, new Set(shown).size, shown.at(-1)], [130, 130, 'PG-001']);
  await fill('Last day', `${YEAR - 1}-01-31`);
  await press('Show');
  await sees('PG-065');
  await misses('PG-066');
  await follow('Clear');
  await sees('PG-131');
});

test('confirms and voids several entries at once, and reports each refused one', async (t) => {
  await define('north/several', { guarantee: 'gapless', format: 'SV-{n}' });
  for (const key of ['s-1', 's-2', 's-3', 's-4']) await next('north/several', { key, reserve: key !== 's-1' });
  const { page, sees, misses, press, fill, choose } = await visit(t, '#/sequences/north/several/ledger', { failing: [409] });
  await choose('Select SV-1', 'checkbox');
  await sees('1 selected; only reserved numbers can be confirmed');
  await press('Clear selection');
  await press('Select all shown');
  await sees('4 selected');
  await press('Confirm 3 …');
  await accessible(page);
  await submit(page);
  await sees('3 entries confirmed');
  await submit(page);
  await page.waitForFunction(() => !document.querySelector('tbody .warn'), { polling: 50 });
  await status('north/several', 's-3', 'void', 'Voided by someone else.');
  await sees('1 selected');
  await press('Clear selection');
  await press('Select all shown');
  await press('Void 4 …');
  await fill('Reason', 'The fair was cancelled.');
  await page.waitForSelector('dialog button[type=submit]:disabled');
  await fill('Type north/several to confirm', 'north/several');
  await submit(page);
  await sees('3 entries voided', '1 entry was refused', 's-3', 'The status is final');
  await inspect(page, 'void-several-result');
  await submit(page);
  await sees('The fair was cancelled.', 'Void 1 …');
  const { json: { entries } } = await call('GET', 'sequences/north/several/ledger');
  assert.deepEqual(entries.map(({ reason }) => reason), ['The fair was cancelled.', 'The fair was cancelled.', 'Voided by someone else.', 'The fair was cancelled.']);
});
