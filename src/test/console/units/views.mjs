// Tests views of the console without a browser: what a user does, and the calls that the service then gets.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {app, refused, serve, show} from './page.mjs';

const PATH = {scope: 's', name: 'n'};
const entryOf = (key, n, more = {}) => ({kind: 'allocation', key, first: n, last: n, count: 1, texts: [`R-${n}`], date: '2026-11-03', allocatedAt: '2026-11-03T08:00:00Z', ...more});

/** A ledger that allocates and voids. Remembers what it voided, by key. */
function ledger(...keys) {
  const entries = new Map(keys.map((key, i) => [key, entryOf(key, i + 1)]));
  const voided = new Map();
  const answer = (method, path, body, headers) => {
    if (path.endsWith('/next')) {
      const key = headers['Idempotency-Key'];
      const replayed = entries.has(key);
      entries.set(key, entries.get(key) ?? entryOf(key, entries.size + 1));
      return {...entries.get(key), ...(replayed && {replayed})};
    }
    if (path.endsWith('/status')) {
      voided.set(body.key, body.reason);
      return {...entries.get(body.key), status: body.status, reason: body.reason};
    }
    return undefined;
  };
  return {answer, voided, entries};
}

test('a document is not voided in favor of the number of another document', async t => {
  const {answer, voided} = ledger('order-1', 'order-2');
  serve(answer);
  const {sees, press, fill} = show(t, 'ReplaceDialog', {path: PATH, entry: entryOf('order-1', 1), onDone: () => assert.fail('done'), onClose() {}});
  await fill('New key', 'order-2');
  await press('Void and replace');
  await sees('This key already has R-2', 'R-1 is not voided yet.');
  assert.deepEqual([...voided], []);
});

test('a replacement resumes after a lost answer, and after the dialog was closed', async t => {
  const {answer, voided, entries} = ledger('order-1');
  const failing = ['/next', '/status'];
  serve((...call) => {
    const answered = answer(...call);
    if (call[1].endsWith(failing[0])) return failing.shift() === '/next' ? Promise.reject(new TypeError('lost')) : refused('overloaded', 503);
    return answered;
  });
  const done = [];
  const props = {path: PATH, entry: entryOf('order-1', 1), onDone: said => done.push(said), onClose() {}};
  const first = show(t, 'ReplaceDialog', props);
  await first.press('Void and replace');
  await first.sees('Whether it was done is not known');
  await first.press('Continue');
  await first.sees('R-2 is allocated under replaces-order-1.', 'The service is busy');
  first.leave();
  const second = show(t, 'ReplaceDialog', props);
  await second.press('Void and replace');
  await second.until(() => done.length, second.page);
  assert.deepEqual([...voided], [['order-1', 'replaced by R-2']]);
  assert.equal(entries.size, 2);
});

test('long keys that differ at their ends are replaced under different keys', () => {
  const [one, other] = ['1', '2'].map(end => app.newKeyOf('x'.repeat(250) + end));
  assert.notEqual(one, other);
  assert.ok(one.length <= 255 && other.length <= 255);
  assert.equal(app.newKeyOf('order-1'), 'replaces-order-1');
});
