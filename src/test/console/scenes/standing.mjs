import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define, next } from '../app.mjs';
import { submit, visit } from '../browser.mjs';

test('suspends and resumes a sequence with a reason, and shows it over every view', async (t) => {
  await define('north/paused', { guarantee: 'gapless', format: 'P-{n}' });
  await next('north/paused', { key: 'first' });
  const { page, sees, misses, press, fill, goes } = await visit(t, '#/sequences/north/paused/lifecycle');
  await press('Suspend …');
  await fill('Reason', 'The printer is broken.');
  await submit(page);
  await sees('paused is suspended.', 'Suspended since', 'by anna@example.com: The printer is broken.', 'Resume …');
  await goes('/sequences/north/paused');
  await sees('P-2', 'The printer is broken.', 'Resume it');
  await misses('Allocate a number');
  await goes('/sequences/north/paused/lifecycle');
  await press('Resume …');
  await submit(page);
  await sees('paused is resumed.', 'Suspend …');
  await misses('Suspended since');
  await goes('/sequences/north/paused');
  await sees('Allocate a number');
});

test('leads out of a used-up range and back into a retired sequence', async (t) => {
  await define('north/coupon', { format: 'C-{n}', maxValue: 2 });
  await next('north/coupon', { count: 2 });
  const { page, sees, follow, press, goes } = await visit(t, '#/sequences/north/coupon');
  await sees('No numbers left. The range is used up.');
  await follow('definition');
  await sees('Largest number');
  await call('DELETE', 'sequences/north/coupon', { 'If-Match': '*', 'Numera-Actor': 'ben@example.com' });
  await goes('/sequences/north/coupon');
  await page.reload();
  await sees('Retired on', 'by ben@example.com', 'Revive it');
  await follow('Revive it');
  await press('Revive …');
});

test('checks the range before an advance is confirmed', async (t) => {
  await define('north/short', { maxValue: 10 });
  await next('north/short');
  const { page, sees, fill } = await visit(t, '#/sequences/north/short/lifecycle');
  await fill('Next number at least', '11');
  await sees('Beyond the range: 9 numbers are left.');
  await page.waitForSelector('form.lifecycle button[type=submit]:disabled');
  await fill('Next number at least', '10');
  await page.waitForSelector('form.lifecycle button[type=submit]:enabled');
});

test('warns at the share of the range that the definition names', async (t) => {
  await define('north/half', { maxValue: 10, warnAtPercent: 50 });
  await next('north/half', { count: 6 });
  const { page, sees } = await visit(t, '#/?filter=north/half');
  await sees('1 of', '60%');
  assert.equal(await page.$eval('meter', ({ high }) => high), 0.5);
});

test('starts each view at its top', async (t) => {
  const { page, sees, goes } = await visit(t, '#/sequences/shop/invoice/ledger');
  await sees('order-9040');
  await page.evaluate(() => scrollTo(0, 900));
  // This view shows all its fields at once. A view that is still loading would be too short to stay scrolled.
  await goes('/new');
  await sees('Date order');
  await page.waitForFunction(() => scrollY === 0, { polling: 50 });
});

test('offers only views that the kind of sequence has', async (t) => {
  const { page, sees, goes } = await visit(t, '#/sequences/shop/ticket');
  const tabs = () => page.$$eval('.tabs a', (links) => links.map(({ textContent }) => textContent));
  await sees('Definition', 'Lifecycle');
  await page.waitForFunction(() => !document.querySelector('.tabs').innerText.includes('Month end'));
  assert.deepEqual(await tabs(), ['Overview', 'Definition', 'Changes', 'Lifecycle']);
  await goes('/sequences/shop/invoice');
  await sees('Month end', 'Who got it?', 'Uploads');
});

test('shows new numbers of others when the reader returns to the page', async (t) => {
  await define('north/fresh', { format: 'F-{n}' });
  await next('north/fresh');
  const { page, sees, goes } = await visit(t, '#/sequences/north/fresh');
  await sees('F-2');
  await next('north/fresh');
  await page.waitForFunction(() => {
    dispatchEvent(new Event('focus'));
    return document.body.innerText.includes('F-3');
  }, { polling: 300 });
  await goes('/?scope=north&filter=fresh');
  await sees('1 of', 'F-3');
  await next('north/fresh');
  await page.waitForFunction(() => {
    dispatchEvent(new Event('focus'));
    return document.body.innerText.includes('F-4');
  }, { polling: 300 });
});

test('sends the key of a number in a header, not in an address', async (t) => {
  await define('north/quiet', { guarantee: 'gapless', format: 'Q-{n}' });
  const { page, sees, press, fill } = await visit(t, '#/sequences/north/quiet');
  const sent = [];
  // The page tries out the permissions of its key with further calls, which may still be in progress.
  page.on('request', (request) => { if (request.method() === 'POST' && !request.url().includes('?rights=asked')) sent.push(request); });
  for (const [key, text] of [['order-1', 'Q-1'], ['"quoted" \\ key', 'Q-2'], ['מסמך-3', 'Q-3']]) {
    await fill('Key', key);
    // The page may show the next number before the call is answered.
    const answered = page.waitForResponse((response) => response.request().method() === 'POST' && /\/next(\?key=.*)?$/.test(response.url()));
    await press('Allocate');
    assert.equal((await answered).status(), 200);
    await sees(text);
  }
  assert.deepEqual(sent.map((request) => new URL(request.url()).search), ['', '', `?key=${encodeURIComponent('מסמך-3')}`]);
  assert.deepEqual((await call('GET', 'sequences/north/quiet/ledger')).json.entries.map(({ key }) => key), ['order-1', '"quoted" \\ key', 'מסמך-3']);
});

test('shows a failure of several calls once, and refuses names that a path cannot have', async (t) => {
  const { page, sees, goes } = await visit(t, '#/sequences/nowhere/at-all', { failing: [404] });
  await sees('Sequence not found', 'Create it');
  assert.equal((await page.$$('.problem')).length, 1);
  await goes('/sequences/../health');
  await sees('Page not found');
});
