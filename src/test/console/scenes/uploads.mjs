import assert from 'node:assert/strict';
import test from 'node:test';
import { call, importRows } from '../app.mjs';
import { click, downloads, drop, inspect, saved, submit, visit } from '../browser.mjs';
import { ODD_KEY, YEAR } from '../world.mjs';

test('previews a dropped CSV before it is sent, and returns its rows with numbers', async (t) => {
  const { page, sees, press, fill, finds } = await visit(t, '#/sequences/shop/credit-note/upload');
  await sees('Drop a CSV file here');
  const rows = Array.from({ length: 250 }, (_, i) => `Customer ${i};back-${i};${YEAR}-03-0${1 + i % 9}`);
  await drop(page, 'returns.csv', `Customer;Return;Day\r\n${rows.join('\r\n')}\r\n`);
  await sees('Customer 0', 'back-4', 'dates');
  assert.equal(await (await finds('Column with the dates')).evaluate(({ value }) => value), 'Day');
  await fill('Column with the keys', 'Return');
  await inspect(page, 'upload-rows', { fullPage: true });
  await press('Assign numbers');
  await sees('Completed: every key has a number', 'back-0', `CR/${YEAR}/00004`);
  await inspect(page, 'upload-result');
  assert.match(page.url(), /\/uploads\/[0-9a-f]{32}$/);
  await page.reload();
  await sees('Completed: every key has a number');
  const folder = await downloads(page);
  await press('Download CSV');
  assert.match((await saved(folder)).text, /Customer;Return;Day;number;text;problem;stored_date\r\nCustomer 0;back-0;'.*;4;CR\/.*;;'\d{4}-03-01\r\n/);
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
  await importRows('shop/moved', [{ key: 'kept', number: 3 }]);
  const ledger = async () => (await call('GET', 'sequences/shop/moved/ledger')).json.entries;
  const before = await ledger();
  const { page, sees, misses, press, fill, choose, goes } = await visit(t, '#/sequences/shop/moved/upload');
  await choose('Import numbers of another system');
  await fill('Or paste rows with a header line', 'Key;Number;Status;Reason\nold-1;1;;\nold-2;2;void;Wrong address\nold-3;3;;\nold-4;four;;\n;5;;\nold-6;6;;\nold-7;6;;');
  await sees('old-3');
  await press('Check the rows');
  await sees('Checked: some rows would be refused', 'Can be imported', 'The number is taken. It belongs to the key kept.', 'number must be a whole number', 'key must have');
  await sees('The number is taken. Line 8 of the file has it, too.', 'The number is taken. Line 7 of the file has it, too.');
  await sees('number must be a whole number', 'key must have');
  assert.deepEqual(await page.$$eval('tbody tr', (rows) => rows.flatMap((row) => [...row.cells].map(({ textContent }) => textContent.trim()).filter((text) => !text))), []);
  await inspect(page, 'import-check-refused', { fullPage: true });
  assert.deepEqual(await ledger(), before);
  await press('Import numbers …');
  await sees('This cannot be undone.', '2 rows (the 5 refused ones stay out)');
  await submit(page);
  await sees('Completed with 5 refused rows', 'M-0001', 'refused', 'Already imported');
  await choose('Only refused rows', 'checkbox');
  await misses('M-0001');
  const folder = await downloads(page);
  await press('Download refused rows');
  const { name, text } = await saved(folder);
  assert.match(name, /^shop-moved-refused-/);
  assert.match(text, /^\uFEFFKey;Number;Status;Reason;line;outcome;problem\r\nold-3;3;;;4;refused;/);
  // The user corrects the rows in a spreadsheet and uploads them again.
  const corrected = text.replace('old-3;3', 'old-3;8').replace('four', '4').replace(/^"";5;/m, 'old-5;5;').replace('old-7;6', 'old-7;7');
  await goes('/sequences/shop/moved/upload?task=import');
  await drop(page, name, corrected);
  await press('Check the rows');
  await sees('Checked: every row can be imported', 'old-5');
});

test('ignores a column that another one excludes', async (t) => {
  const { page, sees, fill, finds } = await visit(t, '#/sequences/shop/moved/upload?task=import');
  await fill('Or paste rows with a header line', 'key;number;text\nold-9;9;M-0009');
  await sees('Rows', 'Would be refused');
  await fill('Column with the texts', '');
  await sees('1 number, dated', 'M-0009', 'old-9');
  assert.ok(await (await finds('Ignore text', 'checkbox')).evaluate(({ checked }) => checked));
  await inspect(page, 'import-ignored', { fullPage: true });
});

test('takes no key for a header in a list without a header line', async (t) => {
  const { page, sees, press } = await visit(t, '#/sequences/shop/moved/upload', { failing: [400] });
  await drop(page, 'keys.csv', 'order-1\norder-2\n');
  await press('Assign numbers');
  await sees('its first line could be a key instead of a header');
});

test('reports malformed rows with their lines, and sends nothing', async (t) => {
  const { sees, fill, finds } = await visit(t, '#/sequences/shop/moved/upload?task=import', { failing: [400] });
  await fill('Or paste rows with a header line', 'key;number\nold-9\nold-10;10\nold-11;11;x');
  assert.ok(await (await finds('Check the rows', 'button')).evaluate(({ disabled }) => disabled));
  await sees('Line 2: has 1 columns', 'Line 4: has 3 columns');
});

test('lists uploads and imports with their results, and leads to each from the changes', async (t) => {
  const { page, sees, follow } = await visit(t, '#/sequences/shop/moved/uploads');
  await sees('Imports', 'anna@example.com', 'with refused rows', '2 imported, 5 refused', 'check only', '2 can be imported, 5 refused', 'No upload is kept.');
  await page.evaluate(() => [...document.querySelectorAll('tbody tr')].find((row) => row.innerText.includes('2 imported')).querySelector('a').click());
  await sees('Completed with 5 refused rows');
  await follow('Changes');
  await sees('imported');
  await click(page, page.locator('tbody a.mono'));
  await sees('Completed with 5 refused rows');
  await follow('All uploads');
  await sees('Imports');
});

test('shows what numbered a list, and when', async (t) => {
  const { page, sees, follow } = await visit(t, '#/sequences/shop/credit-note/upload');
  await follow('Earlier uploads and imports');
  await sees('Uploads', '250', 'completed', '250 with a number');
  await click(page, page.locator('tbody a'));
  await sees('Completed: every key has a number');
});
