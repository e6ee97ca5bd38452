/**
 * The access matrix of levels: level × action × status × owner, asked through both generations. It compares data: what a
 * read returns, and what is stored after a write.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { dataIn, send } from './send.ts'
import { openWorld } from './world.ts'

const levels = ['none', 'mine', 'role', 'full'] as const
const statuses = ['draft', 'live'] as const
const owners = ['own', 'same role', 'other'] as const
type Level = (typeof levels)[number]
type Status = (typeof statuses)[number]
type Owner = (typeof owners)[number]

const generations = { legacy: '/_/items/staged', current: '/items/staged' } as const

/** The items of the owners whom a level reaches. */
const reached: { readonly [Name in Level]: readonly Owner[] } = {
  none: [],
  mine: ['own'],
  role: ['own', 'same role'],
  full: ['own', 'same role', 'other'],
}

/** Drafts have the level in question, live items another one, so that a mix-up of statuses is seen. */
const levelOf = (level: Level, status: Status): Level =>
  status === 'draft' ? level : (levels[(levels.indexOf(level) + 1) % levels.length] as Level)

const items = statuses.flatMap((status) => owners.map((owner) => ({ status, owner, title: `${status}, ${owner}` })))
const users = new Map<Owner, number>()
const token = 'static-token-of-the-caller'
afterAll(() => world.close())

async function ask(method: string, path: string, body?: unknown, as: string | null = token) {
  const answer = await send(world.url, `${method} ${path}`, { body, token: as })
  return { status: answer.status, data: dataIn(answer) }
}

async function asAdmin(method: string, path: string, body?: unknown): Promise<unknown> {
  const { status, data } = await ask(method, path, body, world.tokens.admin)
  expect([path, status]).toEqual([path, expect.toBeOneOf([200, 204])])
  return data
}

const idOf = async (path: string, body: object): Promise<number> =>
  ((await asAdmin('POST', path, body)) as { readonly id: number }).id

const world = await openWorld()
const mapping = { draft: { name: 'Draft' }, live: { name: 'Live' }, gone: { name: 'Gone', soft_delete: true } }
await asAdmin('POST', '/_/collections', {
  collection: 'staged',
  fields: [
    { field: 'id', type: 'integer', datatype: 'INT', primary_key: true, auto_increment: true },
    { field: 'title', type: 'string', datatype: 'VARCHAR', length: 50 },
    { field: 'owner', type: 'owner', datatype: 'INT' },
    { field: 'status', type: 'status', datatype: 'VARCHAR', length: 20, options: { status_mapping: mapping } },
  ],
})
const role = await idOf('/_/roles', { name: 'Callers' })
const elsewhere = await idOf('/_/roles', { name: 'Others' })
const user = { status: 'active', role }
users.set('own', await idOf('/_/users', { ...user, email: 'own@example.com', token }))
users.set('same role', await idOf('/_/users', { ...user, email: 'same@example.com' }))
users.set('other', await idOf('/_/users', { ...user, email: 'other@example.com', role: elsewhere }))

type Row = { readonly id: number; readonly title: string; readonly status: string }

const stored = async (): Promise<readonly Row[]> =>
  (await asAdmin('GET', '/_/items/staged?status=*&limit=-1&sort=id&fields=id,title,status')) as readonly Row[]

/** One item per status and owner, and the levels of the caller's role; returns the keys by title. */
async function given(level: Level): Promise<ReadonlyMap<string, number>> {
  const old = (await stored()).map(({ id }) => id)
  if (old.length > 0) await asAdmin('DELETE', `/_/items/staged/${old.join()}`)
  const made = items.map(({ status, title }) => ({ status, title }))
  const rows = (await asAdmin('POST', '/_/items/staged', made)) as readonly Row[]
  const owned = rows.map(({ id }, at) => ({ id, owner: users.get(items[at]?.owner as Owner) }))
  await asAdmin('PATCH', '/_/items/staged', owned)
  const present = (await asAdmin('GET', '/_/permissions?limit=-1')) as readonly { id: number; collection: string }[]
  const gone = present.filter(({ collection }) => collection === 'staged').map(({ id }) => id)
  if (gone.length > 0) await asAdmin('DELETE', `/_/permissions/${gone.join()}`)
  await asAdmin(
    'POST',
    '/_/permissions',
    statuses.map((status) => {
      const each = levelOf(level, status)
      const create = each === 'none' ? 'none' : 'full'
      return { collection: 'staged', role, status, create, read: each, update: each, delete: each }
    }),
  )
  return new Map(rows.map(({ id, title }) => [title, id]))
}

const allowed = (level: Level): readonly string[] =>
  items.filter(({ status, owner }) => reached[levelOf(level, status)].includes(owner)).map(({ title }) => title)

describe.each(levels)('the level %s', (level) => {
  test.each(['legacy', 'current'] as const)(
    'reads, updates and deletes the same items through %s',
    async (generation) => {
      const base = generations[generation]
      const keys = await given(level)
      const expected = allowed(level)

      const read: unknown[] = []
      for (const key of keys.values()) {
        const { status, data } = await ask('GET', `${base}/${key}`)
        if (status === 200) read.push((data as Row).title)
      }
      expect(read).toEqual(expected)
      const { data: listed } = await ask('GET', `${base}?sort=id&fields=title`)
      expect(expected.length === 0 ? (listed ?? []) : listed).toEqual(expected.map((title) => ({ title })))

      for (const [title, key] of keys) await ask('PATCH', `${base}/${key}`, { title: `${title}!` })
      const titles = items.map(({ title }) => (expected.includes(title) ? `${title}!` : title))
      expect((await stored()).map(({ title }) => title)).toEqual(titles)

      for (const key of keys.values()) await ask('DELETE', `${base}/${key}`)
      const left = items.filter(({ title }) => !expected.includes(title)).map(({ title }) => title)
      expect((await stored()).map(({ title }) => title)).toEqual(left)
    },
  )

  test.each(['legacy', 'current'] as const)('creates items of the same statuses through %s', async (generation) => {
    await given(level)
    const before = (await stored()).length
    for (const status of statuses) await ask('POST', generations[generation], { status, title: `new ${status}` })
    const made = (await stored()).slice(before).map(({ status }) => status)
    expect(made).toEqual(statuses.filter((status) => levelOf(level, status) !== 'none'))
  })

  test.each(['legacy', 'current'] as const)(
    'moves items into another status through %s only with its own level',
    async (generation) => {
      const keys = await given(level)
      for (const key of keys.values()) await ask('PATCH', `${generations[generation]}/${key}`, { status: 'gone' })
      const deletable = allowed(level)
      const now = (await stored()).map(({ title, status }) => [title, status])
      expect(now).toEqual(items.map(({ title, status }) => [title, deletable.includes(title) ? 'gone' : status]))
    },
  )
})
