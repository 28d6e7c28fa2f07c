import assert from 'node:assert/strict';
import test from 'node:test';
import { call } from '../app.mjs';
import { accessible, downloads, fitsPhone, saved, screenshot, visit } from '../browser.mjs';
import { ODD_KEY, YEAR } from '../world.mjs';

/** As a file is dropped from the desktop. */
const drop = (page, name, text) => page.evaluate((called, content) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([content], called, { type: 'text/csv' }));
  document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
}, name, text);

test('previews a dropped CSV before it is sent, and returns its rows with numbers', async (t) => {
  const { page, sees, press, fill } = await visit(t, '#/sequences/shop/credit-note/upload');
  await sees('Drop a CSV file here');
  await screenshot(page, 'upload-empty');
  await accessible(page);
  const rows = Array.from({ length: 250 }, (_, i) => `Customer ${i};back-${i};${YEAR}-03-0${1 + i % 9}`);
  await drop(page, 'returns.csv', `Customer;Return;Day\r\n${rows.join('\r\n')}\r\n`);
  await sees('Customer 0', 'back-4');
  await fill('Column with the keys', 'Return');
  await fill('Column with the dates', 'Day');
  await accessible(page);
  await fitsPhone(page);
  await screenshot(page, 'upload', { fullPage: true });
  await press('Assign numbers');
  await sees('Completed: every key has a number', 'back-0', `CR/${YEAR}/00004`);
  await accessible(page);
  await screenshot(page, 'upload-result');
  assert.match(page.url(), /\/uploads\/[0-9a-f]{32}$/);
  await page.reload();
  await sees('Completed: every key has a number');
  const folder = await downloads(page);
  await press('Download CSV');
  assert.match((await saved(folder)).text, /Customer;Return;Day;number;text\r\nCustomer 0;back-0;.*;4;CR\//);
});

test('accepts pasted keys with any characters, and keeps earlier choices', async (t) => {
  const { page, sees, press, fill, choose } = await visit(t, '#/sequences/odd/texts/upload');
  await fill('Or paste keys, one on each line', 'pasted-1');
  await choose('Reserve the numbers only', 'checkbox');
  await fill('Or paste keys, one on each line', `pasted-1\n${ODD_KEY}\n=1+2`);
  await sees('Preview', ODD_KEY);
  await press('Assign numbers');
  await sees('Completed: every key has a number', 'pasted-1', ODD_KEY, '=1+2', 'reserved');
  assert.notEqual(await page.title(), 'run');
});

test('imports numbers of another system, and explains each rejected one', async (t) => {
  await call('PUT', 'sequences/shop/moved', { body: { guarantee: 'gapless', format: 'M-{n:4}', description: 'Moved in' }, 'If-None-Match': '*' });
  const { page, sees, misses, press, fill, choose } = await visit(t, '#/sequences/shop/moved/upload');
  await choose('Import numbers of another system');
  await fill('Or paste rows with a header line', 'Key;Number;Status;Reason\nold-1;1;;\nold-2;2;void;Wrong address\nold-3;2;;');
  await sees('old-3');
  await accessible(page);
  await press('Import numbers');
  await sees('Completed with rejected rows', 'M-0001', 'refused', 'Already imported');
  await accessible(page);
  await screenshot(page, 'import-result');
  await choose('Only refused rows', 'checkbox');
  await misses('M-0001');
  const folder = await downloads(page);
  await press('Download CSV');
  assert.match((await saved(folder)).text, /^\uFEFFkey,number,date,outcome,problem\r\nold-3,2,,refused,/);
});

test('offers no alternative to a column that is used anyway', async (t) => {
  const { page, sees, fill } = await visit(t, '#/sequences/shop/moved/upload?task=import');
  await fill('Or paste rows with a header line', 'key;number;text\nold-9;9;M-0009');
  await sees('A row has a number or a text, not both');
  const taken = await page.$$eval('form.sending select:not(:has(option[value=""]))', (lists) => lists.map(({ value }) => value));
  assert.deepEqual(taken, ['key', 'number', 'text']);
});

test('takes no key for a header in a list without a header line', async (t) => {
  const { page, sees, press } = await visit(t, '#/sequences/shop/moved/upload', { failing: [400] });
  await drop(page, 'keys.csv', 'order-1\norder-2\n');
  await press('Assign numbers');
  await sees('no key is taken for the header line');
});

test('reports unreadable rows with their lines, and sends nothing', async (t) => {
  const { sees, press, fill } = await visit(t, '#/sequences/shop/moved/upload?task=import', { failing: [400] });
  await fill('Or paste rows with a header line', 'key;number\nold-9;nine');
  await press('Import numbers');
  await sees('line 2');
});
