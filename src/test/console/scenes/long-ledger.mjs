import test from 'node:test';
import { downloads, saved, visit } from '../browser.mjs';
import { buildLongLedger } from '../world.mjs';

test('checks and saves a ledger of ten thousand entries page by page', async (t) => {
  await buildLongLedger();
  const { page, sees, press } = await visit(t, '#/sequences/long/ledger/check');
  await sees('Every number is accounted for', '10,000');
  const folder = await downloads(page);
  await press('This year');
  await press('Download CSV');
  await sees('10,000 lines saved');
  const lines = (await saved(folder)).text.trimEnd().split('\r\n').slice(1);
  if (new Set(lines).size !== 10_000) throw new Error(`of 10,000 lines ${new Set(lines).size} are different`);
});
