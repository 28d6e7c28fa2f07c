import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define, importRows, next } from '../app.mjs';
import { inspect, submit, visit } from '../browser.mjs';
import { TODAY, YEAR } from '../world.mjs';

// The rights of the scenes' own calls.
process.env.NUMERA_RIGHTS = 'Numera.Allocate Numera.Read Numera.Define';
const ID = { 'Numera-Actor': 'Anna%20Berg', 'Numera-Actor-Id': 'aad:8c1e' };
const LIMITED = 'Numera.Read:shop Numera.Read:eu-* Numera.Define:shop';

/** Opens the console as behind a gateway that sets the rights of each call, and the id of its user. */
const behind = (t, view, rights, options) => visit(t, view, { ...options, headers: { 'numera-rights': rights, 'numera-actor-id': 'aad:77af' } });

/** Returns the names that are marked as verified, in the order of the page. */
const marks = (page) => page.$$eval('main [title^="aad:"]', (found) => found.map((mark) => mark.title));

test('offers the scopes of one\'s rights where a list over all scopes is refused', async (t) => {
  await define('shop/invoice', { guarantee: 'gapless', format: 'INV-{yyyy}-{n:6}', resetEvery: 'year', timeZone: 'UTC' });
  await define('eu-7/invoice', { guarantee: 'gapless', format: 'EU-{n}' });
  await define('us-1/invoice', { guarantee: 'gapless', format: 'US-{n}' });
  const { page, sees, misses, follow, fill, press, goes } = await behind(t, '', LIMITED, { failing: [403] });
  await sees('Choose a scope', 'Your rights open shop, eu-….');
  await misses('Your rights do not suffice');
  await inspect(page, 'scopes');
  await follow('shop');
  await sees('Only the scope shop', `INV-${YEAR}-000001`);
  await misses('us-1');
  await goes('/');
  await fill('Scope', 'eu-7');
  await press('Show');
  await sees('Only the scope eu-7', 'EU-1');
  await goes('/find?q=order-1');
  await sees('Choose a scope');
  await follow('shop');
  await sees('Only the scope shop', '0 matches for order-1 in 1 sequence.');
  await goes('/new');
  await sees('Your rights open shop.');
  assert.deepEqual(await page.$$eval('datalist option', (options) => options.map(({ value }) => value)), ['shop']);
  await goes('/sequences/us-1/invoice/ledger');
  await sees('Your rights do not suffice', 'Numera.Read:us-1, Numera.Read');
});

test('marks a name as verified wherever it is shown, and only with an id', async (t) => {
  await define('eu-7/bill', { guarantee: 'gapless', format: 'B-{yyyy}-{n:4}', resetEvery: 'year', timeZone: 'UTC' });
  const bill = 'sequences/eu-7/bill';
  await call('POST', `${bill}/next?key=b-1&reserve=true`, ID);
  await next('eu-7/bill', { key: 'b-2' });
  await call('POST', `${bill}/status`, { body: { key: 'b-2', status: 'void', reason: 'Torn' }, ...ID });
  await importRows('eu-7/bill', [{ key: 'b-9', number: 9, date: TODAY }]);
  const all = 'Numera.Read Numera.Define Numera.Allocate Numera.Operate';
  const { page, sees, goes, press } = await behind(t, '#/find?q=b-1', all, { actor: 'Ben Ortiz' });
  await sees('1 match for b-1', 'by Anna Berg verified');
  await goes('/sequences/eu-7/bill/who?q=b-2');
  await sees('Voided', 'by Anna Berg verified', 'Torn');
  assert.deepEqual(await marks(page), ['aad:8c1e']);
  await goes('/sequences/eu-7/bill/ledger');
  await sees('by Anna Berg verified');
  await goes('/sequences/eu-7/bill/check');
  await sees('Voided on', 'by Anna Berg verified', 'Refused rows of imports');
  assert.deepEqual(await marks(page), ['aad:8c1e', 'aad:8c1e']);
  await press('Record the result');
  await submit(page);
  await sees('Result recorded', 'by Ben Ortiz verified', 'Torn', 'b-1');
  assert.deepEqual(await marks(page), ['aad:77af', 'aad:8c1e', 'aad:8c1e', 'aad:77af']);
  await inspect(page, 'verified', { fullPage: true });
});
