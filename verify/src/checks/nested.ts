/** Nested writes and singletons. */
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus } from '../run/mismatch.ts'
import { draftsPath, draftsTitled } from './drafts.ts'
import type { Row } from './listing.ts'

type Note = { readonly id: number; readonly text: string }
type WithNotes = { readonly id: number; readonly author: Row | null; readonly notes: readonly Note[] }

const query = { fields: 'id,author.id,author.name,notes.id,notes.text', deep: { notes: { _sort: ['id'] } } }

const create = async (trial: Trial, body: Row): Promise<WithNotes> => {
  const { id } = dataOf<WithNotes>(await trial.ask(`POST ${draftsPath(trial)}`, { body }))
  return read(trial, id)
}

const read = async (trial: Trial, id: number): Promise<WithNotes> =>
  dataOf(await trial.ask(`GET ${draftsPath(trial)}/${id}`, { query }))

const textsOf = ({ notes }: WithNotes): readonly string[] => notes.map(({ text }) => text)

const countOf = async (trial: Trial, collection: string, filter: object): Promise<number> => {
  const exchange = await trial.ask(`GET /items/${collection}`, { query: { fields: 'id', filter, limit: -1 } })
  return dataOf<readonly Row[]>(exchange).length
}

const nested = checksOf('items', 'world', [
  statement('createItems', 'related items are created with the item', async (trial) => {
    const title = trial.mark()
    const draft = await create(trial, { title, author: { name: title }, notes: [{ text: 'one' }, { text: 'two' }] })
    expectSame(null, 'The related item is another', draft.author?.['name'], title)
    expectSame(null, 'The related items are others', textsOf(draft), ['one', 'two'])
    expectSame(
      null,
      'The author exists once',
      await countOf(trial, trial.world.names.authors, { name: { _eq: title } }),
      1,
    )
    await trial.ask(`DELETE /items/${trial.world.names.authors}/${String(draft.author?.['id'])}`)
  }),
  statement('updateItem', 'a list replaces the related items', async (trial) => {
    const title = trial.mark()
    const draft = await create(trial, { title, notes: [{ text: 'a' }, { text: 'b' }] })
    const stored = draft.notes[0]?.id ?? 0
    const body = { notes: [{ id: stored, text: 'A' }, { text: 'c' }] }
    const exchange = await trial.ask(`PATCH ${draftsPath(trial)}/${draft.id}`, { body })
    expectStatus(exchange, 200)
    expectSame(exchange, 'The related items are others', textsOf(await read(trial, draft.id)), ['A', 'c'])
  }),
  statement('updateItem', 'create, update and delete change only what they name', async (trial) => {
    const title = trial.mark()
    const draft = await create(trial, { title, notes: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] })
    const [first, second] = draft.notes
    const body = {
      notes: { create: [{ text: 'd' }], update: [{ id: first?.id, text: 'A' }], delete: [second?.id] },
    }
    const exchange = await trial.ask(`PATCH ${draftsPath(trial)}/${draft.id}`, { body })
    expectStatus(exchange, 200)
    expectSame(exchange, 'The related items are others', textsOf(await read(trial, draft.id)), ['A', 'c', 'd'])
  }),
  statement('updateItem', 'a related item is linked, changed through the item, and unlinked', async (trial) => {
    const { authors } = trial.world.names
    const title = trial.mark()
    const { id: author } = dataOf<{ readonly id: number }>(
      await trial.ask(`POST /items/${authors}`, { body: { name: title } }),
    )
    const draft = await create(trial, { title, author })
    const path = `${draftsPath(trial)}/${draft.id}`
    const changed = await trial.ask(`PATCH ${path}`, { body: { author: { id: author, name: `${title}!` } } })
    expectStatus(changed, 200)
    expectSame(
      changed,
      'The related item has another value',
      (await read(trial, draft.id)).author?.['name'],
      `${title}!`,
    )
    const unlinked = await trial.ask(`PATCH ${path}`, { body: { author: null } })
    expectStatus(unlinked, 200)
    expectSame(unlinked, 'The item is still linked', (await read(trial, draft.id)).author, null)
    expectStatus(await trial.ask(`DELETE /items/${authors}/${author}`), 204)
  }),
  statement('createItems', 'an impossible related item refuses the whole item', async (trial) => {
    const title = trial.mark()
    const bodies: readonly Row[] = [
      { title, notes: [{ text: title }, { text: null }] },
      { title, author: { name: title }, views: 'many' },
      { title, author: { name: title }, notes: [{ text: title }, { text: title, draft: 'x', id: 'nothing' }] },
    ]
    for (const body of bodies) {
      const exchange = await trial.ask(`POST ${draftsPath(trial)}`, { body })
      expectStatus(exchange, 400, 403)
      expectSame(exchange, 'A part of a refused write is stored', await draftsTitled(trial, title), [])
      const { authors, notes } = trial.world.names
      const parts = [
        await countOf(trial, authors, { name: { _eq: title } }),
        await countOf(trial, notes, { text: { _eq: title } }),
      ]
      expectSame(exchange, 'A related part of a refused write is stored', parts, [0, 0])
    }
  }),
])

const singletons = checksOf('items', 'world', [
  statement('updateItems', 'a singleton is one object that an update creates and changes', async (trial) => {
    const path = `/items/${trial.world.names.settings}`
    for (const body of [{ name: trial.mark(), count: 1 }, { count: 2 }, { name: null }]) {
      const before = dataOf<Row>(await trial.ask(`GET ${path}`))
      const exchange = await trial.ask(`PATCH ${path}`, { body })
      const expected = { name: null, count: null, ...before, ...body }
      const { id: _, ...answered } = dataOf<Row & { readonly id: unknown }>(exchange)
      const { id: _id, ...stored } = dataOf<Row & { readonly id: unknown }>(await trial.ask(`GET ${path}`))
      const { id: _old, ...wanted } = expected as Row
      expectSame(exchange, 'The answer is not the updated singleton', answered, wanted)
      expectSame(exchange, 'The singleton has other values', stored, wanted)
    }
  }),
])

export const nestedChecks: readonly Check[] = [...nested, ...singletons]
