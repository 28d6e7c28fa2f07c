import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { call, define, next } from '../app.mjs';
import { drop, inspect, submit, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

/** Returns a file as another program wrote it. */
const written = (name) => readFileSync(new URL(`../../resources/files/${name}`, import.meta.url));

const chosen = (select) => select.evaluate(({ value }) => value);
const isDisabled = (button) => button.evaluate(({ disabled }) => disabled);
const ledgerOf = async (sequence, date) => (await call('GET', `sequences/${sequence}/ledger?date=${date}`)).json.entries;

test('shows how the file of an ERP system is read, and what it lacks', async (t) => {
  await define('files/erp', { guarantee: 'gapless', format: 'RE-{yyyy}-{n:5}', resetEvery: 'year', timeZone: 'UTC' });
  const { page, sees, misses, press, fill, finds } = await visit(t, '#/sequences/files/erp/upload?task=import');
  await drop(page, '01-erp-de.csv', written('01-erp-de.csv'));
  await sees('See how the file is read', 'Müller & Söhne', 'Storniert');
  assert.equal(await chosen(await finds('Encoding')), 'windows-1252');
  assert.equal(await chosen(await finds('Column with the texts')), 'Belegnr');
  assert.equal(await chosen(await finds('Column with the dates')), 'Belegdatum');
  assert.equal(await chosen(await finds('Column with the status')), '');
  assert.ok(await isDisabled(await finds('Import numbers …', 'button')));
  await inspect(page, 'file-unread', { fullPage: true });
  await fill('Column with the keys', 'Auftrag');
  await fill('Column with the status', 'Storniert');
  await fill('“ja” means', 'void');
  await fill('“nein” means', 'issued');
  await fill('Reason of voided rows', 'storniert');
  await sees('As they would be stored', '5 numbers, dated 2 January 2025 to 31 January 2025, RE-2025-00001 to RE-2025-00006', '4 of 2025');
  await inspect(page, 'file-read', { fullPage: true });
  await press('Import numbers …');
  await sees('This cannot be undone.', '5 numbers, dated 2 January 2025', 'Check the rows first');
  await inspect(page, 'file-import');
  await press('Check the rows first');
  await sees('Checked: every row can be imported');
  assert.deepEqual(await ledgerOf('files/erp', '2025-01-01'), []);
  await press('Import numbers …');
  await sees('5 numbers, dated 2 January 2025 to 31 January 2025, RE-2025-00001 to RE-2025-00006 will be in the ledger forever');
  await misses('Type files/erp to confirm');
  await submit(page);
  await sees('Completed: every row is imported', '4 of 2025 is in no row.');
  const entries = await ledgerOf('files/erp', '2025-01-01');
  assert.deepEqual(entries.filter(({ kind }) => kind === 'import').map(({ key, first, status, reason }) => [key, first, status ?? 'issued', reason]), [
    ['A-1001', 1, 'issued', undefined], ['A-1002', 2, 'issued', undefined], ['A-1003', 3, 'void', 'storniert'], ['A-1005', 5, 'issued', undefined], ['A-1006', 6, 'issued', undefined],
  ]);
  await inspect(page, 'file-lacks', { fullPage: true });
  await press('Accept … 4');
  await fill('Reason', 'Never issued');
  await submit(page);
  await misses('in no row');
  const { json: { gaps } } = await call('GET', 'sequences/files/erp/check?date=2025-01-01');
  assert.deepEqual(gaps.map(({ first, last, kind }) => [first, last, kind]), [[4, 4, 'advanced']]);
});

test('chooses no reading of ambiguous dates for the user', async (t) => {
  await define('files/ambiguous', { guarantee: 'gapless', format: 'A-{yyyy}-{n}', resetEvery: 'year', timeZone: 'UTC' });
  const { page, sees, fill, finds } = await visit(t, '#/sequences/files/ambiguous/upload?task=import');
  await drop(page, '04-ambiguous.csv', written('04-ambiguous.csv'));
  await sees('dates, day or month first', 'choose how the dates are meant');
  assert.equal(await chosen(await finds('Notation of the dates')), '');
  assert.ok(await isDisabled(await finds('Import numbers …', 'button')));
  await inspect(page, 'file-ambiguous', { fullPage: true });
  await fill('Notation of the dates', 'dd.MM.yyyy');
  await sees('2 numbers, dated 3 April 2025 to 5 June 2025', '3 Apr 2025');
  await fill('Notation of the dates', 'MM.dd.yyyy');
  await sees('2 numbers, dated 4 March 2025 to 6 May 2025');
});

test('shows rows that contradict each other anywhere in the file', async (t) => {
  await define('files/twice', { guarantee: 'gapless', format: 'D-{n}', timeZone: 'UTC' });
  const { page, sees } = await visit(t, '#/sequences/files/twice/upload?task=import');
  await drop(page, '09-duplicates.csv', written('09-duplicates.csv'));
  await sees('Contradict another row', 'line 10 and line 1502, line 701 and line 1503', '(4 rows would be refused)');
  await inspect(page, 'file-duplicates', { fullPage: true });
});

test('requests the name of the sequence before it imports more than 100 rows', async (t) => {
  await define('files/many', { guarantee: 'gapless', format: 'D-{n}', timeZone: 'UTC' });
  const { page, sees, press, finds } = await visit(t, '#/sequences/files/many/upload?task=import');
  await drop(page, 'many.csv', ['key,number', ...Array.from({ length: 101 }, (_, i) => `o-${i + 1},${i + 1}`)].join('\n'));
  await sees('101 numbers');
  await press('Import numbers …');
  await finds('Type files/many to confirm');
  assert.ok(await isDisabled(await finds('Import', 'button')));
  await page.locator('dialog input').fill('files/many');
  await submit(page);
  await sees('Completed: every row is imported');
});

test('corrects refused rows where they are, and sends them again', async (t) => {
  await define('files/refused', { guarantee: 'gapless', format: 'F-{n:3}', timeZone: 'UTC' });
  const { page, sees, press, fill } = await visit(t, '#/sequences/files/refused/upload?task=import');
  await drop(page, 'rows.csv', 'Order;Number;Day\r\no-1;1;02.01.2025\r\no-2;two;03.01.2025\r\no-3;3;31.02.2025\r\n');
  await fill('Column with the keys', 'Order');
  await fill('Column with the dates', 'Day');
  await fill('Notation of the dates', 'other');
  await fill('Other notation', 'dd.MM.yyyy');
  await sees('Rows that would be refused', 'Line 3', 'Line 4', '1 number, dated 2 January 2025, F-001');
  await press('Import numbers …');
  await submit(page);
  await sees('Completed with 2 refused rows');
  await press('Correct refused rows');
  await sees('See how the file is read', 'Would be refused');
  const text = await page.$eval('textarea', ({ value }) => value);
  assert.match(text, /o-2;two;03\.01\.2025/);
  await inspect(page, 'file-corrected', { fullPage: true });
  await fill('Or paste rows with a header line', text.replace('two', '2').replace('31.02.', '28.02.'));
  await sees('2 numbers, dated 3 January 2025 to 28 February 2025, F-002 to F-003');
  await press('Import numbers …');
  await submit(page);
  await sees('Completed: every row is imported');
  assert.deepEqual((await ledgerOf('files/refused', '2025-01-01')).map(({ key, first }) => [key, first]), [['o-1', 1], ['o-2', 2], ['o-3', 3]]);
});

test('dates the numbers of a list by its column, or by the day of the upload only on request', async (t) => {
  await define('files/list', { guarantee: 'gapless', format: 'L-{yyyy}-{n}', resetEvery: 'year', timeZone: 'UTC' });
  await next('files/list', { key: 'first', date: `${YEAR}-01-01` });
  const { page, sees, press, fill, finds } = await visit(t, '#/sequences/files/list/upload');
  await drop(page, 'list.csv', `Auftrag;Belegdatum\r\nb-1;03.04.${YEAR}\r\nb-2;05.06.${YEAR}\r\n`);
  await sees('dates, day or month first', 'Belegdatum has dates');
  assert.equal(await chosen(await finds('Column with the dates')), '');
  assert.ok(await isDisabled(await finds('Assign numbers', 'button')));
  await fill('Column with the dates', 'Belegdatum');
  await sees('choose how the dates are meant');
  await fill('Notation of the dates', 'dd.MM.yyyy');
  await press('Assign numbers');
  await sees('Completed: every key has a number', `5 Jun ${YEAR}`);
});
