// Makes every call of the app with openapi-fetch and the types of openapi-typescript. Arguments: the app's URL with /api, an unused scope.
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

const [url, scope] = process.argv.slice(2) as [string, string]
// Selects the JSON media types of the answers, so that `data` is typed even if an answer is also available as CSV.
const client = createClient<paths, `application/${string}json`>({
  baseUrl: url,
  headers: { 'x-functions-key': 'secret' },
  // openapi-fetch repeats a parameter for each value unless it is configured otherwise.
  querySerializer: { array: { style: 'form', explode: false } },
})
const today = new Date().toISOString().slice(0, 10)
const year = today.slice(0, 4)
const invoice = { scope, name: 'invoice' }
const order = { scope, name: 'order' }
const sequence = '/sequences/{scope}/{name}'

function ok<T>(answer: { data?: T; error?: { detail: string }; response: Response }): T {
  assert.ok(answer.response.ok, answer.error?.detail)
  return answer.data as T
}

assert.equal(ok(await client.GET('/health')).status, 'healthy')
assert.equal(ok(await client.GET('/openapi.json')).openapi, '3.1.0')

const definition = { guarantee: 'gapless', format: 'INV-{yyyy}-{n:6}', resetEvery: 'year', timeZone: 'UTC' } as const
const preview = ok(await client.POST(`${sequence}/preview`, { params: { path: invoice, query: { date: today } }, body: definition }))
assert.deepEqual(preview.numbers, [1, 2, 3])
const defined = await client.PUT(sequence, { params: { path: invoice, header: { 'If-None-Match': '*' } }, body: definition })
assert.equal(ok(defined).maxValue, Number.MAX_SAFE_INTEGER)
const known = await client.GET(sequence, { params: { path: invoice } })
assert.deepEqual(ok(known), defined.data)
const etag = known.response.headers.get('ETag')!
const patched = await client.PATCH(sequence, {
  params: { path: invoice, header: { 'If-Match': etag } },
  body: { description: 'Invoices', contact: null },
})
assert.equal(ok(patched).description, 'Invoices')

const next = `${sequence}/next` as const
const taken = ok(await client.POST(next, { params: { path: invoice, header: { 'Idempotency-Key': 'order-9001' }, query: { date: today } } }))
assert.deepEqual([taken.first, taken.texts], [1, [`INV-${year}-000001`]])
const reserving = { key: 'Bestellung-Ä', count: 2, date: today, reserve: true }
assert.equal(ok(await client.POST(next, { params: { path: invoice, query: reserving } })).status, 'reserved')
const status = `${sequence}/status` as const
assert.equal(ok(await client.POST(status, { params: { path: invoice }, body: { key: 'Bestellung-Ä', status: 'issued' } })).last, 3)
const voiding = { key: 'order-9001', status: 'void', reason: 'The payment failed.' } as const
assert.equal(ok(await client.POST(status, { params: { path: invoice }, body: voiding })).status, 'void')
const refused = await client.POST(next, { params: { path: invoice, query: { key: 'order-9001', date: today } } })
assert.ok(refused.error?.type === 'urn:problem-type:numera:key-void')
assert.equal(refused.error.allocation.first, 1)

const advanced = ok(
  await client.POST(`${sequence}/advance`, {
    params: { path: invoice, query: { date: today } },
    body: { nextAtLeast: 48214, reason: 'The old system issued them.' },
  }),
)
assert.deepEqual(advanced, { previousNext: 4, next: 48214 })
assert.equal(ok(await client.GET(`${sequence}/state`, { params: { path: invoice, query: { date: today } } })).next, 48214)
assert.equal(ok(await client.GET(`${sequence}/periods`, { params: { path: invoice } })).periods[0]!.allocated, 3)
const parsed = ok(await client.POST(`${sequence}/parse`, { params: { path: invoice }, body: { text: `INV-${year}-000003` } }))
assert.equal(parsed.number, 3)

const ledger = ok(await client.GET(`${sequence}/ledger`, { params: { path: invoice, query: { date: today, limit: 10 } } }))
const seen = ledger.entries.map((entry) => (entry.kind === 'allocation' ? entry.key : `passed over since ${entry.allocatedAt.slice(0, 4)}`))
assert.deepEqual(seen, ['order-9001', 'Bestellung-Ä', `passed over since ${year}`])
const table = await client.GET(`${sequence}/ledger`, {
  params: { path: invoice, query: { date: today } },
  headers: { Accept: 'text/csv' },
  parseAs: 'text',
})
assert.match(table.data as string, /^kind,number,to,text,key/)
const check = ok(await client.GET(`${sequence}/check`, { params: { path: invoice, query: { date: today } } }))
assert.deepEqual([check.allocated, check.void, check.gaps[0]!.kind], [3, 1, 'advanced'])
const changes = ok(await client.GET(`${sequence}/changes`, { params: { path: invoice } })).changes
assert.deepEqual(changes.map((change) => change.kind), ['created', 'changed', 'advanced'])

type Done = components['schemas']['UploadDone']
async function result(id: string): Promise<Done> {
  for (;;) {
    const upload = ok(await client.GET(`${sequence}/batches/{id}`, { params: { path: { ...order, id } } }))
    if (upload.status === 'numbered' || upload.status === 'partial') return upload
    assert.equal(upload.status, 'pending')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
const batches = `${sequence}/batches` as const
const list = ok(await client.POST(batches, { params: { path: order }, body: { keys: ['order-1', 'order-2'], date: today } }))
assert.deepEqual((await result(list.id)).allocations.map((each) => each.first), [1, 2])
const file = await client.POST(`${batches}/csv`, {
  params: { path: order, query: { keyColumn: 'order' } },
  body: 'order,customer\r\norder-3,4711\r\n',
  bodySerializer: (csv) => csv,
  headers: { 'Content-Type': 'text/csv' },
})
assert.deepEqual((await result(ok(file).id)).allocations.map((each) => each.key), ['order-3'])

const every = ok(await client.GET('/sequences', { params: { query: { scope, with: ['definition', 'state'] } } })).sequences
assert.deepEqual(every.map((each) => each.state!.next), [48214, 4])
const imports = `${sequence}/imports` as const
const moved = ok(await client.POST(imports, { params: { path: order }, body: { rows: [{ key: 'old-1', number: 100 }] } }))
for (;;) {
  const came = ok(await client.GET(`${imports}/{id}`, { params: { path: { ...order, id: moved.id } } }))
  if (came.status !== 'pending') {
    const row = came.rows[0]!
    assert.equal(row.outcome === 'refused' ? row.problem.detail : row.first, 100)
    break
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
}
ok(await client.DELETE(sequence, { params: { path: invoice, header: { 'If-Match': '*' } } }))
const retired = await client.POST(next, { params: { path: invoice, query: { key: 'order-9003', date: today } } })
assert.equal(retired.response.status, 410)
console.log('Every call was made.')
