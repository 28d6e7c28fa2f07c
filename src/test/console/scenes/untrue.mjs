// The console shows nothing that is not so: unknown users, lost answers, suspended sequences, and searches that are not finished.
import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define, next } from '../app.mjs';
import { click, inspect, submit, visit } from '../browser.mjs';
import { TODAY, YEAR } from '../world.mjs';

const GAPLESS = { guarantee: 'gapless', timeZone: 'UTC' };
const rows = (page) => page.$$eval('main tbody tr:not(.group)', (all) => all.map(({ innerText }) => innerText.replaceAll(/\s+/g, ' ')));

/** Lets the service answer the first such request, but not the page. */
async function loseAnswer(page, method, part) {
  let isLost = false;
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    if (isLost || request.method() !== method || !request.url().includes(part)) return request.continue();
    isLost = true;
    await fetch(request.url(), { method, headers: request.headers(), body: request.postData() });
    return request.abort('connectionreset');
  });
}

/** The browser's report of a lost answer. */
const LOST = { failing: [undefined] };

test('names no user for a void by someone unknown, and asks for the name before', async (t) => {
  await define('untrue/shop', { ...GAPLESS, format: 'S-{n:3}' });
  for (const key of ['w-1', 'w-2']) await call('POST', `sequences/untrue/shop/next?key=${key}&reserve=true&count=2`, { 'Numera-Actor': 'web shop' });
  const { page, sees, press, fill, choose, goes } = await visit(t, '#/sequences/untrue/shop/ledger?status=reserved', { actor: '' });
  await choose('Select S-001 – S-002', 'checkbox');
  await press('Void 1 …');
  await sees('2 numbers of 1 key will be voided forever', 'Your name', 'the user stays unknown');
  await inspect(page, 'void-unknown');
  await fill('Reason', 'Not paid');
  await fill('Type untrue/shop to confirm', 'untrue/shop');
  await submit(page);
  await sees('1 entry voided');
  await submit(page);
  await sees('Not paid', 'user unknown');
  const voided = (await rows(page)).find((row) => row.startsWith('S-001'));
  assert.match(voided, /by web shop.*voided.*user unknown Not paid/);
  assert.equal(voided.match(/web shop/g).length, 1);
  await goes('/sequences/untrue/shop/who?q=w-2');
  await press('Void');
  await sees('All 2 numbers of the key w-2');
  await fill('Reason', 'Not paid');
  await fill('Your name', 'Cem Aydın');
  await submit(page);
  await sees('by Cem Aydın');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H3');
  await sees('S-003 – S-004 is voided.');
});

test('shows in the list which sequence is suspended, and which has few numbers left', async (t) => {
  await define('untrue/paused', GAPLESS);
  await call('POST', 'sequences/untrue/paused/suspend', { body: { reason: 'Stock-taking' } });
  await define('untrue/few', { maxValue: 30 });
  await next('untrue/few', { count: 28 });
  await define('untrue/full', { maxValue: 2 });
  await next('untrue/full', { count: 2 });
  const { page, sees } = await visit(t, '#/?scope=untrue');
  await sees('suspended', '2 left', 'none left');
  const listed = await rows(page);
  assert.ok(listed.some((row) => /^paused suspended/.test(row)), listed.join('\n'));
  assert.ok(listed.some((row) => /^few 2 left .*93.33%/.test(row)), listed.join('\n'));
  assert.ok(listed.some((row) => /^shop gapless S-005/.test(row) && !row.includes('%')), listed.join('\n'));
});

test('searches to the end by itself, shows how far it is, and can be stopped', async (t) => {
  const { page, sees, misses, press } = await visit(t, '#/nowhere');
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    const address = new URL(request.url());
    const json = (body) => request.respond({ contentType: 'application/json', body: JSON.stringify(body) });
    if (address.pathname.endsWith('/sequences') && address.searchParams.get('limit') === '1000') {
      const from = Number(address.searchParams.get('continuation') ?? 0);
      return json({ sequences: Array.from({ length: Math.min(1000, 2006 - from) }, (_, i) => ({ scope: 's', name: `n-${from + i}` })), ...(from < 2000 && { continuation: String(from + 1000) }) });
    }
    if (!address.pathname.endsWith('/find')) return request.continue();
    const page = Number(address.searchParams.get('continuation') ?? 0);
    if (page === 15) await new Promise((done) => { setTimeout(done, 2_000); });
    return json(page < 20 ? { entries: [], searched: 100, unsearched: [], continuation: String(page + 1) }
      : { entries: [{ scope: 's', name: 'last', foundBy: 'key', kind: 'allocation', key: 'x-9', first: 9, last: 9, allocatedAt: `${TODAY}T08:00:00Z` }], searched: 6, unsearched: [] });
  });
  await page.evaluate(() => { location.hash = '/find?q=x-9'; });
  await sees('Searched 1,500 of 2,006 sequences …', 'Loading');
  await press('Stop');
  await sees('0 matches for x-9. Searched 1,500 of 2,006 sequences.');
  await misses('Loading', 'No matches');
  await inspect(page, 'find-stopped');
  await press('Continue');
  await sees('1 match for x-9 in 2,006 sequences.', 's/last');
});

test('shows the entry of a text early in a long search, from the sequence that its format names', async (t) => {
  await define('untrue/likely', { ...GAPLESS, format: 'LIKELY-{n:4}' });
  await next('untrue/likely', { key: 'early' });
  const { page, sees, press } = await visit(t, '#/nowhere');
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    if (!request.url().includes('/api/find')) return request.continue();
    const [, from = 0] = /continuation=(\d+)/.exec(request.url()) ?? [];
    await new Promise((done) => { setTimeout(done, 1_000); });
    return request.respond({ contentType: 'application/json', body: JSON.stringify({ entries: [], searched: 100, unsearched: [], continuation: String(Number(from) + 1) }) });
  });
  await page.evaluate(() => { location.hash = '/find?q=likely-0001'; });
  await sees('1 match for likely-0001. Searched', 'untrue/likely', 'early', 'Loading');
  await press('Stop');
  await sees('1 match for likely-0001. Searched');
});

test('repeats an allocation after a lost answer without another number', async (t) => {
  await define('untrue/lost', { format: 'T-{n}' });
  const { page, sees, press } = await visit(t, '#/sequences/untrue/lost', LOST);
  await sees('Allocate a number');
  await loseAnswer(page, 'POST', '/lost/next');
  await press('Allocate');
  await sees('Whether it was done is not known', 'The answer was lost. Repeating is safe: the same key gets the same number.');
  await page.waitForFunction(() => document.querySelector('.now .next').innerText === 'T-2', { polling: 50 });
  await inspect(page, 'answer-lost');
  await press('Allocate');
  await sees('Already allocated to this key.', 'T-1');
  await press('Allocate');
  await sees('T-2', 'Allocated.');
});

test('shows a recorded result after its answer was lost, and warns before another one', async (t) => {
  await define('untrue/month', { ...GAPLESS, format: 'M-{n}' });
  await next('untrue/month', { key: 'm-1', date: TODAY });
  const { page, sees, press } = await visit(t, '#/sequences/untrue/month/check', LOST);
  await sees('Every number is accounted for', 'No result of this sequence is recorded yet.');
  await loseAnswer(page, 'POST', '/closings');
  await press('Record the result');
  await submit(page);
  await sees('Whether it was done is not known', 'Look at the recorded results first: repeating records another one.');
  await page.waitForFunction(() => document.body.innerText.includes('1 allocated, 0 voided'), { polling: 50 });
  assert.equal((await call('GET', 'sequences/untrue/month/closings')).json.closings.length, 1);
});

test('saves a definition again after a lost answer, without a conflict with itself', async (t) => {
  await define('untrue/form', GAPLESS);
  const { page, sees, misses, press, fill } = await visit(t, '#/sequences/untrue/form/definition', { failing: [undefined, 412] });
  await fill('Description', 'Saved once');
  await loseAnswer(page, 'PATCH', '/form');
  await press('Save');
  await sees('Whether it was done is not known', 'Repeating is safe');
  await press('Save');
  await sees('Saved. Effective on all instances');
  await misses('This definition has changed', 'Whether it was done');
  assert.equal((await call('GET', 'sequences/untrue/form')).json.description, 'Saved once');
});

test('is not green while numbers are reserved, and leads to them', async (t) => {
  await define('untrue/open', { ...GAPLESS, format: 'O-{n}' });
  await next('untrue/open', { key: 'o-1', date: TODAY, reserve: true });
  await next('untrue/open', { key: 'o-2', date: TODAY });
  const { page, sees, misses, follow } = await visit(t, '#/sequences/untrue/open/check');
  await sees('Every number is accounted for, but 1 is still reserved');
  assert.ok(await page.$('.verdict.warn'));
  await inspect(page, 'month-end-reserved', { fullPage: true });
  await follow('1 reserved number');
  await sees('O-1', 'Confirm');
  await misses('O-2');
});

test('finds what a shared address with blanks names, and says what is not in a ledger', async (t) => {
  await define('untrue/plain', { format: 'PLAIN-{n}' });
  await next('untrue/plain', { count: 3 });
  const { sees, goes } = await visit(t, `#/find?q=%20INV-${YEAR}-000012%20`);
  await sees(`1 match for INV-${YEAR}-000012`);
  await goes('/sequences/shop/invoice/who?q=%20order-9012');
  await sees('Found as key');
  await goes(`/sequences/shop/invoice/who?q=INV-${YEAR}-000900`);
  await sees(`number 900 of ${YEAR}, which has not been allocated yet. The next number is INV-${YEAR}-00004`);
  await goes('/sequences/untrue/plain/who?q=PLAIN-2');
  await sees('number 2, which no key has: it was allocated without one, or skipped. The next number is PLAIN-4.');
  await goes('/find?q=PLAIN-2');
  await sees('No ledger has this key, number or text. Numbers that were allocated without a key are in no ledger.');
});

test('prints a report with its title, date, service and user on filled pages', async (t) => {
  const { page, sees } = await visit(t, `#/sequences/shop/invoice/check?period=${YEAR}`);
  await sees('The customer withdrew the order.', 'Refused rows');
  await page.emulateMediaType('print');
  await sees(`Month-end check, ${YEAR}`, `shop/invoice · ${new URL(process.env.NUMERA_URL).host} · printed on`, 'by anna@example.com');
  assert.equal(await page.$eval('.report .table', (table) => getComputedStyle(table).breakInside), 'auto');
  await page.emulateMediaType('screen');
  const file = Buffer.from(await page.pdf({ format: 'A4' })).toString('latin1');
  assert.ok(file.match(/\/Type \/Page\b/g).length <= 3, 'pages');
});

test('shows that it loads while the definition is on its way', async (t) => {
  const { page, sees } = await visit(t, '#/nowhere');
  await page.setRequestInterception(true);
  page.on('request', (request) => setTimeout(() => request.continue(), request.url().endsWith('/sequences/shop/invoice') ? 1_500 : 0));
  await page.evaluate(() => { location.hash = '/sequences/shop/invoice/who?q=order-9012'; });
  await page.waitForSelector('.lookup');
  assert.ok(await page.waitForSelector('.loading', { timeout: 1_000 }));
  await sees('Found as key');
});

test('suggests a sequence with a similar name, marks the tab of each upload, and names a refusal before the service', async (t) => {
  const { page, sees, misses, follow, goes } = await visit(t, '#/sequences/shop/Invoices', { failing: [403, 404] });
  await sees('Sequence not found', 'Did you mean shop/invoice?');
  await misses('Month end');
  await inspect(page, 'did-you-mean');
  await follow('shop/invoice');
  await sees('Month end');
  await goes('/sequences/shop/invoice/uploads');
  await sees('No upload is kept.');
  assert.equal(await page.$eval('.tabs [aria-current]', ({ textContent }) => textContent), 'Uploads');
  await page.setRequestInterception(true);
  page.on('request', (request) => (request.url().includes('/invoice/changes') ? request.respond({ status: 403, body: '<h1>Forbidden</h1>' }) : request.continue()));
  await goes('/sequences/shop/invoice/changes');
  await sees('Access denied before the service (403)', 'Ask the operator');
  await click(page, page.locator('::-p-aria([name="Copy as curl"][role="button"])'));
  await sees('ListChanges: list changes');
});
