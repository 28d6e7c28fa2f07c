// Defines, allocates, reads, and uploads CSV with the client of @hey-api/openapi-ts. Arguments: the app's URL with /api, an unused scope.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { client } from './hey/client.gen.js'
import { allocate, listChanges, putDefinition, readBatch, readLedger, uploadCsv } from './hey/sdk.gen.js'

const [baseUrl, scope] = process.argv.slice(2) as [string, string]
client.setConfig({ baseUrl, auth: 'secret', throwOnError: true })
const path = { scope, name: 'ticket' }
const throwOnError = true

const definition = { guarantee: 'gapless', format: 'T-{n:4}' } as const
const defined = await putDefinition({ path, body: definition, headers: { 'If-None-Match': '*' }, throwOnError })
assert.equal(defined.response.status, 201)
const allocated = await allocate({ path, headers: { 'Idempotency-Key': 'order-9001' }, throwOnError })
assert.deepEqual(allocated.data.texts, ['T-0001'])
assert.doesNotMatch(allocated.request.url, /secret/)

const sent = await uploadCsv({
  path,
  query: { keyColumn: 'order' },
  headers: { 'Idempotency-Key': 'list-1' },
  body: 'order,customer\r\norder-1,4711\r\norder-2,4712\r\n',
  throwOnError,
})
let read = await readBatch({ path: { ...path, id: sent.data.id }, throwOnError })
while (read.response.status === 202) {
  await setTimeout(100)
  read = await readBatch({ path: { ...path, id: sent.data.id }, throwOnError })
}
const upload = read.data
assert.ok(typeof upload === 'object' && upload.status === 'numbered')
assert.deepEqual(upload.allocations.map(({ key }) => key), ['order-1', 'order-2'])

const ledger = (await readLedger({ path, throwOnError })).data
assert.ok(typeof ledger === 'object')
assert.deepEqual(ledger.entries.map((entry) => entry.kind === 'allocation' && entry.key), ['order-9001', 'order-1', 'order-2'])
const { changes } = (await listChanges({ path, throwOnError })).data
assert.deepEqual([changes[0]!.kind, typeof changes[0]!.fields![0]!.after], ['created', 'string'])
console.log('Every call was made.')
