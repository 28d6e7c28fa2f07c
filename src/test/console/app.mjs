// Prepares the app for the scenes: sequences with a history through its calls, and rows that no call can write.
import { setTimeout as sleep } from 'node:timers/promises';
import { TableClient } from '@azure/data-tables';
import { QueueServiceClient } from '@azure/storage-queue';

const [URL_, KEY] = [process.env.NUMERA_URL, process.env.NUMERA_KEY];

/** Calls the app, and retries answers of 503 as every caller should. */
export async function call(method, path, { body, ...headers } = {}, tries = 10) {
  const answer = await fetch(`${URL_}/api/${path}`, {
    method,
    body: typeof body === 'object' ? JSON.stringify(body) : body,
    headers: { 'x-functions-key': KEY, ...(process.env.NUMERA_RIGHTS && { 'Numera-Rights': process.env.NUMERA_RIGHTS }), ...(typeof body === 'object' && { 'Content-Type': 'application/json' }), ...headers },
  });
  const text = await answer.text();
  if (answer.status === 503 && tries > 1) {
    await sleep(500);
    return call(method, path, { body, ...headers }, tries - 1);
  }
  if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
  return { headers: answer.headers, status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}

export const define = (sequence, definition = {}) =>
  call('PUT', `sequences/${sequence}`, { body: definition, 'If-None-Match': '*', 'Numera-Actor': 'anna@example.com' });

export const next = async (sequence, parameters = {}) =>
  (await call('POST', `sequences/${sequence}/next?${new URLSearchParams(parameters)}`)).json;

export const status = (sequence, key, said, reason) =>
  call('POST', `sequences/${sequence}/status`, { body: { key, status: said, ...(reason && { reason }) }, 'Numera-Actor': 'anna@example.com' });

export const advance = (sequence, nextAtLeast, reason) =>
  call('POST', `sequences/${sequence}/advance`, { body: { nextAtLeast, reason }, 'Numera-Actor': 'anna@example.com' });

/** Numbers a list of keys through the queue and waits until it is finished. */
export async function upload(sequence, keys) {
  const sent = await call('POST', `sequences/${sequence}/batches`, { body: keys.join('\n'), 'Content-Type': 'text/plain' });
  const { pathname } = new URL(sent.headers.get('location'), URL_);
  while ((await call('GET', `${pathname.replace('/api/', '')}?limit=1`)).status === 202) {
    await sleep(100);
  }
}

/** Imports rows and waits until each has its result. */
export async function importRows(sequence, rows) {
  const sent = await call('POST', `sequences/${sequence}/imports`, { body: { rows } });
  const { pathname } = new URL(sent.headers.get('location'), URL_);
  while ((await call('GET', `${pathname.replace('/api/', '')}?limit=1`)).status === 202) {
    await sleep(100);
  }
}

/** Waits until a key from the queue has its number, because the page does not update by itself. */
export async function numbered(sequence, key) {
  while ((await call('GET', `sequences/${sequence}/ledger?${new URLSearchParams({ key })}`)).json.entries.length === 0) {
    await sleep(100);
  }
}

const table = (name) => TableClient.fromConnectionString(process.env.NUMERA_STORAGE, name, { allowInsecureConnection: true });

/** Writes the index rows of a large customer without the sequences themselves. */
export async function listSequences(scope, names) {
  const index = table('numerasequences');
  const groups = Array.from({ length: Math.ceil(names.length / 100) }, (_, i) => names.slice(100 * i, 100 * (i + 1)));
  const writers = Array.from({ length: 4 }, async () => {
    for (let group = groups.pop(); group; group = groups.pop()) {
      await index.submitTransaction(group.map((name) => ['create', { partitionKey: scope, rowKey: name, id: `${scope}-${name}` }]));
    }
  });
  await Promise.all(writers);
}

/** Makes a sequence look used: dates each number like its document, and the counter's first number a number of days ago. */
export async function age(sequence, days) {
  const counters = table('numeracounters');
  const partition = sequence.replace('/', ':');
  const rows = [];
  for await (const row of counters.listEntities({ queryOptions: { filter: `PartitionKey eq '${partition}'` } })) rows.push(row);
  const changes = rows.map((row) => ({ partitionKey: partition, rowKey: row.rowKey, ...aged(row, days) })).filter((row) => Object.keys(row).length > 2);
  await counters.submitTransaction(changes.map((row) => ['update', row, 'Merge']));
}

function aged({ rowKey, date, entries, status }, days) {
  const ago = (count) => new Date(Date.now() - count * 86_400_000).toISOString();
  if (rowKey.startsWith('counter')) return { firstGivenAt: ago(days), changedAt: ago(days % 7 / 24) };
  const day = /^(key|mark):/.test(rowKey) ? date : rowKey.startsWith('number:') && entries ? JSON.parse(entries)[0][4] : undefined;
  return day && { allocatedAt: `${day}T09:30:00Z`, ...(status && { statusAt: `${day}T16:05:00Z` }) };
}

export const storage = (change) => fetch(`${process.env.NUMERA_STORAGE_SWITCH}${change}`);

/** Adds messages to the poison queue in the host's encoding. */
export async function poison(...texts) {
  const queue = QueueServiceClient.fromConnectionString(process.env.NUMERA_STORAGE, { allowInsecureConnection: true })
    .getQueueClient('numbering-requests-poison');
  await queue.createIfNotExists();
  for (const text of texts) await queue.sendMessage(Buffer.from(text, 'utf8').toString('base64'));
}

/** Deletes all poison messages, so that a later scene has only its own. */
export async function emptyPoison() {
  for (const { id } of (await call('GET', 'poison')).json.messages) await call('DELETE', `poison/${id}`);
}
