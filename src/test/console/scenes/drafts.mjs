import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define, next } from '../app.mjs';
import { submit, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

test('keeps unsaved changes while other views are open', async (t) => {
  await define('north/kept');
  const { page, sees, misses, press, fill, goes } = await visit(t, '#/sequences/north/kept/definition');
  await fill('Description', 'Half typed');
  await goes('/sequences/north/kept');
  await sees('No numbers yet');
  await goes('/sequences/north/kept/definition');
  await sees('Your unsaved changes are still here.');
  assert.equal(await page.$eval('main input', ({ value }) => value), 'Half typed');
  await press('Save');
  await sees('Saved.');
  await goes('/sequences/north/kept');
  await goes('/sequences/north/kept/definition');
  await misses('Your unsaved changes are still here.');
});

test('asks before a change that cannot be undone', async (t) => {
  await define('north/ordered', { guarantee: 'gapless', dateOrder: 'ascending', timeZone: 'UTC', maxValue: 99 });
  await next('north/ordered', { key: 'first' });
  const { page, sees, press, fill, goes } = await visit(t, '#/sequences/north/ordered/definition');
  await sees('Numbers have been allocated.');
  await fill('Date order', 'none');
  await fill('Largest number', '999');
  await press('Save');
  await sees('This cannot be undone', 'it cannot be switched on again', 'The largest number becomes 999');
  assert.equal((await call('GET', 'sequences/north/ordered')).json.dateOrder, 'ascending');
  await page.locator('dialog .field:last-of-type input').fill('north/ordered');
  await submit(page);
  await sees('Saved.');
  assert.equal((await call('GET', 'sequences/north/ordered')).json.dateOrder, 'none');
  await goes('/sequences/north/ordered/changes');
  await sees('Date order: ascending', 'Largest number: 99');
});

test('warns of a name that others would take for an existing one', async (t) => {
  const { page, sees, misses, fill } = await visit(t, '#/new?scope=shop');
  await fill('Name', 'Invoices');
  await sees('A similar sequence exists', 'shop/invoice');
  await fill('Name', 'letter');
  await misses('A similar sequence exists');
  await fill('Name', '..');
  await sees('starting with a letter or digit');
  await page.waitForSelector('form button[type=submit]:disabled');
});

test('previews the numbers of another day', async (t) => {
  const { sees, fill } = await visit(t, '#/sequences/shop/delivery-note/definition');
  await sees('Preview of the next numbers');
  await fill('Document date', `${YEAR}-01-31`);
  await sees(`DN-${YEAR}01-0001`);
});
