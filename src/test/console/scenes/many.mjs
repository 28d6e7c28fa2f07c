import assert from 'node:assert/strict';
import test from 'node:test';
import { define, listSequences } from '../app.mjs';
import { accessible, ORIGIN, screenshot, visit } from '../browser.mjs';
import { buildThousands } from '../world.mjs';

test('pages through and filters ten thousand sequences', async (t) => {
  await buildThousands();
  // The index rows have no definition, so the page shows a problem in place of each definition.
  const { page, fill, press, sees } = await visit(t, '#/?scope=many', { failing: [503] });
  await sees('10,000 sequences', 'Page 1 of 200', 's-00049');
  await press('Next');
  await sees('Page 2 of 200', 's-00050');
  await fill('Filter', '09999');
  await sees('1 of 10,000 sequences, searching descriptions …', 's-09999');
  await accessible(page);
  await screenshot(page, 'thousands');
});

test('finds a sequence beyond the first pages by its description', async (t) => {
  await define('many/s-00700-sale', { description: 'Vouchers of the summer sale' });
  const { page, fill, sees } = await visit(t, '#/?scope=many', { failing: [503] });
  await sees('10,001 sequences');
  await fill('Filter', 'SUMMER voucher');
  await sees('1 of 10,001 sequences', 's-00700-sale', 'Vouchers of the summer sale');
  await accessible(page);
});

/** The limit of the time until all names are listed, on a machine that also runs the browser, the app and storage. */
const LIST_MILLIS = 1_500;

test('lists 2,006 sequences in 1.5 seconds', async (t) => {
  await define('crowd/a-first');
  await listSequences('crowd', Array.from({ length: 2_005 }, (_, i) => `s-${String(i).padStart(4, '0')}`));
  const { page, sees } = await visit(t, '#/nowhere', { failing: [503] });
  const took = [];
  // Several times, because a busy machine slows down some of them.
  for (let i = 0; i < 5; i++) {
    await page.goto(`${ORIGIN}/api/console/icon.svg`);
    const start = performance.now();
    await page.goto(`${ORIGIN}/api/console#/?scope=crowd`, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(() => document.body.innerText.includes('2,006 sequences') && document.body.innerText.includes('s-0048'), { polling: 20 });
    took.push(Math.round(performance.now() - start));
    await sees('Looked at');
  }
  t.diagnostic(`milliseconds until the list was complete: ${took}`);
  assert.ok(Math.min(...took) <= LIST_MILLIS, `milliseconds: ${took}`);
});
