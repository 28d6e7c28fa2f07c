// Reads and writes Numera's tables as docs/tables.md describes them, with another client than the app's. TablesIT runs it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test, { before } from 'node:test';
import { TableClient } from '@azure/data-tables';

const page = await readFile(new URL('../../../docs/tables.md', import.meta.url), 'utf8');
const [sequences, counters, batches] = ['numerasequences', 'numeracounters', 'numerabatches']
  .map((table) => TableClient.fromConnectionString(process.env.NUMERA_STORAGE, table, { allowInsecureConnection: true }));

async function http(method, path, { body, ...headers } = {}) {
  const url = `${process.env.NUMERA_URL}/api/sequences/tables/${path}`;
  const answer = await fetch(url, { method, body, headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers } });
  const text = await answer.text();
  return { status: answer.status, location: answer.headers.get('location'), json: text ? JSON.parse(text) : undefined };
}

async function succeed(...call) {
  const answer = await http(...call);
  assert.ok(answer.status < 300, `${call} was answered ${answer.status}: ${JSON.stringify(answer.json)}`);
  return answer.json;
}

const define = (name, definition) => succeed('PUT', name, { body: JSON.stringify(definition), 'If-None-Match': '*' });
const next = (name, key, query = '') => succeed('POST', `${name}/next${query}`, key ? { 'Idempotency-Key': key } : {});
const advance = (name, nextAtLeast, reason = 'moved in') =>
  succeed('POST', `${name}/advance`, { body: JSON.stringify({ nextAtLeast, reason }), 'Numera-Actor': 'anna' });

// The encodings that the page describes.
const keyRow = (key) => `key:${createHash('sha256').update(key, 'utf8').digest('hex')}`;
const encoded = (number) => `${BigInt(number) + 5_000_000_000_000_000_000n}`;
const rowsFrom = (partition, number, period = '') =>
  `PartitionKey eq '${partition}' and RowKey ge 'number:${period}:${encoded(number)}' and RowKey lt 'number:${period};'`;

async function whoGot(name, number, period) {
  const pages = counters.listEntities({ queryOptions: { filter: rowsFrom(`tables:${name}`, number, period) } }).byPage({ maxPageSize: 1 });
  const [row] = (await pages.next()).value ?? [];
  const [low, high] = row ? [row.first, row.last].sort((a, b) => (a < b ? -1 : 1)) : [];
  if (!row || BigInt(number) < low || BigInt(number) > high || row.kind === 'advance') return undefined;
  const entry = JSON.parse(row.entries).find(([, first, last]) => Math.min(first, last) <= number && number <= Math.max(first, last));
  return entry[0];
}

before(async () => {
  await define('invoice', { guarantee: 'gapless', format: 'INV-{n:4}' });
  await next('invoice', 'a');
  await next('invoice', 'b', '?count=3');
  await advance('invoice', 1042);
  await next('invoice', 'c');
  await define('yearly', { resetEvery: 'year', timeZone: 'UTC' });
  await next('yearly', 'x', '?date=2025-12-31');
  await next('yearly', 'y', '?date=2026-01-01');
  await define('down', { increment: -7, start: 3, guarantee: 'gapless' });
  await next('down', 'p', '?count=2');
  await next('down', 'q');
  await define('retired', {});
  await succeed('DELETE', 'retired', { 'If-Match': '*' });
});

test('ordered dates are stored with the counter, and need an app that supports them', async () => {
  await define('dated', { dateOrder: 'ascending' });
  await next('dated', 'a', '?date=2026-11-05');
  const { needs, dateOrder } = await counters.getEntity('tables:dated', 'definition');
  assert.deepEqual([needs, dateOrder, (await counters.getEntity('tables:dated', 'counter')).lastDate], [2, 'ascending', '2026-11-05']);
  assert.equal((await counters.getEntity('tables:invoice', 'definition')).needs, 1);
  assert.equal((await counters.getEntity('tables:invoice', 'counter')).lastDate, undefined);
});

test('required keys need an app that supports them', async () => {
  await define('keyed', { keys: 'required' });
  const { needs, keys } = await counters.getEntity('tables:keyed', 'definition');
  assert.deepEqual([needs, keys], [7, 'required']);
  assert.equal((await counters.getEntity('tables:invoice', 'definition')).keys, 'optional');
});

test('a worker number is leased for ids, which contain their time and the number', async () => {
  await define('flakes', { guarantee: 'snowflake' });
  const id = (await next('flakes')).first;
  const { needs, inUse } = await counters.getEntity('tables:flakes', 'definition');
  assert.deepEqual([needs, inUse], [3, true]);
  const rows = await workers();
  const row = rows.find(({ worker }) => worker === Math.floor(id / 256) % 128);
  assert.equal(row.rowKey, `worker:${String(row.worker).padStart(3, '0')}`);
  assert.ok(BigInt(Math.floor(id / 32768)) <= row.bound);
  assert.ok(Math.abs(Date.UTC(2026, 0, 1) + Number(row.renewedAt) * 10 - Date.now()) < 60_000);
});

async function workers() {
  const rows = [];
  for await (const row of counters.listEntities({ queryOptions: { filter: "PartitionKey eq '~workers'" } })) rows.push(row);
  return rows;
}

async function changes(name) {
  const found = [];
  const filter = `PartitionKey eq 'tables:${name}' and RowKey ge 'change:' and RowKey lt 'change;'`;
  for await (const row of counters.listEntities({ queryOptions: { filter } })) found.push(row);
  return found;
}

test('changes are in the order of time, with their actors', async () => {
  await define('changed-by', { maxValue: 9 });
  await succeed('PATCH', 'changed-by', { body: '{"maxValue": 10}', 'If-Match': '*', 'Numera-Actor': 'anna' });
  const found = await changes('changed-by');
  assert.deepEqual(found.map(({ kind, actor }) => [kind, actor]), [['created', undefined], ['changed', 'anna']]);
  assert.deepEqual(JSON.parse(found[1].fields), [['maxValue', 9, 10]]);
  assert.match(found[1].rowKey, /^change:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z:[0-9a-f-]{36}$/);
});

test('a counter is stored where the page describes', async () => {
  const counter = await counters.getEntity('tables:invoice', 'counter');
  assert.equal(counter.next, 1043n);
  assert.equal(counter.allocated, 5n);
  assert.equal((await counters.getEntity('tables:yearly', 'counter:2025')).next, 2n);
  assert.equal((await counters.getEntity('tables:yearly', 'counter:2026')).next, 2n);
});

test('a key is found by its hash', async () => {
  const row = await counters.getEntity('tables:invoice', keyRow('b'));
  assert.deepEqual([row.key, row.first, row.last, row.count, row.text], ['b', 2n, 4n, 3, 'INV-0002']);
});

test('the key of a number is found by one query for one row', async () => {
  assert.ok(page.includes(rowsFrom('App1:invoice', 1042)), 'the filter of the page');
  assert.deepEqual(await Promise.all([1, 2, 4, 5, 1041, 1042, 1043].map((n) => whoGot('invoice', n))),
    ['a', 'b', 'b', undefined, undefined, 'c', undefined]);
  assert.deepEqual(await Promise.all([3, -4, -11, -12].map((n) => whoGot('down', n))), ['p', 'p', 'q', undefined]);
  assert.deepEqual([await whoGot('yearly', 1, '2025'), await whoGot('yearly', 1, '2026')], ['x', 'y']);
});

test('the rows of a period are in the order of numbers', async () => {
  assert.ok(page.includes(`number::${encoded(-4_000_000_000_000_000_000n)}`));
  const found = [];
  const filter = rowsFrom('tables:invoice', -4_000_000_000_000_000_000n);
  for await (const row of counters.listEntities({ queryOptions: { filter } })) found.push(`${row.kind} ${row.first} ${row.last}`);
  assert.deepEqual(found, ['allocation 1 1', 'allocation 2 4', 'advance 5 1041', 'allocation 1042 1042']);
});

const revisions = (...formats) => JSON.stringify(formats.map((format) => [format, 1, 100000, 100000]));
const row = (name, format, more = {}) => ({
  partitionKey: `tables:${name}`, rowKey: 'definition', scope: 'tables', name, id: `id of ${name}`, needs: 1, inUse: false,
  guarantee: 'strict', start: { type: 'Int64', value: '500' }, increment: { type: 'Int64', value: '10' },
  minValue: { type: 'Int64', value: '1' }, maxValue: { type: 'Int64', value: '100000' }, cycle: false, cacheSize: 100,
  format, formats0: revisions(format), formatRevision: 1, resetEvery: 'never', timeZone: 'UTC', fiscalYearStart: 1, fiscalYearStartDay: 1, ...more,
});

test('a definition that another program inserts takes effect', async () => {
  await counters.createEntity(row('by-hand', 'A{n}'));
  assert.deepEqual((await next('by-hand', 'a')).texts, ['A500']);
  assert.deepEqual((await next('by-hand')).texts, ['A510']);
  assert.equal((await sequences.getEntity('tables', 'by-hand')).id, 'id of by-hand');
});

test('the index has the id of each definition, and the first number marks the definition', async () => {
  const { id, inUse } = await counters.getEntity('tables:invoice', 'definition');
  assert.deepEqual([(await sequences.getEntity('tables', 'invoice')).id, inUse], [id, true]);
  assert.equal((await counters.getEntity('tables:retired', 'definition')).inUse, false);
});

test('unknown properties survive the mark, and missing ones are reported', async () => {
  await counters.createEntity(row('newer', 'A{n}', { later: 'kept' }));
  await next('newer');
  assert.equal((await counters.getEntity('tables:newer', 'definition')).later, 'kept');
  await counters.createEntity(row('far-newer', 'A{n}', { needs: 99 }));
  for (const answer of [await http('POST', 'far-newer/next'), await http('GET', 'far-newer'), await http('GET', 'far-newer/state')]) {
    assert.deepEqual([answer.status, answer.json.type], [503, 'urn:problem-type:numera:needs-newer-version']);
  }
});

test('a definition is changed with its ETag as condition, and a replay keeps its old text', async () => {
  await counters.createEntity(row('changed', 'A{n}'));
  await next('changed', 'a');
  const stored = await counters.getEntity('tables:changed', 'definition', { disableTypeConversion: true });
  const { etag, timestamp, ...properties } = stored;
  const changed = { ...properties, format: 'B{n}', formats0: revisions('A{n}', 'B{n}'), formatRevision: { type: 'Int32', value: '2' } };
  await counters.updateEntity(changed, 'Replace', { etag });
  await assert.rejects(counters.updateEntity(changed, 'Replace', { etag }), { statusCode: 412 });
  assert.equal((await succeed('GET', 'changed')).format, 'B{n}');
  assert.deepEqual((await next('changed', 'b')).texts, ['B510']);
  assert.deepEqual((await next('changed', 'a')).texts, ['A500']);
});

test('the insert of a definition fails where one exists', async () => {
  await assert.rejects(counters.createEntity(row('invoice', 'X{n}')), { statusCode: 409 });
});

test('the problem names an unreadable definition', async () => {
  const wrong = {
    'no-guarantee': [{ guarantee: undefined }, 'guarantee'], 'other-guarantee': [{ guarantee: 'fast' }, 'guarantee'],
    'narrow-start': [{ start: 500 }, 'start'], 'no-zone': [{ timeZone: 'Mars/Base' }, 'Mars/Base'],
    'no-array': [{ formats0: 'A{n}' }, 'formats'], 'no-revision': [{ formatRevision: 2 }, 'formatRevision'],
    'no-format': [{ format: 'A{x}', formats0: revisions('A{x}') }, 'format'],
    'no-range': [{ maxValue: { type: 'Int64', value: '3' } }, 'maxValue'], 'no-level': [{ needs: undefined }, 'needs'],
  };
  for (const [name, [change, word]] of Object.entries(wrong)) {
    await counters.createEntity(row(name, 'A{n}', change));
    await sequences.createEntity({ partitionKey: 'tables', rowKey: name, id: `id of ${name}` });
    for (const answer of [await http('POST', `${name}/next`), await http('GET', name), await http('GET', `${name}/state`)]) {
      assert.equal(answer.status, 503, name);
      assert.ok(answer.json.detail.includes(`tables:${name}`) && answer.json.detail.includes(word), answer.json.detail);
    }
  }
  const page = await (await fetch(`${process.env.NUMERA_URL}/api/sequences?scope=tables`)).json();
  const listed = page.sequences.map(({ name }) => name);
  assert.deepEqual(Object.keys(wrong).filter((name) => !listed.includes(name)), [], 'the listing goes on');
});

async function upload(type, body) {
  const { location } = await http('POST', 'upload/batches', { body, 'Content-Type': type });
  return `tables:upload:${await done(location)}`;
}

async function takeOver(lines) {
  await http('PUT', 'moved', { body: '{"format": "S-{n}", "start": 5}', 'If-None-Match': '*' });
  const body = `key;text;date;status;reason\n${lines}`;
  const { location } = await http('POST', 'moved/imports', { body, 'Content-Type': 'text/csv', 'Numera-Actor': 'anna' });
  return `tables:moved:import:${await done(location)}`;
}

/** Returns the prefix of the row keys of an upload. */
async function sentAt(partition) {
  return String(Date.parse((await batches.getEntity(partition, 'upload')).sentAt)).padStart(19, '0');
}

async function done(location) {
  let state;
  do state = await (await fetch(new URL(location, process.env.NUMERA_URL))).json();
  while (state.status === 'pending' && await new Promise((resolve) => { setTimeout(resolve, 50, true); }));
  return state.id;
}

test('the instance that writes answers a peer request', async () => {
  await define('requested', { format: 'A-{n}' });
  await next('requested');
  const requests = JSON.stringify([['order-1', 2, '2026-11-21'], [null, 1, '2026-11-21']]);
  const keys = { partitionKey: 'tables:requested', rowKey: 'peer::stranger' };
  const { etag } = await counters.createEntity({ ...keys, request: 'id of the insert', state: 'closed', requests0: '[]', requests1: '' });
  await counters.updateEntity({ ...keys, request: 'an id', state: 'open', openedAt: new Date().toISOString(), requests0: requests, requests1: '', actors0: '["anna", null]', actors1: '' }, 'Merge', { etag });
  let row;
  const end = Date.now() + 20_000;
  do {
    await next('requested');
    row = await counters.getEntity('tables:requested', 'peer::stranger');
  } while (row.state === 'open' && Date.now() < end);
  assert.equal(row.state, 'answered');
  const [[first, last, text], [alone]] = JSON.parse(row.numbers0);
  assert.deepEqual([last, text, alone], [first + 1, `A-${first}`, first + 2]);
  assert.equal(await whoGot('requested', first + 1), 'order-1');
  assert.equal((await next('requested', 'order-1', '?count=2')).first, first);
});

function described(section) {
  const text = page.slice(page.indexOf(`\n### ${section}\n`) + 1).split(/\n##/)[0];
  // A section with this phrase lists only the differences from the other row.
  const [, other, without] = text.match(/has\sthe\sproperties\sof\sthe\srow\s(`\w+:`)(?:\sbut\s`(\w+)`)?/) ?? [];
  if (other) {
    const { [without]: _, ...shared } = described(other);
    return { ...shared, ...propertiesIn(text) };
  }
  const properties = propertiesIn(text);
  assert.ok(Object.keys(properties).length > 0, section);
  return properties;
}

function propertiesIn(text) {
  const rows = [...text.matchAll(/^- `(\w+\*?)`, (\w+)(?:: |$)/gm)];
  return Object.fromEntries(rows.map(([, name, type]) => [name, type]));
}

async function found(client, keys) {
  const properties = {};
  for (const [partition, rowKey] of keys) {
    const entity = await client.getEntity(partition, rowKey, { disableTypeConversion: true });
    const own = Object.entries(entity).filter(([name]) => !['partitionKey', 'rowKey', 'timestamp', 'etag', 'odata.metadata'].includes(name));
    for (const [name, { type }] of own) properties[name.replace(/^(columns|rows|lines|answers|formats|requests|numbers|actors|moreFields|notation|repetitions)\d+$/, '$1*')] = type;
  }
  return properties;
}

const MAINTENANCE = ['~service', 'maintenance'];

const RECOVERY = ['~service', 'recovery'];

/** Writes what numera-maintain recover writes; RecoverIT compares the properties with those that the program stores. */
async function noteARecovery() {
  const [partitionKey, rowKey] = RECOVERY;
  const now = new Date().toISOString();
  await counters.createEntity({
    partitionKey, rowKey, recoveryId: 'r', backup: 'numera.jsonl.gz', checksum: 'c', margin: 1000n, startedAt: now, stage: 'resuming', suspendedAt: now,
    rowsWritten: 0n, replaced: '', holder: '', heldAt: now,
  });
}

async function suspendTheService() {
  const [partitionKey, rowKey] = MAINTENANCE;
  await counters.createEntity({ partitionKey, rowKey, since: new Date().toISOString(), creationClosedAt: '' });
}

test('nothing is created while the maintenance mark is stored', async () => {
  const create = { body: '{"format": "C-{n}"}', 'If-None-Match': '*' };
  await suspendTheService();
  const refused = await http('PUT', 'created', create);
  assert.deepEqual([refused.status, refused.json.type], [503, 'urn:problem-type:numera:suspended']);
  await counters.deleteEntity(...MAINTENANCE);
  assert.equal((await http('PUT', 'created', create)).status, 201);
});

/** Makes two closings. The second lists more changed numbers, with long keys and reasons, than one property holds. */
async function closeTwice(name) {
  const close = () => succeed('POST', `${name}/closings`, { body: '{"dateFrom": "2026-11-01", "dateTo": "2026-11-30"}', 'Numera-Actor': 'anna' });
  const keys = Array.from({ length: 100 }, (_, i) => `${i}-`.padEnd(255, 'k'));
  const { location } = await http('POST', `${name}/batches`, { body: JSON.stringify({ keys, date: '2026-11-21' }) });
  await done(location);
  await close();
  for (const key of keys) {
    await succeed('POST', `${name}/status`, { body: JSON.stringify({ key, status: 'void', reason: 'r'.repeat(200) }), 'Numera-Actor': 'anna' });
  }
  assert.equal((await close()).changedCount, 100);
}

test('every property is described with its type', async () => {
  await define('closed', { guarantee: 'gapless', timeZone: 'UTC', format: '{yy}{n}' });
  await closeTwice('closed');
  await define('said', { format: 'S-{n}', maxValue: 1000 });
  await succeed('POST', 'said/next?reserve=true', { 'Idempotency-Key': 'lost', 'Numera-Actor': 'anna' });
  await http('POST', 'said/status', { body: '{"key": "lost", "status": "issued"}', 'Content-Type': 'application/json', 'Numera-Actor': 'anna' });
  await http('POST', 'said/status', { body: '{"key": "lost", "status": "void", "reason": "lost"}', 'Content-Type': 'application/json', 'Numera-Actor': 'anna' });
  await succeed('POST', 'said/next?key=M%C3%BCller');
  await succeed('PATCH', 'said', { body: '{"maxValue": 2000}', 'If-Match': '*' });
  const csv = await upload('text/csv', 'order,day\na,2026-11-21\n');
  const json = await upload('application/json', '{"keys": ["b"], "date": "2026-11-21"}');
  const imported = await takeOver('old-1;S-1;2026-11-21;void;spoilt\nold-2;S-2;2026-11-21;;\nold-2;S-2;2026-11-21;;\n');
  await define('left', { guarantee: 'gapless' });
  await done((await http('POST', 'left/imports', {
    body: '{"rows": [{"key": "third", "number": 3}, {"key": "fifth", "number": 5}]}', 'Content-Type': 'application/json', 'Numera-Actor': 'anna',
  })).location);
  await takeOver('old-1;S-1;2026-11-21;void;spoilt\n');
  const [sent, importedAt] = await Promise.all([csv, imported].map(sentAt));
  const byAge = [];
  for await (const old of batches.listEntities({ queryOptions: { filter: "PartitionKey eq '~by-age'" } })) byAge.push(['~by-age', old.rowKey]);
  const lists = [];
  for await (const { rowKey } of batches.listEntities({ queryOptions: { filter: `PartitionKey eq '${csv.replace(/:[^:]*$/, '')}'` } })) {
    lists.push([csv.replace(/:[^:]*$/, ''), rowKey]);
  }
  const samples = {
    'A row of the index': [sequences, [['tables', 'invoice'], ['tables', 'retired']]],
    '`definition`': [counters, [['tables:invoice', 'definition'], ['tables:retired', 'definition'], ['tables:said', 'definition']]],
    '`counter`': [counters, [['tables:dated', 'counter'], ['tables:moved', 'counter']]],
    '`key:`': [counters, [['tables:said', keyRow('lost')], ['tables:moved', keyRow('old-1')]]],
    '`number:`': [counters, [['tables:said', `number::${encoded(1)}`]]],
    '`number:` of an import': [counters, [['tables:moved', `number::${encoded(2)}`]]],
    '`number:` of an advance': [counters, [['tables:invoice', `number::${encoded(1041)}`], ['tables:left', `number::${encoded(2)}`], ['tables:left', `number::${encoded(4)}`]]],
    '`mark:`': [counters, [['tables:said', `mark::${encoded(1)}`], ['tables:moved', `mark::${encoded(1)}`]]],
    '`change:`': [counters, [
      ...(await changes('invoice')).map(({ rowKey }) => ['tables:invoice', rowKey]),
      ...(await changes('closed')).map(({ rowKey }) => ['tables:closed', rowKey]),
    ]],
    '`peer:`': [counters, [['tables:requested', 'peer::stranger']]],
    '`maintenance`': [counters, [MAINTENANCE]],
    '`recovery`': [counters, [RECOVERY]],
    '`worker:`': [counters, (await workers()).map(({ rowKey }) => ['~workers', rowKey])],
    '`upload`': [batches, [[csv, 'upload'], [json, 'upload'], [imported, 'upload']]],
    '`part:`': [batches, [[csv, `${sent}:part:000001`], [imported, `${importedAt}:part:000001`]]],
    '`answers:`': [batches, [[csv, `${sent}:answers:000001`]]],
    '`sent:`': [batches, lists],
    '`~by-age`': [batches, byAge],
  };
  await suspendTheService();
  await noteARecovery();
  // A restore adds this column.
  await counters.updateEntity({ partitionKey: 'tables:moved', rowKey: 'counter', restoredFrom: 3n }, 'Merge');
  for (const [section, [client, keys]] of Object.entries(samples)) {
    assert.deepEqual(await found(client, keys), described(section), section);
  }
  await counters.deleteEntity(...MAINTENANCE);
  const sections = [...page.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  assert.deepEqual(sections, Object.keys(samples));
});
