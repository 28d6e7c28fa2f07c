// Checks the look of every view in light, in dark and on a phone with axe, and saves a picture of each to target/screenshots.
import test from 'node:test';
import { call, define, emptyPoison, importRows, next, poison, upload } from '../app.mjs';
import { inspect, visit } from '../browser.mjs';
import { ODD_KEY, YEAR } from '../world.mjs';

const INVOICE = '/sequences/shop/invoice';

/** The views of the shop: name of the picture, address, and the texts to wait for before the check. */
const VIEWS = [
  ['sequences', '/?filter=shop/', 'Invoices of the web shop', `INV-${YEAR}-000047`, '96%'],
  ['sequences-all', '/?retired=true', 'Templates for every scope', 'by the clock'],
  ['sequences-none', '/?filter=nowhere', 'No matching sequences'],
  ['sequence', INVOICE, 'Periods', 'Documents per month', 'Imported or skipped'],
  ['sequence-cached', '/sequences/shop/ticket', 'Counter', 'Allocate a number'],
  ['sequence-snowflake', '/sequences/shop/event', 'Ids by the clock', 'Allocate a number'],
  ['sequence-template', '/sequences/~/order', 'A template'],
  ['sequence-odd', '/sequences/odd/texts', 'Allocate a number'],
  ['sequence-unknown', '/sequences/nowhere/at-all', 'Sequence not found', 'Create it'],
  ['retired', '/sequences/north/old-invoice', 'Retired on', 'Revive it'],
  ['used-up', '/sequences/south/coupon', 'No numbers left.'],
  ['suspended', '/sequences/south/letter', 'Suspended since', 'Resume it'],
  ['definition', `${INVOICE}/definition`, 'Numbers have been allocated.', `INV-${YEAR}-000047`],
  ['definition-snowflake', '/sequences/shop/event/definition', 'What is certain about the numbers'],
  ['create', '/new', 'Choose what the numbers are for'],
  ['create-invoice', '/new?for=invoice&scope=shop&name=invoices', `INV-${YEAR}-000001`, 'A similar sequence exists'],
  ['who', `${INVOICE}/who?q=order-9012`, 'Found as key', 'Neighboring numbers', 'The customer withdrew the order.'],
  ['who-none', `${INVOICE}/who?q=nobody`, 'No matching number'],
  ['who-odd', `/sequences/odd/texts/who?q=${encodeURIComponent(ODD_KEY)}`, 'Found as key'],
  ['ledger', `${INVOICE}/ledger?prefix=order-901`, 'The customer withdrew the order.'],
  ['ledger-none', `${INVOICE}/ledger?prefix=nobody`, 'No entries'],
  ['month-end', `${INVOICE}/check?period=${YEAR}`, 'Every number is accounted for', 'The customer withdrew the order.'],
  ['upload', '/sequences/south/moved/upload', 'Drop a CSV file here'],
  ['uploads', '/sequences/south/moved/uploads', 'completed', 'with refused rows'],
  ['changes', '/sequences/south/letter/changes', 'suspended', 'created'],
  ['lifecycle', `${INVOICE}/lifecycle`, 'Advance', 'Retire'],
  ['lifecycle-suspended', '/sequences/south/letter/lifecycle', 'Resume …'],
  ['lifecycle-retired', '/sequences/north/old-invoice/lifecycle', 'Revive …'],
  ['find', '/find?q=order-9012', '1 match for order-9012', 'Found by'],
  ['find-none', '/find?q=nobody', 'No matches'],
  ['poison', '/poison', '6 messages', 'can only be deleted', 'nowhere/invoice', 'Failed messages 6'],
  ['not-found', '/nowhere', 'Page not found'],
];

/** The pages that are open at once. Each waits for the browser most of the time. */
const PAGES = 2;

test('shows every view in light, in dark and on a phone', { concurrency: PAGES }, async (t) => {
  await world();
  const waiting = [...VIEWS];
  await Promise.all(Array.from({ length: PAGES }, async () => {
    const { page, sees, goes } = await visit(t, '#/nowhere', { failing: [400, 404, 422] });
    for (let view = waiting.shift(); view; view = waiting.shift()) {
      const [name, address, ...texts] = view;
      await t.test(name, async () => {
        await goes(address);
        await sees(...texts);
        await inspect(page, name, { fullPage: true });
      });
    }
  }));
  await emptyPoison();
});

test('shows what is sent and every dialog in light, in dark and on a phone', async (t) => {
  const { page, sees, goes, press, fill, choose, finds } = await visit(t, `#${INVOICE}/lifecycle`);
  const dialog = async (name) => {
    await page.waitForSelector('dialog[open]');
    await inspect(page, name);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { hidden: true });
  };
  await fill('Next number at least', '60');
  await press('Advance …');
  await dialog('advance');
  for (const verb of ['Suspend', 'Retire']) {
    await press(`${verb} …`);
    await dialog(verb.toLowerCase());
  }
  await goes(`${INVOICE}/who?q=order-9038`);
  await press('Void');
  await dialog('void');
  await goes(`${INVOICE}/ledger`);
  await choose(`Select INV-${YEAR}-000038`, 'checkbox');
  await press('Void 1 …');
  await dialog('void-several');
  await goes(`${INVOICE}/definition`);
  await fill('Format', 'R-{yyyy}-{n:6}');
  await fill('Smallest number', '0');
  await press('Save');
  await sees('Numbers that were allocated keep theirs', `R-${YEAR}-000047`, 'This cannot be undone');
  await page.waitForSelector('dialog tbody tr:nth-child(3)');
  await dialog('save');
  await press('Discard changes');
  await press('Signed in · anna@example.com');
  await dialog('sign-in');
  await goes('/sequences/south/moved/upload?task=import');
  await fill('Or paste rows with a header line', 'Customer;Key;Number;Date\nNorth Ltd.;old-3;8;2024-01-02\n"South; Sons";old-4;9;2024-01-03');
  await sees('North Ltd.', 'Column with the numbers', '2 numbers, dated 2 January 2024 to 3 January 2024, M-0008 to M-0009');
  await inspect(page, 'import', { fullPage: true });
  await press('Check the rows');
  await sees('Checked: every row can be imported', 'old-4');
  await inspect(page, 'import-check', { fullPage: true });
  await press('Import numbers …');
  await dialog('import-confirm');
  await finds('Import numbers …');
});

async function world() {
  await define('~/order', { format: 'O-{n}', description: 'Orders of any customer' });
  await define('south/coupon', { format: 'C-{n}', maxValue: 2, description: 'Coupons' });
  await define('south/letter', { guarantee: 'gapless', format: 'L-{n:4}', description: 'Letters' });
  await define('south/moved', { guarantee: 'gapless', format: 'M-{n:4}', description: 'Moved in' });
  await next('south/coupon', { count: 2 });
  await next('south/letter', { key: 'letter-1' });
  await call('POST', 'sequences/south/letter/suspend', { body: { reason: 'The printer is broken.' }, 'Numera-Actor': 'anna@example.com' });
  await importRows('south/moved', [{ key: 'old-1', number: 1 }, { key: 'old-2', number: 0 }]);
  await upload('south/moved', ['new-1', 'new-2']);
  await poison(
    JSON.stringify({ id: 'night-7', scope: 'shop', name: 'credit-note', keys: ['late-1', 'late-2'] }),
    JSON.stringify({ id: 'night-8', scope: 'north', name: 'old-invoice', keys: ['too-late'], date: `${YEAR}-02-03` }),
    'no JSON',
    ...[1, 2, 3].map((i) => JSON.stringify({ id: `day-${i}`, scope: 'nowhere', name: 'invoice', keys: [`k-${i}`] })),
  );
}
