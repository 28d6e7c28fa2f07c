import test from 'node:test';
import { numbered, poison } from '../app.mjs';
import { accessible, fitsPhone, screenshot, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

test('explains a poison message, and requeues it with its document date or drops it', async (t) => {
  await poison(
    JSON.stringify({ id: 'night-7', scope: 'shop', name: 'credit-note', keys: ['late-1', 'late-2'] }),
    JSON.stringify({ id: 'night-8', scope: 'north', name: 'old-invoice', keys: ['too-late'], date: `${YEAR}-02-03` }),
    '<script>document.title = "run"</script> no JSON',
  );
  const { page, sees, press, fill, goes } = await visit(t, '#/poison');
  await sees('3 messages', 'can be numbered now', 'shop/credit-note', 'retired', 'Unreadable message');
  await accessible(page);
  await fitsPhone(page);
  await screenshot(page, 'poison');
  await press('Put back …');
  await fill('Document date', `${YEAR}-02-03`);
  await accessible(page);
  await screenshot(page, 'put-back');
  await press('Put back');
  await sees('was put back', '2 messages');
  await press('Drop …');
  await press('Drop');
  await sees('was dropped', '1 message');
  await numbered('shop/credit-note', 'late-1');
  await goes('/sequences/shop/credit-note/who?q=late-1');
  await sees('Found as key', `${YEAR}-02-03`);
});
