import assert from 'node:assert/strict';
import test from 'node:test';
import { visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

const rows = (page) => page.$$eval('tbody tr:not(.group) a', (links) => links.map(({ textContent }) => textContent));

test('lists all sequences under their scopes, and filters them while the user types', async (t) => {
  const { page, fill, sees, finds, follow } = await visit(t);
  await sees('Invoices of the web shop', `INV-${YEAR}-000047`, '10 sequences', '96%', 'retired', 'by the clock');
  await fill('Filter', 'north inv');
  await sees('2 of 10 sequences');
  assert.deepEqual(await rows(page), ['invoice', 'old-invoice']);
  await page.reload();
  await sees('2 of 10 sequences');
  await fill('Filter', 'nowhere');
  await sees('No matching sequences');
  await fill('Filter', 'shop/');
  await sees('Invoices of the web shop', '7 of 10 sequences');
  await fill('Filter', 'shop/invoice');
  await follow('invoice');
  await finds('invoice', 'heading');
});
