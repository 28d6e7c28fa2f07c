import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define, next } from '../app.mjs';
import { click, inspect, submit, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

test('shows the state of a sequence and its periods, and allocates a number', async (t) => {
  const { page, sees, press, fill } = await visit(t, '#/sequences/shop/invoice');
  await sees(`INV-${YEAR}-000047`, 'Periods', `${YEAR - 1}`, 'Documents per month');
  await page.waitForSelector('.bars meter');
  await fill('Key', 'by-hand-1');
  await press('Allocate');
  await sees('Allocated.', `INV-${YEAR}-000048`);
  await press('Allocate');
  await sees('Already allocated to this key.');
});

test('offers no number for exhausted or retired sequences', async (t) => {
  await define('north/voucher', { format: 'V-{n}', maxValue: 2 });
  await next('north/voucher', { count: 2 });
  await define('north/clock', { guarantee: 'snowflake' });
  await call('DELETE', 'sequences/north/clock', { 'If-Match': '*' });
  const { page, sees, misses, goes } = await visit(t, '#/sequences/north/voucher');
  await sees('used up', 'Counter', 'all time');
  assert.deepEqual(await page.$$eval('.next, tbody .number:first-of-type', (shown) => shown.map(({ textContent }) => textContent)), ['none left', 'none left']);
  await goes('/?scope=north&filter=voucher');
  await sees('1 of', 'none left');
  await goes('/sequences/north/clock');
  await sees('Ids by the clock', 'retired');
  await misses('Allocate a number');
});

test('previews the definition of a retired sequence as a revival would use it', async (t) => {
  await define('north/ended', { format: 'E-{n:4}', start: 7 });
  await next('north/ended', { count: 2 });
  await call('DELETE', 'sequences/north/ended', { 'If-Match': '*' });
  const { sees, misses, fill } = await visit(t, '#/sequences/north/ended/definition');
  await sees('Retired', 'E-0009', 'E-0011');
  await misses('would be lost');
  await fill('Format', 'F-{n:4}');
  await sees('F-0009');
});

test('names fiscal years by both of their calendar years', async (t) => {
  await define('north/fiscal', { guarantee: 'gapless', format: '{fy}-{n}', resetEvery: 'year', timeZone: 'UTC', fiscalYearStart: 4 });
  await next('north/fiscal', { key: 'first', date: `${YEAR}-03-31` });
  const period = `${YEAR - 1}/${String(YEAR).slice(-2)}`;
  const { page, sees, goes, press } = await visit(t, '#/sequences/north/fiscal');
  await sees(period);
  await goes('/sequences/north/fiscal/who?q=1');
  await sees(`Found as number 1 of ${period}`);
  await goes(`/sequences/north/fiscal/check?period=${YEAR}`);
  await sees('Every number is accounted for', period);
  await press('This year');
  const days = await page.$$eval('section[aria-label="Ledger as a table"] input[type=date]', (fields) => fields.map(({ value }) => value.slice(4)));
  assert.deepEqual(days, ['-04-01', '-03-31']);
});

test('previews the texts of a new sequence while the user types', async (t) => {
  const { page, sees, fill, finds } = await visit(t, '#/new?for=invoice');
  await fill('Scope', 'shop');
  await fill('Name', 'quote');
  await fill('Format', 'Q-{yyyy}-{n:4}');
  await sees(`Q-${YEAR}-0001`, `Q-${YEAR}-0003`);
  await (await finds('Format')).press('Enter');
  await sees('No numbers yet', 'Allocate a number');
});

test('proposes the time zone of the browser once texts show a date, and lets the user clear it', async (t) => {
  const { page, fill, finds } = await visit(t, '#/new?scope=north&name=zoned');
  const zone = async () => (await finds('Time zone')).evaluate(({ value }) => value);
  assert.equal(await zone(), '');
  await fill('Format', 'Z-{yyyy}-{n}');
  assert.equal(await zone(), await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone));
  await fill('Time zone', '');
  await fill('Description', 'Dated');
  assert.equal(await zone(), '');
});

test('keeps the name in the address when a kind of numbers is chosen', async (t) => {
  const { page, sees } = await visit(t, '#/new?scope=north&name=receipt');
  await click(page, page.locator('.presets a'));
  await sees(`INV-${YEAR}-000001`);
  assert.deepEqual(await page.$$eval('fieldset:first-of-type input', (fields) => fields.map(({ value }) => value)), ['north', 'receipt']);
});

test('resets fields that the chosen guarantee does not have', async (t) => {
  await define('north/ring', { cycle: true, maxValue: 9 });
  const { sees, press, fill } = await visit(t, '#/sequences/north/ring/definition');
  await fill('Guarantee', 'gapless');
  await press('Save');
  await sees('Saved.');
});

test('keeps input typed while a change is being saved', async (t) => {
  await define('north/draft');
  const { page, sees, press, fill } = await visit(t, '#/sequences/north/draft/definition');
  let release;
  const typed = new Promise((resolve) => { release = resolve; });
  await page.setRequestInterception(true);
  page.on('request', async (request) => {
    if (request.method() === 'PATCH') await typed;
    await request.continue();
  });
  await fill('Description', 'Drafts');
  await press('Save');
  await fill('Contact', 'ben@example.com');
  release();
  await sees('Saved, except for your latest edits');
  await press('Save');
  await sees('Saved. Effective');
  assert.equal((await call('GET', 'sequences/north/draft')).json.contact, 'ben@example.com');
});

test('marks refused fields until they are fixed', async (t) => {
  const { page, press, fill } = await visit(t, '#/sequences/shop/gift-card/definition', { failing: [400, 409] });
  await fill('Largest number', '10');
  await press('Save');
  await page.waitForSelector('.beside .problem');
  await fill('Largest number', '2000');
  await page.waitForSelector('.problem, .field.wrong', { hidden: true });
});

test('explains fixed fields, and keeps concurrent changes of others', async (t) => {
  const { page, sees, press, fill } = await visit(t, '#/sequences/shop/credit-note/definition', { failing: [412] });
  await sees('Numbers have been allocated.');
  await fill('Format', 'CR/{yyyy}/{n:5}');
  await sees(`CR/${YEAR}/00004`);
  await call('PATCH', 'sequences/shop/credit-note', { body: { contact: 'ben@example.com' }, 'If-Match': '*' });
  await press('Save');
  await submit(page);
  await sees('This definition has changed since you opened it', 'ben@example.com', 'Stored now');
  await inspect(page, 'conflict', { fullPage: true });
  await press('Keep mine');
  await press('Save');
  await sees('Numbers that were allocated keep theirs', `CN-${YEAR}-00004`, `CR/${YEAR}/00004`);
  await submit(page);
  await sees('Saved.');
});

test('refuses a format whose texts could repeat while the user types', async (t) => {
  const { sees, fill } = await visit(t, '#/sequences/shop/delivery-note/definition', { failing: [400, 409] });
  await fill('Format', 'DN-{n:4}');
  await sees('Two numbers could have the same text', 'would appear on');
});
