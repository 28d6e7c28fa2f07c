import assert from 'node:assert/strict';
import test from 'node:test';
import { advance, call, define, importRows, next, status } from '../app.mjs';
import { accessible, downloads, fitsPhone, saved, screenshot, visit } from '../browser.mjs';
import { TODAY } from '../world.mjs';

const MONTH = TODAY.slice(0, 7);
const day = (date) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(date));

/** Waits for the complete table and returns the texts of its cells. */
async function rowsOf(page, caption) {
  const table = await page.waitForFunction((wanted) => [...document.querySelectorAll('[aria-busy=false] > table')]
    .find((each) => each.caption.textContent === wanted), {}, caption);
  return table.evaluate(({ tBodies }) => [...tBodies[0].rows].map(({ cells }) => [...cells].map(({ innerText }) => innerText.trim())));
}

/** Holds the page's requests whose address contains the part. The returned function releases them. */
async function hold(page, part) {
  const held = [];
  const receive = (request) => (request.url().includes(part) ? held.push(request) : request.continue());
  await page.setRequestInterception(true);
  page.on('request', receive);
  return async () => {
    page.off('request', receive);
    page.on('request', (request) => request.continue());
    await Promise.all(held.map((request) => request.continue()));
  };
}

test('closes a month, and lists what changed when it is closed again', async (t) => {
  await define('books/closed', { guarantee: 'gapless', format: 'C-{n:4}' });
  for (const key of ['a', 'b']) await next('books/closed', { key, date: `${MONTH}-01` });
  await advance('books/closed', 5, 'Two forms were torn.');
  await next('books/closed', { key: 'c', date: `${MONTH}-01` });
  const { page, sees, misses, press } = await visit(t, '#/sequences/books/closed/check');
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${MONTH}-01`));
  await sees('Every number is accounted for', 'No result of this sequence is recorded yet.');
  await press('Record the result');
  await sees(`Record the result of ${name}?`, 'books/closed', `${day(`${MONTH}-01`)} – `, 'anna@example.com', 'Nothing is locked');
  await accessible(page);
  await screenshot(page, 'closing-confirm');
  await press('Record');
  await sees('Result recorded', 'Recorded results', 'SHA-256');
  await misses('Changed since the previous result');
  const [[dates, closed, result, gaps, changed, sha]] = await rowsOf(page, 'Recorded results, newest first');
  assert.ok(dates.startsWith(`${day(`${MONTH}-01`)} – `) && dates.endsWith('UTC'), dates);
  assert.match(closed, /, \d\d:\d\d UTC, by anna@example\.com$/);
  assert.deepEqual([result, gaps, changed], ['3 allocated, 0 voided, 0 reserved, 0 refused rows', '3 – 4 skipped: Two forms were torn.', '–']);
  assert.match(sha, /^[0-9a-f]{64}$/);

  await press('Record the result again');
  await press('Record');
  await sees('No number was added or changed since');
  await status('books/closed', 'b', 'void', 'It was paid twice.');
  await importRows('books/closed', [{ key: 'found', number: 3, date: `${MONTH}-01` }]);
  await press('Check again');
  await sees('The counts have changed since');
  await press('Record the result again');
  await sees('The numbers that changed since');
  const release = await hold(page, '/ledger?key=');
  await press('Record');
  await sees('2 numbers were added or changed since');
  const disabled = await page.$$eval('.report .actions :disabled', (buttons) => buttons.map(({ textContent }) => textContent));
  assert.deepEqual(disabled, ['Print', 'Save as CSV']);
  await release();
  await sees('It was paid twice.');
  await misses('The counts have changed since');
  const rows = await rowsOf(page, 'Changed since the previous result');
  assert.deepEqual(rows.map(([number, key, , said, , reason]) => [number, key, said, reason]),
    [['C-0002', 'b', 'voided', 'It was paid twice.'], ['C-0003', 'found', 'issued', '']]);
  assert.match(rows[0][4], /^Voided .* UTC, by anna@example\.com$/);
  assert.match(rows[1][4], /^Imported /);
  await page.waitForFunction(() => !document.querySelector('.report .actions :disabled'));
  assert.equal((await rowsOf(page, 'Recorded results, newest first')).length, 3);
  await accessible(page);
  await fitsPhone(page);
  await screenshot(page, 'closing', { fullPage: true });
  await screenshot(page, 'closing-dark', { scheme: 'dark', fullPage: true });
  await screenshot(page, 'closing-phone', { phone: true, fullPage: true });
});

test('links a closing among the changes to its result', async (t) => {
  await define('books/linked', { guarantee: 'gapless' });
  await call('POST', 'sequences/books/linked/closings', { body: { dateFrom: '2025-02-01', dateTo: '2025-02-28' }, 'Numera-Actor': 'anna@example.com' });
  const { sees, misses, follow } = await visit(t, '#/sequences/books/linked/changes');
  await sees('result recorded');
  await misses('sha256');
  await follow('1 Feb 2025 – 28 Feb 2025');
  await sees('0 allocated, 0 voided');
});

test('closes a month without documents', async (t) => {
  await define('books/quiet', { guarantee: 'gapless' });
  const { sees, press } = await visit(t, '#/sequences/books/quiet/check?month=2025-02');
  await sees('No document of February 2025 has a number.');
  await press('Record the result');
  await press('Record');
  await sees('1 Feb 2025 – 28 Feb 2025', '0 allocated, 0 voided');
});

/** Sets the page's clock, which decides the months that the page offers. */
const inJanuary = (page, now) => page.evaluateOnNewDocument((at) => {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...parts) {
      super(...(parts.length > 0 ? parts : [at]));
    }
  };
}, Date.parse(now));

test('the story of November: filed, found again in January, and a late void', async (t) => {
  const year = Number(TODAY.slice(0, 4)) - 1;
  const [november, invoices] = [`${year}-11`, 'story/invoice'];
  await define(invoices, { guarantee: 'gapless', format: 'R{yyyy}-{n:4}', resetEvery: 'year', timeZone: 'Europe/Berlin', description: 'Outgoing invoices' });
  for (const key of ['order-1', 'order-2', 'order-3']) await next(invoices, { key, date: `${november}-03` });
  await status(invoices, 'order-2', 'void', 'The customer left.');
  await call('POST', `sequences/${invoices}/advance?date=${november}-10`, { body: { nextAtLeast: 8, reason: '4 to 7 were written by hand.' }, 'Numera-Actor': 'anna@example.com' });
  await next(invoices, { key: 'order-8', date: `${november}-20`, reserve: true });
  await next(invoices, { key: 'order-9', date: `${year}-12-01` });
  await importRows(invoices, [
    { key: 'by-hand-4', number: 4, date: `${november}-05` },
    { key: 'order-1', number: 5, date: `${november}-06` },
  ]);
  // This row needs a separate import, because an import refuses both of two rows with the number 4.
  await importRows(invoices, [{ key: 'twice', number: 4, date: `${november}-06` }]);

  const { page, sees, press, follow, goes } = await visit(t, `#/sequences/${invoices}/check?month=${november}`);
  await sees('Every number is accounted for, but 2 rows of imports were refused', '1 reserved number', 'The customer left.', '4 to 7 were written by hand.', 'by-hand-4', 'twice');
  await press('Record the result');
  await press('Record');
  await sees('Result recorded');
  const folder = await downloads(page);
  await press('Save as CSV');
  const filed = (await saved(folder)).text;
  const [, sha] = /^summary,SHA-256 of the result,,,([0-9a-f]{64}),/m.exec(filed);
  for (const line of ['gap,advanced,5,7,', 'void,allocation,2,2,', 'reserved,allocation,8,8,', 'refused,import,4,,,twice,', 'summary,Result recorded,,,', 'summary,Time zone of dates,,,Europe/Berlin']) {
    assert.ok(filed.includes(`\n${line}`), `${line} in\n${filed}`);
  }

  await inJanuary(page, `${year + 1}-01-15T09:00:00Z`);
  await page.reload();
  await goes(`#/sequences/${invoices}/check`);
  await sees(`No document of January ${year + 1} has a number.`, `1 Nov ${year} – 30 Nov ${year}`, sha);
  await follow(`1 Nov ${year} – 30 Nov ${year}`);
  await sees('Every number is accounted for', 'Result recorded', 'The customer left.', sha);
  assert.equal(await page.$eval('form.bar select', ({ value }) => value), `month=${november}`);

  await status(invoices, 'order-3', 'void', 'Credited in January.');
  await press('Check again');
  await sees('The counts have changed since');
  await press('Record the result again');
  await press('Record');
  await sees('1 number was added or changed since', 'Credited in January.');
  const [[number, key, date, said, what, reason]] = await rowsOf(page, 'Changed since the previous result');
  assert.deepEqual([number, key, date, said, reason], [`R${year}-0003`, 'order-3', `3 Nov ${year}`, 'voided', 'Credited in January.']);
  assert.match(what, /^Voided .*, by anna@example\.com$/);
  const closings = await rowsOf(page, 'Recorded results, newest first');
  assert.deepEqual(closings.map(([, , result, gaps, changed]) => [result, gaps, changed]), [
    ['5 allocated, 2 voided, 1 reserved, 2 refused rows', `${year}: 5 – 7 skipped: 4 to 7 were written by hand.`, '1'],
    ['5 allocated, 1 voided, 1 reserved, 2 refused rows', `${year}: 5 – 7 skipped: 4 to 7 were written by hand.`, '–'],
  ]);
  assert.equal(closings[1].at(-1), sha);
  assert.notEqual(closings[0].at(-1), sha);
  const later = await downloads(page);
  await press('Save as CSV');
  assert.match((await saved(later)).text, new RegExp(`^changed,Voided,3,3,R${year}-0003,order-3,${year},${november}-03,.*,anna@example.com,Credited in January\\.`, 'm'));
  await screenshot(page, 'closing-story', { fullPage: true });
  await follow(`R${year}-0003`);
  await sees('History', 'Credited in January.');
});
