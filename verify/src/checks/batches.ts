/** Writes of several items: all of them or none. */
import { type Check, checksOf, statement } from '../run/check.ts'
import { dataOf, expectSame, expectStatus } from '../run/mismatch.ts'
import { createDraft, draftsPath, draftsTitled, readDraft } from './drafts.ts'
import { idsOf, type Row } from './listing.ts'

const viewsOf = (rows: readonly Row[]): readonly unknown[] => rows.map(({ views }) => views)

export const batchChecks: readonly Check[] = checksOf('items', 'world', [
  statement('createItems', 'a list creates all of its items', async (trial) => {
    const title = trial.mark()
    const exchange = await trial.ask(`POST ${draftsPath(trial)}`, {
      body: [1, 2, 3].map((views) => ({ title, views })),
    })
    const stored = await draftsTitled(trial, title)
    expectSame(exchange, 'Other items are stored', viewsOf(stored), [1, 2, 3])
    expectSame(exchange, 'The answer is not the stored items', dataOf(exchange), stored)
  }),
  statement('createItems', 'a list with an impossible item creates none', async (trial) => {
    const title = trial.mark()
    for (const bad of [{ title, views: 'many' }, { title: null }, { title, author: 2_000_000_000 }]) {
      const exchange = await trial.ask(`POST ${draftsPath(trial)}`, { body: [{ title }, { title, views: 1 }, bad] })
      expectStatus(exchange, 400)
      expectSame(exchange, 'A part of a refused list was written', await draftsTitled(trial, title), [])
    }
  }),
  statement('updateItems', 'keys with data change the named items', async (trial) => {
    const title = trial.mark()
    const drafts = [1, 2, 3].map((views) => ({ title, views }))
    const ids = idsOf(dataOf(await trial.ask(`POST ${draftsPath(trial)}`, { body: drafts })))
    const body = { keys: ids.slice(0, 2), data: { views: 9 } }
    const exchange = await trial.ask(`PATCH ${draftsPath(trial)}`, { body })
    expectSame(exchange, 'The answer has other items', viewsOf(dataOf(exchange)), [9, 9])
    expectSame(exchange, 'Other items have changed', viewsOf(await draftsTitled(trial, title)), [9, 9, 3])
  }),
  statement('updateItems', 'a query changes the items that match', async (trial) => {
    const title = trial.mark()
    await trial.ask(`POST ${draftsPath(trial)}`, { body: [1, 5, 9].map((views) => ({ title, views })) })
    const filter = { _and: [{ title: { _eq: title } }, { views: { _gt: 4 } }] }
    const body = { query: { filter }, data: { label: 'found' } }
    const exchange = await trial.ask(`PATCH ${draftsPath(trial)}`, { body })
    expectStatus(exchange, 200)
    const labels = (await draftsTitled(trial, title)).map(({ label }) => label)
    expectSame(exchange, 'Other items have changed', labels, [null, 'found', 'found'])
  }),
  statement('updateItems', 'a list changes each item on its own', async (trial) => {
    const title = trial.mark()
    const one = await createDraft(trial, { title, views: 1 })
    const two = await createDraft(trial, { title, views: 2 })
    const body = [
      { id: one.id, views: 10 },
      { id: two.id, label: 'two' },
    ]
    const exchange = await trial.ask(`PATCH ${draftsPath(trial)}`, { body })
    expectStatus(exchange, 200)
    const stored = (await draftsTitled(trial, title)).map(({ views, label }) => [views, label])
    const expected = [
      [10, null],
      [2, 'two'],
    ]
    expectSame(exchange, 'Other values are stored', stored, expected)
  }),
  statement('updateItems', 'a batch with a missing key or an impossible value changes nothing', async (trial) => {
    const title = trial.mark()
    const { id } = await createDraft(trial, { title, views: 1 })
    const bodies: readonly (readonly [unknown, number])[] = [
      [{ keys: [id, 2_000_000_000], data: { views: 2 } }, 403],
      [{ keys: [id], data: { views: 'many' } }, 400],
      [
        [
          { id, views: 3 },
          { id, title: null },
        ],
        400,
      ],
    ]
    for (const [body, status] of bodies) {
      const exchange = await trial.ask(`PATCH ${draftsPath(trial)}`, { body })
      expectSame(exchange, 'The batch is not refused', exchange.status, status)
      expectSame(exchange, 'A refused batch has changed an item', (await readDraft(trial, id))['views'], 1)
    }
  }),
  statement('deleteItems', 'keys and queries delete the named items and no others', async (trial) => {
    const title = trial.mark()
    const drafts = [1, 2, 3, 4].map((views) => ({ title, views }))
    const ids = idsOf(dataOf(await trial.ask(`POST ${draftsPath(trial)}`, { body: drafts })))
    const byKeys = await trial.ask(`DELETE ${draftsPath(trial)}`, { body: ids.slice(0, 1) })
    expectStatus(byKeys, 204)
    expectSame(byKeys, 'Other items are left', viewsOf(await draftsTitled(trial, title)), [2, 3, 4])
    const filter = { _and: [{ title: { _eq: title } }, { views: { _gt: 3 } }] }
    const byQuery = await trial.ask(`DELETE ${draftsPath(trial)}`, { body: { query: { filter } } })
    expectStatus(byQuery, 204)
    expectSame(byQuery, 'Other items are left', viewsOf(await draftsTitled(trial, title)), [2, 3])
  }),
  statement('deleteItems', 'a missing key refuses the whole deletion', async (trial) => {
    const title = trial.mark()
    const { id } = await createDraft(trial, { title })
    const exchange = await trial.ask(`DELETE ${draftsPath(trial)}`, { body: [id, 2_000_000_000] })
    expectStatus(exchange, 403)
    expectSame(exchange, 'A part of a refused deletion happened', idsOf(await draftsTitled(trial, title)), [id])
  }),
])
