// Defines, allocates, reads, and uploads CSV with the client of orval. Arguments: the app's URL with /api, an unused scope.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { allocate, listChanges, putDefinition, readBatch, readLedger, uploadCsv } from './orval/numera.js'

// The client encodes every body as JSON, even CSV, so this decodes CSV again.
const { fetch } = globalThis
globalThis.fetch = ((url: string, init?: RequestInit) => {
  const isCsv = new Headers(init?.headers).get('Content-Type') === 'text/csv'
  return fetch(url, isCsv ? { ...init, body: JSON.parse(init!.body as string) } : init)
}) as typeof fetch

const scope = process.argv[3]!
const name = 'ticket'
const headers = { 'x-functions-key': 'secret' }

const definition = { guarantee: 'gapless', format: 'T-{n:4}' } as const
const defined = await putDefinition(scope, name, definition, { headers: { ...headers, 'If-None-Match': '*' } })
assert.ok(defined.status === 201, JSON.stringify(defined.data))
const allocated = await allocate(scope, name, {}, { headers: { ...headers, 'Idempotency-Key': 'order-9001' } })
assert.ok(allocated.status === 200, JSON.stringify(allocated.data))
assert.deepEqual(allocated.data.texts, ['T-0001'])

const csv = 'order,customer\r\norder-1,4711\r\norder-2,4712\r\n'
const sent = await uploadCsv(scope, name, csv, { keyColumn: 'order' }, { headers: { ...headers, 'Idempotency-Key': 'list-1' } })
assert.ok(sent.status === 202, JSON.stringify(sent.data))
let read = await readBatch(scope, name, sent.data.id, {}, { headers })
while (read.status === 202) {
  await setTimeout(100)
  read = await readBatch(scope, name, sent.data.id, {}, { headers })
}
assert.ok(read.status === 200, JSON.stringify(read.data))
const upload = read.data
assert.ok(typeof upload === 'object' && upload.status === 'numbered')
assert.deepEqual(upload.allocations.map(({ key }) => key), ['order-1', 'order-2'])

const ledger = await readLedger(scope, name, {}, { headers })
assert.ok(ledger.status === 200 && typeof ledger.data === 'object', JSON.stringify(ledger.data))
assert.deepEqual(ledger.data.entries.map((entry) => entry.kind === 'allocation' && entry.key), ['order-9001', 'order-1', 'order-2'])
const listed = await listChanges(scope, name, {}, { headers })
assert.ok(listed.status === 200, JSON.stringify(listed.data))
const [created] = listed.data.changes
assert.deepEqual([created!.kind, typeof created!.fields![0]!.after], ['created', 'string'])
console.log('Every call was made.')
