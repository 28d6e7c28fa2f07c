import assert from 'node:assert/strict';
import test from 'node:test';
import { define, next, status } from '../app.mjs';
import { accessible, downloads, fitsPhone, saved, screenshot, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

const INVOICES = '#/sequences/shop/invoice/check';

test('checks a year: allocated, voided, reserved and skipped numbers', async (t) => {
  const { page, sees, misses, fill, press, follow, finds } = await visit(t, INVOICES);
  await sees('Every number is accounted for', 'skipped', 'Five forms were printed by hand at the fair.', 'The customer withdrew the order.');
  const sums = await page.$$eval('.facts div', (facts) => Object.fromEntries(facts.map(({ children }) => [...children].map(({ textContent }) => textContent))));
  assert.deepEqual([sums.Period, sums.Numbers, sums.Allocated, sums.Voided, sums.Reserved, sums.Skipped], [YEAR, '1 – 46', '41', '2', '3', '5']);
  await accessible(page);
  await fitsPhone(page);
  await screenshot(page, 'month-end', { fullPage: true });
  await screenshot(page, 'month-end-dark', { scheme: 'dark' });
  await screenshot(page, 'month-end-phone', { phone: true });

  await fill('Period', 'all');
  await press('Check');
  await sees('Periods', `${YEAR - 1}`, 'All periods');
  assert.match(page.url(), /period=all/);
  await fill('From number', '41');
  await fill('To number', '45');
  await press('Check');
  await misses('The customer withdrew the order.');
  await follow('40 · order-9040');
  await finds('order-9040');
});

test('lists newly voided numbers when a check is repeated', async (t) => {
  await define('north/closing', { guarantee: 'gapless' });
  await next('north/closing', { key: 'late' });
  const { sees, press } = await visit(t, '#/sequences/north/closing/check');
  await sees('Every number is accounted for', 'No number is voided.');
  await status('north/closing', 'late', 'void', 'It was paid twice.');
  await press('Check again');
  await sees('It was paid twice.');
});

test('shows unaccounted numbers first', async (t) => {
  const { sees } = await visit(t, '#/sequences/shop/order/check');
  await sees('4,213 numbers have no entry', 'unrecorded');
});

test('shows the problem of a sequence without a ledger', async (t) => {
  const { sees } = await visit(t, '#/sequences/shop/ticket/check', { failing: [409] });
  await sees('cached', 'ledger');
});

test('prints the check without its controls', async (t) => {
  const { page, sees } = await visit(t, INVOICES);
  await sees('Every number is accounted for');
  await page.emulateMediaType('print');
  const shown = await page.$$eval('button, input, select', (controls) => controls.filter((control) => control.checkVisibility()).map(({ outerHTML }) => outerHTML));
  assert.deepEqual(shown, []);
  await screenshot(page, 'month-end-print', { media: 'print' });
});

test('saves the ledger of a range of dates as one file', async (t) => {
  const { page, sees, press, fill } = await visit(t, INVOICES);
  const folder = await downloads(page);
  await press('This year');
  await fill('Status', '');
  await press('Download CSV');
  await sees('41 lines saved as');
  const { name, text } = await saved(folder);
  const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  assert.equal(name, `shop-invoice-ledger-${YEAR}-01-01-${YEAR}-12-31.csv`);
  assert.match(lines[0], /^kind,number,to,text,key,/);
  assert.ok(lines.some((line) => line.includes(`INV-${YEAR}-000012`) && line.includes('The customer withdrew the order.')));
});
