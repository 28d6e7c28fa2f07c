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

/** Returns a promise with the function that fulfills it. */
function gate() {
  let open;
  const opened = new Promise(done => { open = done; });
  return {opened, open};
}

const messageOf = (id, text = JSON.stringify({...PATH, id, keys: ['a'], date: '2026-11-03'})) =>
  ({id, insertedAt: '2026-11-29T10:00:00Z', expiresAt: '2026-12-06T10:00:00Z', canRequeue: true, text});

/** Lists failed messages. Each deletion waits for its gate. */
function failedMessages(messages, gates = []) {
  const dropped = [];
  serve(async (method, path) => {
    if (method !== 'DELETE') return path.startsWith('/poison') ? {messages, approximateCount: messages.length} : undefined;
    const id = path.split('/').pop();
    dropped.push(id);
    await gates[dropped.length - 1]?.opened;
    return {status: 204};
  });
  return dropped;
}

test('messages that are not yet deleted stay when the user stops, and when the view is left', async t => {
  for (const how of ['Stop', 'Escape', 'leave']) {
    const first = gate();
    const dropped = failedMessages(['m1', 'm2', 'm3'].map(id => messageOf(id)), [first]);
    const {sees, press, escape, leave, until, page} = show(t, 'Poison');
    await press('Delete (3) …');
    await press('Delete');
    await until(() => dropped.length === 1, page);
    await ({Stop: () => press('Stop'), Escape: escape, leave})[how]();
    first.open();
    await (how === 'leave' ? until(() => true) : sees('1 message was deleted. Stopped: 2 messages unchanged.'));
    await new Promise(done => { setTimeout(done, 20); });
    assert.deepEqual(dropped, ['m1'], how);
    leave();
  }
});

test('entries that are not yet voided stay when the view is left', async t => {
  const entries = Array.from({length: 12}, (_, i) => entryOf(`k-${i}`, i + 1));
  const first = gate();
  let sent = 0;
  serve(async (_, __, body) => {
    sent++;
    await first.opened;
    return {...entries[0], key: body.key, status: 'void'};
  });
  const {press, fill, leave, until, page} = show(t, 'Many', {path: PATH, change: 'void', entries, onChanged() {}, onClose() {}});
  await fill('Reason', 'Torn');
  await fill('Type s/n to confirm', 's/n');
  await press('Void');
  await until(() => sent === 4, page);
  leave();
  first.open();
  await new Promise(done => { setTimeout(done, 20); });
  assert.equal(sent, 4);
});

test('a hostile message does not hide the other messages', async t => {
  failedMessages([messageOf('name', '{"scope":"\\ud800","name":"x","keys":["a"]}'), messageOf('id', '{"scope":"s","name":"n","keys":["a"],"id":{"toString":1}}'), messageOf('good')]);
  const {sees} = show(t, 'Poison');
  await sees('Unreadable message', 's/n');
});

test('a key that was refused is asked about again', async () => {
  let isKnown = false;
  globalThis.fetch = async () => new Response('', {status: isKnown ? 400 : 401});
  assert.equal(await app.api.isAccepted('late-key'), false);
  isKnown = true;
  assert.equal(await app.api.isAccepted('late-key'), true);
});

const LAST_MONTH = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
const monthName = new Intl.DateTimeFormat('en-GB', {month: 'long', year: 'numeric', timeZone: 'UTC'}).format(new Date(`${LAST_MONTH}-01`));
const closingFor = (dateFrom, dateTo) => ({dateFrom, dateTo, id: dateFrom, closedAt: '2026-11-03T08:00:00Z', allocated: 1, void: 0, reserved: 0, gapCount: 0, gaps: []});
const MONTH_END = new Date(Date.UTC(Number(LAST_MONTH.slice(0, 4)), Number(LAST_MONTH.slice(5)), 0)).toISOString().slice(0, 10);

/** A scope of two sequences, whose last month has changed since it was recorded. */
function scopeOfTwo({closing = closingFor(`${LAST_MONTH}-01`, MONTH_END), onRecord = () => {}} = {}) {
  const changed = new Set(['one', 'two']);
  serve(async (method, path) => {
    const name = path.split('/')[3];
    if (path.startsWith('/sequences?')) return {sequences: ['one', 'two'].map(each => ({scope: 's', name: each, definition: {guarantee: 'gapless'}}))};
    if (path.startsWith('/attention')) return {entries: [...changed].map(each => ({kind: 'month-changed', name: each, month: LAST_MONTH}))};
    if (method !== 'POST') return path.includes('/closings') ? {closings: [closing]} : undefined;
    const answer = await onRecord(name);
    if (!answer) changed.delete(name);
    return answer ?? closing;
  });
}

async function record({press}) {
  await press('Record all results …');
  await press('Record');
}

test('a failed recording is not counted as done', async t => {
  scopeOfTwo({onRecord: name => name === 'two' ? refused('storage-unavailable', 503) : undefined});
  const page = show(t, 'ScopeMonths', {query: new URLSearchParams('scope=s'), params: {}});
  await record(page);
  await page.sees('Recording: 1 of 2 done, 1 failed.', 'Storage is unavailable');
});

test('recorded months no longer appear as changed, and others stay unrecorded when the view is left', async t => {
  const recorded = [];
  const first = gate();
  scopeOfTwo({onRecord: name => { recorded.push(name); }});
  const page = show(t, 'ScopeMonths', {query: new URLSearchParams('scope=s'), params: {}});
  await page.sees('changed since');
  await record(page);
  await page.sees('Recording: 2 of 2 done.');
  await page.until(() => !page.page().includes('changed since'), page.page);
  scopeOfTwo({onRecord: async name => { recorded.push(name); await first.opened; }});
  await record(page);
  await page.until(() => recorded.length === 3, page.page);
  page.leave();
  first.open();
  await new Promise(done => { setTimeout(done, 20); });
  assert.deepEqual(recorded, ['one', 'two', 'one']);
});

test('a month is recorded by a closing that covers it', async t => {
  scopeOfTwo({closing: closingFor('2020-01-01', MONTH_END)});
  const {sees, page} = show(t, 'ScopeMonths', {query: new URLSearchParams('scope=s'), params: {}});
  await sees(`Sequences in ${monthName}`, 'changed since');
  assert.equal(page().match(/open/g)?.length, 2, 'only the present month is open');
});

test('documents per month leave out the first month if the ledger has numbers before the counted ones', async t => {
  const entries = [['2026-09-30', 2001], ['2026-10-05', 2002], ['2026-11-05', 2003]].map(([date, n]) => entryOf(`k-${n}`, n, {date, kind: 'import'}));
  let earlier = [entryOf('k-1', 1)];
  serve((_, path) => ({entries: path.includes('from=2000') ? entries : path.includes('to=1999') ? earlier : []}));
  const props = {path: PATH, definition: {start: 2500}, state: {next: 3000, allocated: 0}};
  const {sees, leave, page} = show(t, 'PerMonth', props);
  await sees('October 2026', 'November 2026');
  assert.doesNotMatch(page(), /September/);
  leave();
  earlier = [];
  await show(t, 'PerMonth', props).sees('September 2026');
});

test('an advance is confirmed on the state at that time', async t => {
  let next = 2;
  serve((_, path) => path.endsWith('/state') ? {...PATH, next, allocated: next - 1, left: 100 - next, used: 0.1}
    : path.endsWith('/n') ? {guarantee: 'gapless'} : path.includes('/periods') ? {periods: []} : undefined);
  const {sees, press, fill} = show(t, 'Lifecycle', {params: PATH});
  await fill('Next number at least', '50');
  await sees('Now 2.');
  next = 22;
  await press('Advance …');
  await sees('Next number 22 50', '28 numbers will never be allocated.');
});

test('a key in another Unicode form shows its result', async t => {
  const stored = 'M\u00fcller-1';
  serve((method, path, body) => method === 'POST' ? {...entryOf(stored, 1), key: body.key, status: 'issued'}
    : path.includes('/ledger') ? {entries: [entryOf(stored, 1, {status: 'reserved'})]} : undefined);
  const {sees, press, fill, page} = show(t, 'ByKeys', {path: PATH, onClose() {}});
  await fill('Keys, one on each line', stored.normalize('NFD'));
  await sees('will be confirmed');
  await press('Confirm 1 key …');
  await press('Confirm');
  await press('Close');
  await sees('confirmed', 'issued');
  assert.doesNotMatch(page(), /will be confirmed/);
});

test('pasted keys stay while another view is open, until they are sent', async t => {
  serve((method, path) => method === 'POST' && path.endsWith('/batches') ? {status: 202, body: {id: 'ab'}} : undefined);
  const props = {params: PATH, query: new URLSearchParams()};
  const label = 'Or paste keys, one on each line';
  const first = show(t, 'Upload', props);
  await first.fill(label, 'cart-1\ncart-2');
  first.leave();
  const second = show(t, 'Upload', props);
  assert.equal(await second.valueOf(label), 'cart-1\ncart-2');
  await second.sees('Preview', 'cart-2');
  await second.press('Assign numbers');
  await second.until(() => location.hash.includes('uploads/ab'), second.page);
  second.leave();
  const third = show(t, 'Upload', props);
  assert.equal(await third.valueOf(label), '');
});

test('discarded changes give way to the stored definition, not to an earlier one', async t => {
  let description = 'Old';
  serve((method, path, body) => {
    if (method === 'PATCH') description = body.description;
    return path.endsWith('/n') ? {guarantee: 'gapless', timeZone: 'UTC', description} : path.includes('/periods') ? {periods: []} : undefined;
  });
  const first = show(t, 'DefinitionView', {params: PATH});
  await first.fill('Contact', 'anna');
  first.leave();
  description = 'New';
  const second = show(t, 'DefinitionView', {params: PATH});
  await second.sees('Your unsaved changes are still here.');
  await second.press('Discard changes');
  assert.equal(await second.valueOf('Description'), 'New');
  await second.fill('Description', 'Newest');
  await second.press('Save');
  await second.sees('Saved.');
  await second.fill('Description', 'Newer still');
  await second.press('Discard changes');
  assert.equal(await second.valueOf('Description'), 'Newest');
});

test('a number that a sequence cannot allocate is not taken for a skipped one', async t => {
  serve((method, path) => path.endsWith('/parse') ? {number: 5} : path.endsWith('/state') ? {next: 1001, nextText: 'W-1001', left: 9}
    : path.endsWith('/n') ? {guarantee: 'gapless', start: 1000, format: 'W-{n}'} : path.includes('/ledger') ? {entries: []} : undefined);
  await show(t, 'Who', {params: PATH, query: new URLSearchParams('q=W-5')}).sees('W-5 is number 5, which is not a number of this sequence. The next number is W-1001.');
});

test('a search says that sequences were not searched', async t => {
  serve((method, path) => path.startsWith('/find') ? {entries: [], searched: 3, unsearched: [{scope: 's', name: 'bad', problem: {type: 'storage-unavailable'}}]} : undefined);
  const {sees, page} = show(t, 'Find', {query: new URLSearchParams('q=INV-7'), params: {}});
  await sees('No searched ledger has this key, number or text. The sequences below were not searched, or only in part.', 's/bad');
  assert.doesNotMatch(page(), /No ledger has/);
});

/** Returns the lines of the file that the browser is about to save. */
async function savedBy(t, save) {
  const files = [];
  const {createObjectURL} = URL;
  URL.createObjectURL = blob => files.push(blob);
  t.after(() => { URL.createObjectURL = createObjectURL; });
  await save();
  return (await files[0].text()).split('\r\n');
}

test('saved checks and lists of keys keep texts and keys as they are in a spreadsheet', async t => {
  const voided = entryOf('1-2', 1, {texts: ['0000000001'], status: 'void', statusAt: '2026-11-03T08:00:00Z', reason: 'Torn'});
  serve((_, path) => path.endsWith('/n') ? {guarantee: 'gapless', timeZone: 'UTC'}
    : path.includes('/check') ? {from: 1, to: 1, allocated: 1, void: 1, reserved: 0, gaps: [], checkedAt: '2026-11-03T08:00:00Z'}
    : path.includes('/ledger') ? {entries: path.includes('status=reserved') ? [] : [voided]}
    : path.includes('/closings') ? {closings: []} : path.includes('/imports') ? {imports: []} : undefined);
  const month = show(t, 'MonthEnd', {params: PATH, query: new URLSearchParams('month=2026-11')});
  await month.sees('Every number is accounted for', 'No import that is still kept');
  const lines = await savedBy(t, () => month.press('Save as CSV'));
  assert.ok(lines.some(line => line.startsWith("void,allocation,1,1,'0000000001,'1-2,")), lines.join('\n'));
  month.leave();

  serve((method, path, body) => method === 'POST' ? {...voided, key: body.key, status: 'issued'}
    : path.includes('/ledger') ? {entries: [{...voided, status: 'reserved', reason: undefined}]} : undefined);
  const keys = show(t, 'ByKeys', {path: PATH, onClose() {}});
  await keys.fill('Keys, one on each line', '1-2');
  for (const name of ['Confirm 1 key …', 'Confirm', 'Close']) await keys.press(name);
  assert.equal((await savedBy(t, () => keys.press('Save results as CSV')))[1], "'1-2,'0000000001,issued,confirmed");
});

test('a copied request names its key in the header that the page sends', t => {
  t.after(() => app.enter({key: '', actor: '', kept: false}));
  const copied = key => {
    app.enter({key, actor: '', kept: false});
    return app.api.asCurl({call: 'ListSequences'});
  };
  assert.equal(copied(''), "curl 'http://console/api/sequences'");
  assert.equal(copied('abc'), "curl 'http://console/api/sequences' -H \"x-functions-key: $KEY\"");
  assert.equal(copied('eyJa.b.c'), "curl 'http://console/api/sequences' -H \"Authorization: Bearer $KEY\"");
});
