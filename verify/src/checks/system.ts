/** System resources: the data model, users, sessions, files, history. */
import { asText } from '../http/text.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat } from '../run/mismatch.ts'
import { createDraft, draftsPath } from './drafts.ts'
import type { Row } from './listing.ts'

type Named = { readonly field: string; readonly type: string }
type Tokens = { readonly access_token: string; readonly refresh_token: string; readonly expires: number }

const model = checksOf('system', 'world', [
  statement('readCollections', 'the data model is that which was made', async (trial) => {
    const { names } = trial.world
    const all = await trial.ask('GET /collections')
    const listed = dataOf<readonly { readonly collection: string }[]>(all).map(({ collection }) => collection)
    for (const name of Object.values(names)) expectThat(all, `${name} is listed`, listed.includes(name))
    const fields = await trial.ask(`GET /fields/${names.authors}`)
    const types = dataOf<readonly Named[]>(fields).map(({ field, type }) => [field, type])
    const expected = [
      ['articles', 'alias'],
      ['id', 'integer'],
      ['name', 'string'],
      ['secret', 'string'],
    ]
    expectSame(
      fields,
      'The fields are others',
      types.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
      expected,
    )
    const relations = await trial.ask(`GET /relations/${names.articles}`)
    const related = dataOf<readonly Row[]>(relations).map(({ field, related_collection }) => [
      field,
      related_collection,
    ])
    expectSame(relations, 'The relations are others', related, [['author', names.authors]])
  }),
  statement('createField', 'a new field is written and read, and gone after its deletion', async (trial) => {
    const { tags } = trial.world.names
    trial.remove(`/fields/${tags}/extra`)
    try {
      const created = await trial.ask(`POST /fields/${tags}`, {
        body: { field: 'extra', type: 'integer', schema: {} },
      })
      expectSame(created, 'The field is another', dataOf<Named>(created).type, 'integer')
      const { id } = dataOf<{ readonly id: number }>(
        await trial.ask(`POST /items/${tags}`, { body: { name: 'extra', extra: 5 } }),
      )
      const read = await trial.ask(`GET /items/${tags}/${id}`, { query: { fields: 'extra' } })
      expectSame(read, 'The new field has another value', dataOf(read), { extra: 5 })
      expectStatus(await trial.ask(`DELETE /fields/${tags}/extra`), 204)
      expectStatus(await trial.ask(`GET /items/${tags}`, { query: { fields: 'extra' } }), 403)
      expectStatus(await trial.ask(`DELETE /items/${tags}/${id}`), 204)
    } finally {
      await trial.ask(`DELETE /fields/${tags}/extra`)
    }
  }),
])

const accounts = checksOf('system', 'world', [
  statement('readUser', 'users are read without their secrets, each with its own rights', async (trial) => {
    const { reader } = trial.world
    const exchange = await trial.ask(`GET /users/${reader.id}`)
    const { email, role, status, password, token } = dataOf<Row>(exchange)
    expectSame(exchange, 'The user is another', [email, role, status], [reader.email, reader.role, 'active'])
    const isHidden = [password, token].every((value) => value === null || /^\*+$/.test(asText(value)))
    expectThat(exchange, 'Password and token are hidden', isHidden && !exchange.text.includes(reader.token))
    const me = await trial.ask('GET /users/me', { as: 'reader', query: { fields: 'id' } })
    expectSame(me, 'Another user is answered', dataOf(me), { id: reader.id })
    const others = await trial.ask('GET /users', { as: 'reader', query: { fields: 'id,email' } })
    if (others.status !== 403) {
      const seen = dataOf<readonly Row[]>(others).filter(({ id }) => id !== reader.id)
      expectSame(others, 'Other users are shown', seen, [])
    }
  }),
  statement('login', 'a session begins with the right password and ends with the logout', async (trial) => {
    const { email, password, id } = trial.world.reader
    const as = 'public' as const
    const wrong = await trial.ask('POST /auth/login', { as, body: { email, password: 'not this one' } })
    expectStatus(wrong, 401)
    const login = await trial.ask('POST /auth/login', { as, body: { email, password } })
    const first = dataOf<Tokens>(login)
    const headers = { authorization: `Bearer ${first.access_token}` }
    const me = await trial.ask('GET /users/me', { as, headers, query: { fields: 'id' } })
    expectSame(me, 'The session is of another user', dataOf(me), { id })
    const refreshed = await trial.ask('POST /auth/refresh', {
      as,
      body: { refresh_token: first.refresh_token, mode: 'json' },
    })
    const { refresh_token } = dataOf<Tokens>(refreshed)
    expectStatus(await trial.ask('POST /auth/logout', { as, body: { refresh_token, mode: 'json' } }), 204)
    expectStatus(await trial.ask('POST /auth/refresh', { as, body: { refresh_token, mode: 'json' } }), 401, 403)
  }),
])

type SystemRead = { readonly as: 'public' | 'reader'; readonly id: string; readonly text: string }

/** Who may not read the file's record may not read its contents. The project may allow everybody to read files. */
async function expectNoOtherContents(trial: Trial, { as, id, text }: SystemRead): Promise<void> {
  const record = await trial.ask(`GET /files/${id}`, { as })
  const asset = await trial.ask(`GET /assets/${id}`, { as })
  if (record.status !== 200) expectStatus(asset, 401, 403)
  else if (asset.status === 200) expectSame(asset, 'The contents are others', asset.text, text)
  else expectStatus(asset, 401, 403)
}

const records = checksOf('system', 'world', [
  statement('uploadFiles', 'a file is answered byte by byte, and gone after its deletion', async (trial) => {
    const form = new FormData()
    const text = `${trial.mark()} – ünïcode\n`
    form.set('title', trial.world.prefix)
    form.set('file', new Blob([text], { type: 'text/plain' }), 'verify.txt')
    const uploaded = await trial.ask('POST /files', { body: form })
    const { id, title, type } = dataOf<Row>(uploaded)
    trial.remove(`/files/${String(id)}`)
    expectSame(uploaded, 'The file is another', [title, type], [trial.world.prefix, 'text/plain'])
    const asset = await trial.ask(`GET /assets/${String(id)}`)
    expectStatus(asset, 200)
    expectSame(asset, 'The contents are others', asset.text, text)
    const part = await trial.ask(`GET /assets/${String(id)}`, { headers: { range: 'bytes=3-6' } })
    expectSame(part, 'The part is another', [part.status, part.text], [206, text.slice(3, 7)])
    for (const as of ['public', 'reader'] as const) await expectNoOtherContents(trial, { as, id: String(id), text })
    expectStatus(await trial.ask(`DELETE /files/${String(id)}`), 204)
    expectStatus(await trial.ask(`GET /assets/${String(id)}`), 403, 404)
  }),
  statement('readRevisions', 'an update leaves a revision with the values', async (trial) => {
    const { id } = await createDraft(trial, { title: trial.mark(), views: 1 })
    expectStatus(await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { views: 2 } }), 200)
    const filter = { collection: { _eq: trial.world.names.drafts }, item: { _eq: String(id) } }
    const exchange = await trial.ask('GET /revisions', {
      query: { filter, sort: '-id', limit: 1, fields: 'item,delta' },
    })
    expectSame(exchange, 'The last revision is another', dataOf(exchange), [{ item: String(id), delta: { views: 2 } }])
  }),
])

export const systemChecks: readonly Check[] = [...model, ...accounts, ...records]
