import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyPoison, numbered, poison } from '../app.mjs';
import { inspect, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

test('explains a poison message, and requeues it with its document date or drops it', async (t) => {
  await poison(
    JSON.stringify({ id: 'night-7', scope: 'shop', name: 'credit-note', keys: ['late-1', 'late-2'] }),
    JSON.stringify({ id: 'night-8', scope: 'north', name: 'old-invoice', keys: ['too-late'], date: `${YEAR}-02-03` }),
    '<script>document.title = "run"</script> no JSON',
  );
  const alike = Array.from({ length: 3 }, (_, i) => JSON.stringify({ id: `day-${i}`, scope: 'nowhere', name: 'invoice', keys: [`k-${i}`] }));
  await poison(...alike);
  const { page, sees, press, fill, goes, choose } = await visit(t, '#/poison');
  await sees('6 messages', 'can be numbered now', 'shop/credit-note', 'retired', 'Unreadable message', 'can only be deleted', 'nowhere/invoice', 'Failed messages 6');
  assert.equal((await page.$$('.poisoned')).length, 4);
  const offers = await page.$$eval('.poisoned', (groups) => groups.map(({ innerText }) => innerText).filter((text) => text.includes('only be deleted') && text.includes('Put back')));
  assert.deepEqual(offers, []);
  await press('Put back …');
  await fill('Document date', `${YEAR}-02-03`);
  await inspect(page, 'put-back');
  await press('Put back');
  await sees('was put back', '5 messages');
  await choose('day-1 · 1 key · without a date', 'checkbox');
  await press('Delete (2) …');
  await sees('2 messages for nowhere/invoice are deleted forever');
  await press('Delete');
  await sees('2 messages were deleted', '3 messages', 'day-1', 'Failed messages 3');
  await numbered('shop/credit-note', 'late-1');
  await goes('/sequences/shop/credit-note/who?q=late-1');
  await sees('Found as key', `3 Feb ${YEAR}`);
});

test('shows how many messages there are beyond those that it reads at once', async (t) => {
  await emptyPoison();
  await poison(...Array.from({ length: 36 }, (_, i) => JSON.stringify({ id: `all-${i}`, scope: 'nowhere', name: 'invoice', keys: [`a-${i}`] })));
  const { sees, press } = await visit(t, '#/poison');
  await sees('32 messages, and about 4 more behind them', 'Failed messages 36');
  await press('Delete (32) …');
  await press('Delete');
  await sees('32 messages were deleted.', 'Failed messages 4', 'Delete (4) …');
  await emptyPoison();
});
