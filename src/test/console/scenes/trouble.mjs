import assert from 'node:assert/strict';
import test from 'node:test';
import { storage } from '../app.mjs';
import { accessible, screenshot, visit } from '../browser.mjs';
import { ODD_KEY, ODD_TEXT } from '../world.mjs';

test('a wrong key is told, and another one helps', async (t) => {
  const { page, sees, fill, press } = await visit(t, '#/?scope=shop', { key: 'wrong', failing: [401] });
  await sees('This key does not open');
  await accessible(page);
  await screenshot(page, 'wrong-key');
  await press('Enter a key');
  await fill('Function key', process.env.NUMERA_KEY);
  await press('Use');
  await sees('Invoices of the web shop');
});

test('a key that only reads sees everything and changes nothing', async (t) => {
  const { page, sees, misses } = await visit(t, '#/?scope=shop', { failing: [401] });
  // As the host answers for a key that is none of the function's.
  await page.setRequestInterception(true);
  page.on('request', (request) => (request.method() === 'GET' ? request.continue() : request.respond({ status: 401, body: '' })));
  await page.reload();
  await sees('Invoices of the web shop');
  await misses('New sequence');
});

test('storage goes away while the page is open, and comes back', async (t) => {
  const { page, sees, press } = await visit(t, '#/sequences/shop/invoice/check', { failing: [503] });
  await sees('Every number is accounted for');
  await storage('down');
  try {
    await press('Check again');
    await sees('storage');
    await accessible(page);
    await screenshot(page, 'storage-down');
  } finally {
    await storage('up');
  }
  await press('Try again');
  await sees('Every number is accounted for');
});

test('whatever texts look like, they are shown as they stand', async (t) => {
  const { page, sees, goes } = await visit(t, '#/?scope=odd');
  await sees(ODD_TEXT);
  await goes(`/sequences/odd/texts/who?q=${encodeURIComponent(ODD_KEY)}`);
  await sees(ODD_KEY);
  assert.equal(await page.evaluate(() => document.querySelector('main b, main img:not([src^="console/"])')), null);
  assert.notEqual(await page.title(), 'run');
});
