import test from 'node:test';
import { define } from '../app.mjs';
import { accessible, screenshot, visit } from '../browser.mjs';
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
