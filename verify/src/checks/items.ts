/** Single items: created, read, updated, deleted. */
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat } from '../run/mismatch.ts'
import { createDraft, draftsPath, draftsTitled, expectGone, expectStored, fullDraft, readDraft } from './drafts.ts'
import { articlesPath, expectRows, plainFields, type Row } from './listing.ts'

const reading = checksOf('items', 'world', [
  statement('readItem', 'an item is read by its key with all of its values', async (trial) => {
    for (const row of trial.world.rows.articles.slice(0, 6)) {
      const exchange = await trial.ask(`GET ${articlesPath(trial)}/${row.id}`, { query: { fields: plainFields } })
      expectRows(exchange, [dataOf<Row>(exchange)], [row])
    }
  }),
  statement('readItem', 'missing items and impossible keys are refused with 403', async (trial) => {
    for (const key of ['2000000000', '0', 'nothing', '1.5', '-1']) {
      expectStatus(await trial.ask(`GET ${articlesPath(trial)}/${key}`), 403)
    }
    expectStatus(await trial.ask(`GET /items/${trial.world.prefix}_nothing`), 403)
  }),
])

const writing = checksOf('items', 'world', [
  statement('createItems', 'values of every kind are read back as they were written', async (trial) => {
    const title = trial.mark()
    const body = { title, code: title, ...fullDraft }
    const exchange = await trial.ask(`POST ${draftsPath(trial)}`, { body })
    const created = dataOf<Row>(exchange)
    await expectStored(trial, created['id'], body, exchange)
    expectSame(exchange, 'The answer is not the stored item', created, await readDraft(trial, created['id']))
    expectSame(exchange, 'The item exists once', (await draftsTitled(trial, title)).length, 1)
  }),
  statement('createItems', 'omitted fields get their default', async (trial) => {
    const { id } = await createDraft(trial, { title: trial.mark() })
    await expectStored(trial, id, { level: 7, views: null, author: null, live: null, notes: [] })
  }),
  statement('updateItem', 'an update changes what was sent and nothing else', async (trial) => {
    const title = trial.mark()
    const [one, other] = [await createDraft(trial, { title, ...fullDraft }), await createDraft(trial, { title })]
    const before = await readDraft(trial, one.id)
    const exchange = await trial.ask(`PATCH ${draftsPath(trial)}/${one.id}`, { body: { views: 12, label: null } })
    const expected = { ...before, views: 12, label: null }
    expectSame(exchange, 'The answer is not the updated item', dataOf(exchange), expected)
    expectSame(exchange, 'Another value is stored', await readDraft(trial, one.id), expected)
    expectSame(exchange, 'Another item has changed', await readDraft(trial, other.id), other)
  }),
  statement('updateItem', 'updates in turn keep the changes of one another', async (trial) => {
    const { id } = await createDraft(trial, { title: trial.mark(), views: 1, level: 1 })
    for (const body of [{ views: 2 }, { level: 2 }, { label: 'third' }, { views: 3 }]) {
      expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body }), 200)
    }
    await expectStored(trial, id, { views: 3, level: 2, label: 'third' })
    await Promise.all(
      [{ views: 10 }, { level: 20 }, { label: 'thirty' }].map(async (body) => {
        expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body }), 200)
      }),
    )
    await expectStored(trial, id, { views: 10, level: 20, label: 'thirty' })
  }),
  statement('deleteItem', 'a deleted item is gone, and no other', async (trial) => {
    const title = trial.mark()
    const [one, other] = [await createDraft(trial, { title }), await createDraft(trial, { title })]
    const exchange = await trial.ask(`DELETE ${draftsPath(trial)}/${one.id}`)
    expectStatus(exchange, 204)
    await expectGone(trial, one.id)
    const left = await draftsTitled(trial, title)
    expectSame(exchange, 'Other items are left', left, [other])
    expectStatus(await trial.ask(`DELETE ${draftsPath(trial)}/${one.id}`), 403, 404)
    expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${one.id}`, { body: { views: 1 } }), 403, 404)
  }),
  statement('createItems', 'impossible values are refused with 400, and nothing is written', async (trial) => {
    const taken = trial.mark()
    await createDraft(trial, { title: taken, code: taken })
    const title = trial.mark()
    const bodies: readonly Row[] = [
      { title, code: taken },
      { title, views: 'many' },
      { title, live: 'perhaps' },
      { title, day: '2025-02-31' },
      { title, uid: 'no-uuid' },
      { title, views: 4_000_000_000 },
      { title, author: 2_000_000_000 },
      { title: null, label: title },
      { label: title },
      { title: 'x'.repeat(61), label: title },
    ]
    for (const body of bodies) {
      const exchange = await trial.ask(`POST ${draftsPath(trial)}`, { body })
      expectThat(exchange, `${JSON.stringify(body)} is refused with 400`, exchange.status === 400)
    }
    await expectNone(trial, title)
  }),
  statement('updateItem', 'impossible values are refused, and the item stays as it is', async (trial) => {
    const draft = await createDraft(trial, { title: trial.mark(), views: 1 })
    for (const body of [{ views: 'many' }, { title: null }, { views: 2, day: 'never' }, { label: 'x', uid: '1' }]) {
      expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${draft.id}`, { body }), 400)
    }
    const after = await trial.ask(`GET ${draftsPath(trial)}/${draft.id}`)
    expectSame(after, 'A refused update has changed the item', dataOf(after), draft)
  }),
  statement('createItems', 'broken JSON, other content types and unknown collections are refused', async (trial) => {
    const path = draftsPath(trial)
    const json = { 'content-type': 'application/json' }
    expectStatus(await trial.ask(`POST ${path}`, { body: '{"title": ', headers: json }), 400)
    const text = { 'content-type': 'text/plain' }
    expectStatus(await trial.ask(`POST ${path}`, { body: 'title', headers: text }), 400, 415)
    expectStatus(await trial.ask(`POST /items/${trial.world.prefix}_nothing`, { body: { title: 'x' } }), 403)
  }),
])

async function expectNone(trial: Trial, mark: string): Promise<void> {
  const filter = { _or: [{ title: { _eq: mark } }, { label: { _eq: mark } }] }
  const exchange = await trial.ask(`GET ${draftsPath(trial)}`, { query: { fields: 'id', filter } })
  expectSame(exchange, 'A refused item was written', dataOf(exchange), [])
}

export const itemChecks: readonly Check[] = [...reading, ...writing]
