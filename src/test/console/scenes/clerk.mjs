// The work of a clerk: void and replace, many keys at once, and everything by keyboard.
import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define, next, status } from '../app.mjs';
import { downloads, inspect, saved, submit, visit } from '../browser.mjs';
import { TODAY, YEAR } from '../world.mjs';

const BILL = { guarantee: 'gapless', format: 'BILL-{n:3}', timeZone: 'UTC' };
const entriesOf = async (sequence) => (await call('GET', `sequences/${sequence}/ledger`)).json.entries;

/** Lets the service answer the next request to a path, but not the page. */
async function losing(page) {
  const lost = [];
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    const place = lost.findIndex((part) => request.method() === 'POST' && request.url().includes(part));
    if (place < 0) return request.continue();
    lost.splice(place, 1);
    await fetch(request.url(), { method: 'POST', headers: request.headers(), body: request.postData() });
    return request.abort('connectionreset');
  });
  return lost;
}

test('voids and replaces a number in one dialog, over two lost answers', async (t) => {
  await define('clerk/bill', BILL);
  for (const key of ['c-1', 'c-2']) await next('clerk/bill', { key });
  const { page, sees, press } = await visit(t, '#/sequences/clerk/bill/who?q=c-1', { failing: [undefined] });
  const lost = await losing(page);
  await sees('Found as key');
  await press('Void and replace');
  await sees('Allocates the next number under a new key', 'The next number is not allocated yet.', 'Recorded by anna@example.com.');
  await inspect(page, 'replace');
  lost.push('/next', '/status');
  await submit(page);
  await sees('Whether it was done is not known', 'the same key gets the same number');
  await press('Continue');
  await sees('BILL-003 is allocated under replaces-c-1.', 'Repeating is safe: the status');
  await inspect(page, 'replace-half');
  await press('Continue');
  await sees('replaced by BILL-003', 'Voided');
  assert.deepEqual((await entriesOf('clerk/bill')).map(({ key, first, status: now, reason }) => [key, first, now ?? 'issued', reason]), [
    ['c-1', 1, 'void', 'replaced by BILL-003'], ['c-2', 2, 'issued', undefined], ['replaces-c-1', 3, 'issued', undefined],
  ]);
});

test('resumes a replacement that was left after its first step', async (t) => {
  await define('clerk/left', BILL);
  await next('clerk/left', { key: 'l-1' });
  const { page, sees, press } = await visit(t, '#/sequences/clerk/left/who?q=l-1', { failing: [409, 503] });
  let fails = true;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!fails || !request.url().endsWith('/status')) return request.continue();
    fails = false;
    return request.respond({ status: 503, contentType: 'application/problem+json', body: '{"type": "urn:problem-type:numera:overloaded"}' });
  });
  await sees('Found as key');
  await press('Void and replace');
  await submit(page);
  await sees('The service is busy', 'BILL-002 is allocated under replaces-l-1.');
  await page.keyboard.press('Escape');
  await press('Void and replace');
  await submit(page);
  await sees('replaced by BILL-002');
  assert.equal((await entriesOf('clerk/left')).length, 2);
});

test('confirms and voids a list of keys, with a preview and a result for each', async (t) => {
  await define('clerk/list', BILL);
  for (const key of ['k-1', 'k-2', 'k-3', 'k-4']) await next('clerk/list', { key, reserve: key < 'k-3' });
  await status('clerk/list', 'k-4', 'void', 'Torn');
  const { page, sees, press, fill } = await visit(t, '#/sequences/clerk/list/ledger', { failing: [409] });
  await press('Confirm or void a list of keys …');
  await fill('Keys, one on each line', 'k-1\nk-3\n k-1 \nk-4\nk-9\n');
  await sees('will be confirmed', 'is issued already', 'is voided already', 'no number has this key', 'Confirm 1 key …');
  await inspect(page, 'keys-preview', { fullPage: true });
  await press('Confirm 1 key …');
  await sees('1 number reserved under 1 key will be issued.');
  await submit(page);
  await sees('1 entry confirmed');
  await submit(page);
  await sees('confirmed');
  await page.$eval('main input[type=file]', (input) => {
    const files = new DataTransfer();
    files.items.add(new File(['Name;Key\r\nNorth;k-2\r\n"South; Sons";k-3\r\n'], 'list.csv'));
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await fill('Change', 'void');
  await sees('Void 2 keys …');
  await press('Void 2 keys …');
  await status('clerk/list', 'k-2', 'void', 'By someone else');
  await fill('Reason', 'Cancelled');
  await fill('Type clerk/list to confirm', 'clerk/list');
  await submit(page);
  await sees('1 entry voided', '1 entry was refused');
  await submit(page);
  const folder = await downloads(page);
  await press('Save results as CSV');
  const { name, text } = await saved(folder);
  assert.equal(name, `clerk-list-keys-${TODAY}.csv`);
  assert.match(text, /k-2,BILL-002,reserved,"The status is final\..*"\r\nk-3,BILL-003,void,voided\r/);
});

test('voids a printed number by keyboard alone, with six keys beside the texts', async (t) => {
  await define('clerk/invoice', { guarantee: 'gapless', format: 'KB-{yyyy}-{n:6}', resetEvery: 'year', timeZone: 'UTC' });
  for (let i = 1; i <= 3; i++) await next('clerk/invoice', { key: `order-${i}`, date: `${YEAR}-01-0${i}` });
  const { page, sees, finds } = await visit(t, '#/?scope=clerk');
  await sees(`KB-${YEAR}-000004`);
  let keys = 0;
  const press = async (key) => {
    keys++;
    await page.keyboard.press(key);
  };
  await press('/');
  await page.keyboard.type(`KB-${YEAR}-000002`);
  await press('Enter');
  await sees(`1 match for KB-${YEAR}-000002`);
  await press('Enter');
  await sees('Found as key', 'order-2');
  await page.waitForFunction(() => document.activeElement.tagName === 'H3', { polling: 50 });
  await press('Tab');
  await press('Enter');
  await finds(`Void KB-${YEAR}-000002`, 'dialog');
  await page.keyboard.type('Paid twice');
  await press('Enter');
  await sees('Paid twice', 'Voided');
  await page.waitForFunction(() => document.activeElement.tagName === 'H3', { polling: 50 });
  assert.equal(keys, 6);
});
