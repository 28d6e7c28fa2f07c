// Fills the storage before the scenes start, with a shop's sequences as in a demonstration.
import { advance, age, call, define, listSequences, next, status, upload } from './app.mjs';

export const TODAY = new Date().toISOString().slice(0, 10);
export const YEAR = TODAY.slice(0, 4);
export const ODD_TEXT = `<script>document.title = 'run'</script> "quoted" 'single' & \u05de\u05e1\u05e4\u05e8 \u0627\u0644\u0641\u0627\u062a\u0648\u0631\u0629`;
export const ODD_KEY = `<img src=x onerror="document.title='run'"> "k" \u05d4\u05d6\u05de\u05e0\u05d4-17`;

const DEFINITIONS = {
  'shop/invoice': {
    guarantee: 'gapless', format: 'INV-{yyyy}-{n:6}', resetEvery: 'year', timeZone: 'UTC', description: 'Invoices of the web shop', contact: 'accounting@example.com',
  },
  'shop/credit-note': { guarantee: 'gapless', format: 'CN-{yyyy}-{n:5}', resetEvery: 'year', timeZone: 'UTC', description: 'Credit notes' },
  'shop/order': { format: '{yy}{n:7}{check:damm}', timeZone: 'UTC', description: 'Orders; the last digit catches typing errors' },
  'shop/delivery-note': { format: 'DN-{yyyy}{MM}-{n:4}', resetEvery: 'month', timeZone: 'UTC', description: 'Delivery notes, restarted each month' },
  'shop/gift-card': { format: 'GC-{n:4}', maxValue: 1000, description: 'Gift cards, 1,000 were printed' },
  'shop/ticket': { guarantee: 'cached', cacheSize: 50, description: 'Support tickets' },
  'shop/event': { guarantee: 'snowflake', description: 'Ids of events' },
  'north/invoice': { guarantee: 'gapless', format: 'N{yy}-{n:5}', resetEvery: 'year', timeZone: 'UTC', description: 'Invoices of the northern branch' },
  'north/old-invoice': { guarantee: 'gapless', format: 'NO-{n}', description: 'Until the branch moved' },
  'odd/texts': { guarantee: 'gapless', description: ODD_TEXT, contact: '"><b>bold</b>' },
};

/** Returns days from the start of this year until today, evenly spaced and in order. */
function days(count) {
  const [first, last] = [Date.parse(`${YEAR}-01-01`), Date.parse(TODAY)];
  return Array.from({ length: count }, (_, i) => new Date(first + (last - first) * (i + 1) / count).toISOString().slice(0, 10));
}

async function invoices() {
  for (const [i, date] of days(40).entries()) await next('shop/invoice', { key: `order-${9001 + i}`, date, reserve: i > 36 });
  await status('shop/invoice', 'order-9012', 'void', 'The customer withdrew the order.');
  await status('shop/invoice', 'order-9027', 'void', 'Wrong address');
  await advance('shop/invoice', 46, 'Five forms were printed by hand at the fair.');
  await next('shop/invoice', { key: 'order-9041' });
  await next('shop/invoice', { key: 'order-8990', date: `${YEAR - 1}-12-30` });
}

async function others() {
  for (const key of ['return-1', 'return-2', 'return-3']) await next('shop/credit-note', { key });
  await next('shop/order', { count: 4213 });
  await next('shop/delivery-note', { key: 'parcel-1', count: 118 });
  await next('shop/gift-card', { count: 960 });
  await next('shop/ticket', { count: 30 });
  await next('shop/event');
  for (const key of ['n-1', 'n-2']) await next('north/invoice', { key });
  await next('north/old-invoice', { key: 'last' });
  await call('DELETE', 'sequences/north/old-invoice', { 'If-Match': '*', 'Numera-Actor': 'anna@example.com' });
  await next('odd/texts', { key: ODD_KEY });
}

export async function build() {
  for (const [sequence, definition] of Object.entries(DEFINITIONS)) await define(sequence, definition);
  await Promise.all([invoices(), others()]);
  const used = { 'shop/invoice': 320, 'shop/credit-note': 200, 'shop/order': 90, 'shop/delivery-note': 22, 'shop/gift-card': 143, 'north/invoice': 45 };
  await Promise.all(Object.entries(used).map(([sequence, since]) => age(sequence, since)));
}

/** Allocates as many numbers as a busy shop does in a year. */
export async function buildLongLedger() {
  await define('long/ledger', { guarantee: 'gapless', format: 'L-{n:6}', description: 'A long ledger' });
  await upload('long/ledger', Array.from({ length: 10_000 }, (_, i) => `key-${i + 1}`));
}

/** Lists as many sequences as a provider has for its customers. */
export const buildThousands = () => listSequences('many', Array.from({ length: 10_000 }, (_, i) => `s-${String(i).padStart(5, '0')}`));
