/** What the restricted user may write; permissions that change; answers shared between users. */
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat } from '../run/mismatch.ts'
import { createDraft, draftsPath, draftsTitled, expectGone, expectStored } from './drafts.ts'
import { among, articlesPath, type Row } from './listing.ts'

const as = 'reader' as const

const pair = async (trial: Trial) => {
  const title = trial.mark()
  return {
    title,
    open: await createDraft(trial, { title, live: true, views: 1, secret: 's' }),
    closed: await createDraft(trial, { title, live: false, views: 1 }),
  }
}

const writes = checksOf('rights', 'world', [
  statement('updateItem', 'permitted fields of permitted items are updated, others refused', async (trial) => {
    const { open, closed } = await pair(trial)
    const title = trial.mark()
    const done = await trial.ask(`PATCH ${draftsPath(trial)}/${open.id}`, { as, body: { title } })
    expectSame(done, 'The answer has other fields', dataOf(done), { id: open.id, title, live: true })
    await expectStored(trial, open.id, { title }, done)
    for (const body of [{ views: 9 }, { title: 'x', views: 9 }, { secret: 'x' }, { live: false }]) {
      expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${open.id}`, { as, body }), 403)
    }
    expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${closed.id}`, { as, body: { title } }), 403)
    await expectStored(trial, open.id, { title, views: 1, secret: 's', live: true })
    await expectStored(trial, closed.id, { title: closed['title'], views: 1 })
  }),
  statement('updateItems', 'a batch update changes only permitted items, or is refused', async (trial) => {
    const { title, open, closed } = await pair(trial)
    const keys = { keys: [open.id, closed.id], data: { title: 'changed' } }
    expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}`, { as, body: keys }), 403)
    await expectStored(trial, open.id, { title })
    const query = { query: { filter: { title: { _eq: title } } }, data: { title: `${title}!` } }
    const exchange = await trial.ask(`PATCH ${draftsPath(trial)}`, { as, body: query })
    expectStatus(exchange, 200)
    await expectStored(trial, open.id, { title: `${title}!` }, exchange)
    await expectStored(trial, closed.id, { title }, exchange)
  }),
  statement('createItems', 'an item is created with permitted fields only', async (trial) => {
    const title = trial.mark()
    const exchange = await trial.ask(`POST ${draftsPath(trial)}`, { as, body: { title, live: true } })
    const { id, ...rest } = dataOf<Row & { readonly id: number }>(exchange)
    expectSame(exchange, 'The answer has other fields', rest, { title, live: true })
    await expectStored(trial, id, { title, live: true, views: null }, exchange)
    const refused = trial.mark()
    for (const body of [
      { title: refused, views: 1 },
      { title: refused, secret: 'x' },
      [{ title: refused }, { title: refused, views: 1 }],
    ]) {
      expectStatus(await trial.ask(`POST ${draftsPath(trial)}`, { as, body }), 403)
    }
    expectSame(exchange, 'A refused item was created', await draftsTitled(trial, refused), [])
  }),
  statement('deleteItem', 'deletions without a permission are refused', async (trial) => {
    const { open, closed } = await pair(trial)
    expectStatus(await trial.ask(`DELETE ${draftsPath(trial)}/${open.id}`, { as }), 403)
    expectStatus(await trial.ask(`DELETE ${draftsPath(trial)}`, { as, body: [open.id, closed.id] }), 403)
    await expectStored(trial, open.id, { views: 1 })
    await expectStored(trial, closed.id, { views: 1 })
  }),
  statement('updateItem', 'writes without a token are refused', async (trial) => {
    const { open } = await pair(trial)
    const path = draftsPath(trial)
    const refused = trial.mark()
    const as = 'public' as const
    expectStatus(await trial.ask(`PATCH ${path}/${open.id}`, { as, body: { title: refused } }), 401, 403)
    expectStatus(await trial.ask(`POST ${path}`, { as, body: { title: refused } }), 401, 403)
    expectStatus(await trial.ask(`DELETE ${path}/${open.id}`, { as }), 401, 403)
    await expectStored(trial, open.id, { title: open['title'] })
    expectSame(null, 'An item was created without a token', await draftsTitled(trial, refused), [])
  }),
  statement('createItems', 'nested writes need the permission of each related item', async (trial) => {
    const title = trial.mark()
    const { open } = await pair(trial)
    const bodies: readonly Row[] = [
      { author: { name: title } },
      { notes: [{ text: title }] },
      { notes: { create: [{ text: title }] } },
    ]
    for (const body of bodies) {
      expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${open.id}`, { as, body }), 403)
    }
    const query = { filter: { text: { _eq: title } } }
    const exchange = await trial.ask(`GET /items/${trial.world.names.notes}`, { query })
    expectSame(exchange, 'A related item was created without a permission', dataOf(exchange), [])
  }),
  statement('createItems', 'the data model is closed to other users', async (trial) => {
    const { names, prefix } = trial.world
    const collection = `${prefix}_refused`
    trial.remove(`/collections/${collection}`)
    const body = { collection, schema: {}, fields: [] }
    expectStatus(await trial.ask('POST /collections', { as, body }), 403)
    expectStatus(await trial.ask(`DELETE /collections/${names.tags}`, { as }), 403)
    expectStatus(await trial.ask(`POST /fields/${names.articles}`, { as, body: { field: 'x', type: 'string' } }), 403)
    expectStatus(
      await trial.ask('POST /permissions', {
        as,
        body: { policy: trial.world.reader.policy, collection: names.tags, action: 'read' },
      }),
      403,
    )
    expectStatus(await trial.ask('POST /users', { as, body: { email: `x-${prefix}@example.com` } }), 403)
    expectStatus(await trial.ask(`GET /items/${names.tags}`), 200)
  }),
])

const changes = checksOf('rights', 'world', [
  statement('deletePermission', 'a permission holds from its creation to its deletion', async (trial) => {
    const { names, reader, rows } = trial.world
    const query = { fields: 'id', sort: 'id', filter: among(rows.tags) }
    const read = () => trial.ask(`GET /items/${names.tags}`, { as, query })
    expectStatus(await read(), 403)
    const body = { policy: reader.policy, collection: names.tags, action: 'read', permissions: null, fields: ['id'] }
    const { id } = dataOf<{ readonly id: number }>(await trial.ask('POST /permissions', { body }))
    trial.remove(`/permissions/${id}`)
    try {
      const exchange = await read()
      expectSame(
        exchange,
        'The new permission shows other items',
        dataOf(exchange),
        rows.tags.map((tag) => ({ id: tag.id })),
      )
      expectStatus(await trial.ask(`DELETE /permissions/${id}`), 204)
      expectStatus(await read(), 403)
    } finally {
      await trial.ask(`DELETE /permissions/${id}`)
    }
  }),
  statement('readItems', 'answers are not shared between users', async (trial) => {
    const query = { sort: 'id', limit: -1, fields: '*' }
    const ask = (as: 'admin' | 'reader' | 'public', headers = {}) =>
      trial.ask(`GET ${articlesPath(trial)}`, { as, query, headers })
    const [all, shown] = [trial.world.rows.articles.length, trial.world.visible.length]
    const first = await ask('admin')
    const [tag] = [first.headers.get('etag') ?? '"none"']
    for (const actor of ['admin', 'reader', 'public', 'reader', 'admin'] as const) {
      const exchange = await ask(actor)
      if (actor === 'public') expectStatus(exchange, 401, 403)
      else {
        const rows = dataOf<readonly Row[]>(exchange)
        expectSame(exchange, 'The list is that of another user', rows.length, actor === 'admin' ? all : shown)
        expectSame(exchange, 'The fields are those of another user', 'secret' in (rows[0] ?? {}), actor === 'admin')
      }
    }
    const conditional = await ask('reader', { 'if-none-match': tag })
    expectThat(conditional, 'A tag of another user is not confirmed', conditional.status === 200, conditional.status)
  }),
  statement('deleteItem', 'a deleted item disappears from lists at once', async (trial) => {
    const title = trial.mark()
    const { id } = await createDraft(trial, { title, live: true })
    const query = { fields: 'id', filter: { title: { _eq: title } } }
    const lists = () =>
      Promise.all((['admin', 'reader'] as const).map((as) => trial.ask(`GET ${draftsPath(trial)}`, { as, query })))
    for (const exchange of await lists()) expectSame(exchange, 'The new item is listed', dataOf(exchange), [{ id }])
    expectStatus(await trial.ask(`DELETE ${draftsPath(trial)}/${id}`), 204)
    for (const exchange of await lists()) expectSame(exchange, 'The deleted item is listed', dataOf(exchange), [])
    await expectGone(trial, id)
  }),
])

export const rightsWritesChecks: readonly Check[] = [...writes, ...changes]
