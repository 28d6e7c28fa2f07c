import test from 'node:test';
import { inspect, visit } from '../browser.mjs';
import { build } from '../world.mjs';

test('requests a key on the first visit, and shows what to do first', async (t) => {
  const { page, fill, press, sees, finds } = await visit(t, '', { key: null, failing: [401] });
  await finds('Sign in with a key', 'dialog');
  await fill('Function key', process.env.NUMERA_KEY);
  await fill('Your name', 'anna@example.com');
  await press('Continue');
  await sees('No sequences yet', 'Invoices', 'Orders', 'Signed in');
  await inspect(page, 'first-visit');
});

test('sets up a shop', build);
