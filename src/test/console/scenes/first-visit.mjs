import test from 'node:test';
import { accessible, fitsPhone, screenshot, visit } from '../browser.mjs';
import { build } from '../world.mjs';

test('requests a key on the first visit, and shows what to do first', async (t) => {
  const { page, fill, press, sees, finds } = await visit(t, '', { key: null, failing: [401] });
  await finds('Sign in with a key', 'dialog');
  await accessible(page);
  await fill('Function key', process.env.NUMERA_KEY);
  await fill('Your name', 'anna@example.com');
  await press('Continue');
  await sees('No sequences yet', 'Invoices', 'Orders', 'Signed in');
  await accessible(page);
  await fitsPhone(page);
  await screenshot(page, 'first-visit');
});

test('sets up a shop', build);
