/** Several operations in one request: all of them or none. */
import type { Exchange } from '../http/exchange.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus } from '../run/mismatch.ts'
import { createDraft, draftsPath, draftsTitled, readDraft } from './drafts.ts'
import { idsOf, type Row } from './listing.ts'

type Done = { readonly status: number; readonly body: { readonly data: Row } | null }

const batch = (trial: Trial, operations: readonly Row[], more: Row = {}): Promise<Exchange> =>
  trial.ask('POST /batch', { body: { operations, ...more }, as: 'admin' })

/** Creates a draft, and changes it by a reference to its key. */
const pair = (trial: Trial, title: string): readonly Row[] => [
  { method: 'POST', path: draftsPath(trial), body: { title, views: 1 } },
  {
    operation: 'updateItem',
    parameters: { collection: trial.world.names.drafts, id: { $ref: '0.data.id' } },
    body: { views: 2, label: { $ref: '0.data.title' } },
  },
]

export const transactionChecks: readonly Check[] = checksOf('items', 'world', [
  statement('runBatch', 'operations run in their order, and use the answers of earlier ones', async (trial) => {
    const title = trial.mark()
    const exchange = await batch(trial, pair(trial, title))
    const done = dataOf<readonly Done[]>(exchange)
    const statuses = done.map(({ status }) => status)
    expectSame(exchange, 'The operations have other statuses', statuses, [200, 200])
    const stored = await draftsTitled(trial, title)
    const values = stored.map(({ views, label }) => [views, label])
    expectSame(exchange, 'Other items are stored', values, [[2, title]])
    expectSame(exchange, 'The answer is not the stored item', done[1]?.body?.data, stored[0])
  }),
  statement('runBatch', 'a failing operation undoes all, and is named', async (trial) => {
    const title = trial.mark()
    const { id } = await createDraft(trial, { title: `${title}-old`, views: 1 })
    const operations = [
      ...pair(trial, title),
      { method: 'PATCH', path: `${draftsPath(trial)}/${id}`, body: { views: 7 } },
      { method: 'POST', path: draftsPath(trial), body: { title, views: 'many' } },
    ]
    const exchange = await batch(trial, operations)
    expectStatus(exchange, 400)
    const { error } = exchange.json as { readonly error?: { readonly operation?: number } }
    expectSame(exchange, 'Another operation is named', error?.operation, 3)
    expectSame(exchange, 'A part of a refused batch was written', await draftsTitled(trial, title), [])
    expectSame(exchange, 'A refused batch has changed an item', (await readDraft(trial, id))['views'], 1)
  }),
  statement('runBatch', 'a dry run answers what would be, and writes nothing', async (trial) => {
    const title = trial.mark()
    const exchange = await batch(trial, pair(trial, title), { dry_run: true })
    const views = dataOf<readonly Done[]>(exchange).map(({ body }) => body?.data['views'])
    expectSame(exchange, 'The answer has other values', views, [1, 2])
    expectSame(exchange, 'A dry run was written', idsOf(await draftsTitled(trial, title)), [])
  }),
  statement(
    'runBatch',
    'reads are no part of a batch, and each operation has the rights of the caller',
    async (trial) => {
      const title = trial.mark()
      const [creation = {}] = pair(trial, title)
      const reading = await batch(trial, [creation, { method: 'GET', path: draftsPath(trial) }])
      expectStatus(reading, 400)
      const denied = await trial.ask('POST /batch', { body: { operations: [creation] }, as: 'public' })
      expectStatus(denied, 401, 403)
      expectSame(denied, 'A part of a refused batch was written', await draftsTitled(trial, title), [])
    },
  ),
  statement('runBatch', 'a request that is sent again with its key is done once', async (trial) => {
    const title = trial.mark()
    const wanted = { body: { operations: pair(trial, title) }, headers: { 'idempotency-key': trial.mark() } }
    const first = await trial.ask('POST /batch', wanted)
    const again = await trial.ask('POST /batch', wanted)
    expectSame(again, 'The repetition has another answer', dataOf(again), dataOf(first))
    expectSame(again, 'The repetition was written', idsOf(await draftsTitled(trial, title)).length, 1)
  }),
])
