import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { call, define, next } from '../app.mjs';
import { drop, inspect, screenshot, submit, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

/** Returns a file as another program wrote it. */
const written = (name) => readFileSync(new URL(`../../resources/files/${name}`, import.meta.url));

const chosen = (select) => select.evaluate(({ value }) => value);
/** Scrolls to a table, so that a picture shows what is below it. */
const below = (page, caption) => page.$$eval('caption', (all, said) => all.find(({ textContent }) => textContent === said).closest('.table').scrollIntoView(), caption);
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
  await sees('Columns of the file');
  await screenshot(page, 'path-1-dropped');
  await fill('Column with the keys', 'Order');
  await fill('Column with the dates', 'Day');
  await fill('Notation of the dates', 'other');
  await fill('Other notation', 'dd.MM.yyyy');
  await sees('Rows that would be refused', 'Line 3', 'Line 4', '1 number, dated 2 January 2025, F-001');
  await below(page, 'Columns of the file');
  await screenshot(page, 'path-2-read');
  await press('Import numbers …');
  await submit(page);
  await sees('Completed with 2 refused rows', 'o-2');
  await screenshot(page, 'path-3-refused');
  await press('Correct refused rows');
  await sees('See how the file is read', 'Would be refused');
  const text = await page.$eval('textarea', ({ value }) => value);
  assert.match(text, /o-2;two;03\.01\.2025/);
  await inspect(page, 'file-corrected', { fullPage: true });
  await fill('Or paste rows with a header line', text.replace('two', '2').replace('31.02.', '28.02.'));
  await sees('2 numbers, dated 3 January 2025 to 28 February 2025, F-002 to F-003');
  await screenshot(page, 'path-4-corrected');
  await press('Import numbers …');
  await submit(page);
  await sees('Completed: every row is imported', 'F-003');
  await screenshot(page, 'path-5-sent');
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

/** Imports a file as a user who states what it means, and returns the entries: key, number, date, status and reason. */
async function imported(t, name, file, meant, { definition = { guarantee: 'gapless', timeZone: 'UTC' }, date = '2025-06-01', stored, done = 'Completed: every row is imported' }) {
  await define(`files/${name}`, definition);
  const console = await visit(t, `#/sequences/files/${name}/upload?task=import`);
  await drop(console.page, file, written(file));
  await console.sees('See how the file is read', 'Columns of the file');
  for (const [label, value] of Object.entries(meant)) {
    await console.fill(label, value);
  }
  await console.sees(stored);
  await console.press('Import numbers …');
  await console.finds('Import', 'button');
  if (await console.page.$('dialog input')) await console.page.locator('dialog input').fill(`files/${name}`);
  await submit(console.page);
  await console.sees(done);
  return (await ledgerOf(`files/${name}`, date)).filter(({ kind }) => kind === 'import').map((entry) => `${entry.key} ${entry.first} ${entry.date} ${entry.status ?? 'issued'} ${entry.reason ?? ''}`.trim());
}

const YEARLY = { guarantee: 'gapless', resetEvery: 'year', timeZone: 'UTC' };

test('imports a list that a spreadsheet saved with an empty tail', async (t) => {
  assert.deepEqual(await imported(t, 'tail', '02-excel-de.csv', {
    'Column with the keys': 'Schlüssel', 'Column with the numbers': 'Nummer', 'Column with the dates': 'Datum', 'Notation of the dates': 'dd.MM.yyyy',
    '“storniert” means': 'void', 'Reason of voided rows': 'storniert',
  }, { stored: '3 numbers, dated 31 March 2025 to 1 April 2025' }), ['K-1 1 2025-03-31 issued', 'K-2 2 2025-04-01 void storniert', 'K-3 3 2025-04-01 issued']);
});

test('imports numbers with stated groups, and none beyond the largest one', async (t) => {
  const meant = {
    'Column with the keys': 'Order', 'Column with the numbers': 'Invoice No', 'Column with the dates': 'Invoice Date', 'Notation of the dates': 'M/d/yyyy',
    'Column with the status': 'Void?', '“Yes” means': 'void', 'Reason of voided rows': 'voided', 'Between groups of three digits': ',',
  };
  await define('files/limit', { guarantee: 'gapless', timeZone: 'UTC' });
  const { page, sees, misses, fill, finds } = await visit(t, '#/sequences/files/limit/upload?task=import');
  await drop(page, '03-excel-us.csv', written('03-excel-us.csv'));
  await sees('Columns of the file');
  for (const [label, value] of Object.entries(meant)) await fill(label, value);
  await sees('3 numbers, dated 31 January 2025 to 2 December 2025');
  await fill('No number beyond', '1042');
  await sees('line 4 has the number 1043, which is beyond maxNumber 1042');
  assert.ok(await isDisabled(await finds('Import numbers …', 'button')));
  await inspect(page, 'file-limit', { fullPage: true });
  await fill('No number beyond', '1043');
  await misses('which is beyond');
  await sees('3 numbers, dated 31 January 2025 to 2 December 2025');
  assert.deepEqual(await imported(t, 'groups', '03-excel-us.csv', meant, { stored: '3 numbers, dated 31 January 2025' }), [
    'SO-77 1041 2025-01-31 issued', 'SO-78 1042 2025-02-01 void voided', 'SO-79 1043 2025-12-02 issued',
  ]);
});

for (const [notation, first, second] of [['dd.MM.yyyy', '2025-04-03', '2025-06-05'], ['MM.dd.yyyy', '2025-03-04', '2025-05-06']]) {
  test(`imports ambiguous dates as ${notation}`, async (t) => {
    assert.deepEqual(await imported(t, `as-${notation.slice(0, 2)}`, '04-ambiguous.csv', { 'Notation of the dates': notation }, { stored: '2 numbers, dated' }),
      [`a 1 ${first} issued`, `b 2 ${second} issued`]);
  });
}

test('imports no column of dates with several notations, and names a line of each', async (t) => {
  await define('files/mixed', { guarantee: 'gapless', timeZone: 'UTC' });
  const { page, sees, fill, finds } = await visit(t, '#/sequences/files/mixed/upload?task=import');
  await drop(page, '05-mixed.csv', written('05-mixed.csv'));
  await sees('Columns of the file');
  await fill('Notation of the dates', 'other');
  await fill('Other notation', 'dd.MM.yyyy');
  await sees('line 3', 'line 4', '2025-03-01', '02.14.2025');
  assert.ok(await isDisabled(await finds('Import numbers …', 'button')));
  assert.deepEqual(await ledgerOf('files/mixed', '2025-06-01'), []);
});

test('names cells that a spreadsheet changed, and imports none of them', async (t) => {
  await define('files/damaged', { guarantee: 'gapless', timeZone: 'UTC' });
  const { page, sees, press, finds } = await visit(t, '#/sequences/files/damaged/upload?task=import');
  await drop(page, '06-damaged.csv', written('06-damaged.csv'));
  await sees('Rows that would be refused', "'4,70012E+12'", "'45679'", "'#NV'");
  assert.ok(await isDisabled(await finds('Import numbers …', 'button')));
  await press('Check the rows');
  await sees('Checked: no row can be imported');
  assert.deepEqual(await ledgerOf('files/damaged', '2025-06-01'), []);
});

test('imports a Unicode text of a spreadsheet', async (t) => {
  await define('files/greek', { guarantee: 'gapless', timeZone: 'UTC' });
  const { page, sees, press, fill, finds } = await visit(t, '#/sequences/files/greek/upload?task=import');
  await drop(page, '07-unicode-text.txt', written('07-unicode-text.txt'));
  await sees('Rows that would be refused', 'Line 3');
  assert.equal(await chosen(await finds('Encoding')), 'utf-16');
  await fill('Column with the reason', '');
  await sees('2 numbers, dated 2 January 2025 to 3 January 2025');
  await press('Import numbers …');
  await submit(page);
  await sees('Completed: every row is imported', 'π-2');
  assert.deepEqual((await ledgerOf('files/greek', '2025-06-01')).map(({ key, first, date }) => [key, first, date]), [['π-1', 1, '2025-01-02'], ['π-2', 2, '2025-01-03']]);
});

test('imports Spanish invoices, whose texts have the short year', async (t) => {
  assert.deepEqual(await imported(t, 'spain', '08-es.csv', {
    'Encoding': 'iso-8859-15', 'Column with the keys': 'Pedido', 'Column with the texts': 'Factura', 'Column with the dates': 'Fecha', 'Notation of the dates': 'dd/MM/yyyy',
    'Column with the status': 'Estado', 'Column with the reason': 'Motivo', '“emitida” means': 'issued', '“anulada” means': 'void',
  }, { definition: { ...YEARLY, format: 'F{yy}/{n:6}' }, stored: '3 numbers, dated 2 January 2025 to 28 February 2025, F25/000001 to F25/000003' }), [
    'P-1 1 2025-01-02 issued', 'P-2 2 2025-01-15 void Error en el NIF', 'P-3 3 2025-02-28 issued',
  ]);
});

test('imports the other rows of a file whose rows contradict each other', async (t) => {
  const entries = await imported(t, 'others', '09-duplicates.csv', {}, { stored: '(4 rows would be refused)', done: 'Completed with 4 refused rows' });
  assert.ok(entries.length > 90 && !entries.some((entry) => /^o-(9|700) /.test(entry)), entries.slice(0, 12).join());
  const { json } = await call('GET', 'sequences/files/others/check?date=2025-06-01');
  assert.equal(json.allocated, 1498);
});

test('imports a column that looks like a status only with a meaning', async (t) => {
  assert.deepEqual(await imported(t, 'headers', '10-headers.csv', { 'Column with the status': 'Storno', '“x” means': 'void', 'Reason of voided rows': 'Storno' },
    { stored: '2 numbers, dated 2 January 2024 to 3 January 2024' }), ['A-1 1 2024-01-02 issued', 'A-2 2 2024-01-03 void Storno']);
});

test('imports a report between its title and its total', async (t) => {
  await define('files/report', { guarantee: 'gapless', timeZone: 'UTC' });
  const { page, sees, press, fill } = await visit(t, '#/sequences/files/report/upload?task=import');
  await drop(page, '11-report.csv', written('11-report.csv'));
  await sees('Line of the header', 'Ends before');
  await fill('Line of the header', '4');
  await fill('Ends before', 'Total');
  await sees("no row begins with 'Total'");
  await fill('Ends before', 'Summe');
  await fill('Column with the keys', 'Auftrag');
  await fill('Column with the numbers', 'Nummer');
  await fill('Column with the dates', 'Datum');
  await fill('Notation of the dates', 'dd.MM.yyyy');
  await sees('2 numbers, dated 2 January 2025 to 3 January 2025');
  await press('Import numbers …');
  await submit(page);
  await sees('Completed: every row is imported');
  assert.deepEqual((await ledgerOf('files/report', '2025-06-01')).map(({ key, first, date }) => [key, first, date]), [['A-1', 1, '2025-01-02'], ['A-2', 2, '2025-01-03']]);
});

test('takes its own refused rows back from a spreadsheet', async (t) => {
  assert.deepEqual(await imported(t, 'own', '12-ours-saved-by-excel.csv', { 'Notation of the dates': 'dd.MM.yyyy' }, { stored: '2 numbers, dated 5 January 2026 to 6 January 2026', date: '2026-06-01' }),
    ['+49-1 2 2026-01-05 issued', '=A1 3 2026-01-06 issued']);
});

test('reads years of two digits only within a stated century', async (t) => {
  await define('files/century', { guarantee: 'gapless', timeZone: 'UTC' });
  const { page, sees, press, fill, finds } = await visit(t, '#/sequences/files/century/upload?task=import');
  await drop(page, 'old.csv', 'key;number;date\r\nz-1;1;31.12.49\r\nz-2;2;01.01.50\r\n');
  await sees('Columns of the file');
  await fill('Notation of the dates', 'other');
  await fill('Other notation', 'dd.MM.yy');
  await sees('is required with yy');
  assert.ok(await isDisabled(await finds('Import numbers …', 'button')));
  await fill('First year of the century', '1950');
  await sees('2 numbers, dated 1 January 1950 to 31 December 2049');
  await press('Import numbers …');
  await submit(page);
  await sees('Completed: every row is imported');
  assert.deepEqual((await ledgerOf('files/century', '2026-01-01')).map(({ key, date }) => [key, date]), [['z-1', '2049-12-31'], ['z-2', '1950-01-01']]);
});

test('says that nothing was sent if a line of a list is wrong, and names the line', async (t) => {
  await define('files/line', { guarantee: 'gapless', format: 'L-{n}', timeZone: 'UTC' });
  const { page, sees, press, fill } = await visit(t, '#/sequences/files/line/upload', { failing: [400] });
  await drop(page, 'orders.csv', 'Name;Bestellung\r\nNorth;b-1\r\nSouth;\r\n');
  await sees('Preview');
  await fill('Column with the keys', 'Bestellung');
  await press('Assign numbers');
  await sees('Nothing was sent', 'Line 3: ');
});
