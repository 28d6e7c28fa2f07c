import assert from 'node:assert/strict';
import test from 'node:test';
import { advance, define, importRows, next, status } from '../app.mjs';
import { accessible, downloads, fitsPhone, saved, screenshot, visit } from '../browser.mjs';
import { TODAY, YEAR } from '../world.mjs';

const INVOICES = '#/sequences/shop/invoice/check';

test('checks a year: allocated, voided, reserved and skipped numbers', async (t) => {
  const { page, sees, misses, fill, press, follow, finds } = await visit(t, `${INVOICES}?period=${YEAR}`);
  await sees('Every number is accounted for', 'skipped', 'Five forms were printed by hand at the fair.', 'The customer withdrew the order.');
  const sums = await page.$$eval('.facts div', (facts) => Object.fromEntries(facts.map(({ children }) => [...children].map(({ textContent }) => textContent))));
  assert.deepEqual([sums.Period, sums.Numbers, sums.Allocated, sums.Voided, sums.Reserved, sums.Skipped], [YEAR, '1 – 46', '41', '2', '3', '5']);
  assert.deepEqual(await page.$$eval('td[data-label=Date]', (cells) => cells.map(({ textContent }) => textContent).filter((date) => !/^\d+ \w+ \d{4}$/.test(date))), []);
  await accessible(page);
  await fitsPhone(page);
  await screenshot(page, 'month-end', { fullPage: true });
  await screenshot(page, 'month-end-dark', { scheme: 'dark' });
  await screenshot(page, 'month-end-phone', { phone: true });

  await fill('Period', 'period=all');
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

test('offers this month first, and shows what its dates span', async (t) => {
  const MONTH = TODAY.slice(0, 7);
  const first = `${MONTH}-01`;
  const before = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
  await define('books/month', { guarantee: 'gapless', format: 'B-{n:4}' });
  for (const [key, date] of [['a', before], ['b', first], ['late', before], ['c', first]]) await next('books/month', { key, date });
  await advance('books/month', 7, 'Two forms were torn.');
  await next('books/month', { key: 'd', date: first, reserve: true });
  await status('books/month', 'c', 'void', 'It was paid twice.');
  await importRows('books/month', [{ key: 'old', number: 2, date: first }, { key: 'older', number: 1, date: before }]);
  const { page, sees, misses, fill, press } = await visit(t, '#/sequences/books/month/check');

  await sees('Every number is accounted for, but 1 row of imports was refused', '1 reserved number', 'Two forms were torn.', 'It was paid twice.', 'old');
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(first));
  assert.equal(await page.$eval('form.bar option', (option) => option.textContent), name);
  const sums = await page.$$eval('.facts div', (facts) => Object.fromEntries(facts.map(({ children }) => [...children].map(({ textContent }) => textContent))));
  assert.deepEqual([sums.Period, sums.Numbers, sums['Of other dates among them'], sums.Allocated, sums.Voided, sums.Reserved, sums.Skipped, sums['Checked by']],
    [name, '2 – 7', '1', '3', '1', '1', '2', 'anna@example.com']);
  await misses('older');
  await accessible(page);
  await fitsPhone(page);
  await screenshot(page, 'month-end-month', { fullPage: true });

  const folder = await downloads(page);
  await press('Save as CSV');
  const lines = (await saved(folder)).text.split('\r\n');
  for (const line of ['gap,advanced,5,6,,,,,,,Two forms were torn.,', 'summary,Allocated,,,3,,,,,,,']) assert.ok(lines.includes(line), lines.join('\n'));
  for (const start of ['void,allocation,4,4,B-0004,c,', 'reserved,allocation,7,7,B-0007,d,', 'refused,import,2,,,old,']) assert.ok(lines.some((line) => line.startsWith(start)), lines.join('\n'));

  await fill('Reserved before', first);
  await press('Check');
  await sees('1, 0 of them before', '1 reserved number');
  await fill('Period', 'dates');
  await fill('From date', before);
  await fill('To date', before);
  await press('Check');
  await sees('1 – 3', 'older');
  assert.match(page.url(), new RegExp(`dateFrom=${before}&dateTo=${before}`));
});

test('exports every period where no dates are chosen', async (t) => {
  await define('south/yearly', { guarantee: 'gapless', resetEvery: 'year', timeZone: 'UTC' });
  for (const date of [`${YEAR - 2}-06-01`, `${YEAR - 1}-06-01`, TODAY]) await next('south/yearly', { key: date, date });
  const { page, sees, fill, press } = await visit(t, '#/sequences/south/yearly/check');
  await sees('Export the ledger');
  await fill('First day', '');
  await fill('Last day', '');
  const folder = await downloads(page);
  await press('Download CSV');
  await sees('3 lines saved');
  assert.deepEqual((await saved(folder)).text.match(/^allocation,1,/gm).length, 3);
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
  const { sees } = await visit(t, '#/sequences/shop/order/check?period=all');
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
  await sees('42 lines saved as');
  const { name, text } = await saved(folder);
  const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  assert.equal(name, `shop-invoice-ledger-${YEAR}-01-01-${YEAR}-12-31.csv`);
  assert.match(lines[0], /^kind,number,to,text,key,/);
  assert.equal(lines.at(-1), `advance,41,45,,,${YEAR},,,,,Five forms were printed by hand at the fair.,,,,`);
  assert.ok(lines.some((line) => line.includes(`INV-${YEAR}-000012`) && line.includes('The customer withdrew the order.')));
});
