import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { define, storage } from '../app.mjs';
import { click, inspect, visit } from '../browser.mjs';
import { ODD_KEY, ODD_TEXT, YEAR } from '../world.mjs';

test('reports a wrong key, and accepts another one', async (t) => {
  const { page, sees, fill, press } = await visit(t, '#/?scope=shop', { key: 'wrong', failing: [401] });
  await sees('Wrong key', 'does not know this key');
  await inspect(page, 'wrong-key');
  await press('Sign in');
  await fill('Function key', 'wrong, too');
  await press('Continue');
  await sees('The service does not know this key');
  await fill('Function key', process.env.NUMERA_KEY);
  await press('Continue');
  await sees('Invoices of the web shop');
});

test('records a name of any letters with a change', async (t) => {
  await define('north/signed');
  const { page, sees, press, fill, goes } = await visit(t, '#/sequences/north/signed/definition', { actor: '' });
  await press('Signed in');
  await fill('Your name', 'Jörg Müller 50%');
  await press('Continue');
  await sees('Signed in · Jörg Müller 50%');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH' && !request.url().includes('?rights=asked'));
  await fill('Description', 'Signed');
  await press('Save');
  assert.equal((await sent).headers()['numera-actor'], 'J%C3%B6rg%20M%C3%BCller%2050%25');
  await sees('Saved.');
  await goes('/sequences/north/signed/changes');
  await sees('Jörg Müller 50%');
});

test('explains a refusal in words for people, and keeps those of the service for support', async (t) => {
  const { page, sees, press, fill } = await visit(t, '#/sequences/shop/invoice', { failing: [409] });
  await fill('Key', 'order-9012');
  await press('Allocate');
  await sees('The numbers of this key are voided', 'Voided numbers are never used again. For new numbers, use another key.', 'Details for support');
  await click(page, page.locator('.problem summary'));
  await sees('key-void:');
});

test('shows everything and changes nothing with a read-only key, also under another name', async (t) => {
  const { page, sees, misses, press, fill } = await visit(t, '#/?scope=shop', { failing: [401] });
  // The host answers 401 to a key that the function does not accept.
  await page.setRequestInterception(true);
  page.on('request', (request) => (request.method() === 'GET' ? request.continue() : request.respond({ status: 401, body: '' })));
  await page.reload();
  await sees('Invoices of the web shop');
  await misses('New sequence');
  await press('Signed in · anna@example.com');
  await fill('Your name', 'ben@example.com');
  await press('Continue');
  await sees('Signed in · ben@example.com');
  await misses('New sequence');
});

test('recovers when storage fails while the page is open', async (t) => {
  const { page, sees, press } = await visit(t, '#/sequences/shop/invoice/check', { failing: [503] });
  await sees('Every number is accounted for');
  await storage('down');
  try {
    await press('Check again');
    await sees('storage');
    await inspect(page, 'storage-down');
  } finally {
    await storage('up');
  }
  await press('Try again');
  await sees('Every number is accounted for');
});

test('shows all texts literally', async (t) => {
  const { page, sees, goes } = await visit(t, '#/?scope=odd');
  await sees(ODD_TEXT);
  await goes(`/sequences/odd/texts/who?q=${encodeURIComponent(ODD_KEY)}`);
  await sees(ODD_KEY);
  assert.equal(await page.evaluate(() => document.querySelector('main b, main img:not([src^="console/"])')), null);
  assert.notEqual(await page.title(), 'run');
});

test('copies the exact request as curl, with any characters in the key', async (t) => {
  const { page, sees, press } = await visit(t, `#/sequences/odd/texts/who?q=${encodeURIComponent(ODD_KEY)}`);
  await sees('Found as key');
  await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { document.title = text; }; });
  await press('Copy as curl');
  await press('ReadLedger: read the ledger');
  await sees('Copied');
  const [address, flag, header] = words(await page.title());
  assert.deepEqual([flag, header], ['-H', `x-functions-key: ${process.env.NUMERA_KEY}`]);
  const { entries } = await (await fetch(address, { headers: { 'x-functions-key': process.env.NUMERA_KEY } })).json();
  assert.deepEqual(entries.map(({ key }) => key), [ODD_KEY]);
});

/** Returns the arguments that a shell passes to curl for a command. */
function words(command) {
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], { env: { ...process.env, KEY: process.env.NUMERA_KEY } });
  return printed.toString().split('\0').slice(0, -1);
}

test('reaches the content, opens and closes a dialog by keyboard alone', async (t) => {
  const { page, sees, finds } = await visit(t, '#/sequences/shop/credit-note/who?q=return-3');
  await sees('Found as key');
  const focused = () => page.evaluate(() => document.activeElement.innerText || document.activeElement.id);
  const tabTo = async (name) => {
    for (let steps = 0; steps < 40 && await focused() !== name; steps++) await page.keyboard.press('Tab');
    assert.equal(await focused(), name);
  };
  await page.evaluate(() => document.activeElement.blur());
  await tabTo('Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await tabTo('Void');
  await page.keyboard.press('Enter');
  await finds('Void CN-' + YEAR + '-00003', 'dialog');
  assert.equal(await page.evaluate(() => !!document.activeElement.closest('dialog')), true);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await page.waitForFunction(() => document.activeElement.innerText === 'Void', { polling: 50 });
});
