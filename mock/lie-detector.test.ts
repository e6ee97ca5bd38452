/** The mock and a real server get the same requests and must give the same answers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase, secret } from '../contract-tests/own-database.ts'
import { createRandom } from '../contract-tests/random.ts'
import { announce } from '../src/core/announcements.ts'
import { hashToken } from '../src/tokens/opaque.ts'
import { createMock, fetchSnapshot, type Mock, type MockPermission } from './src/mock.ts'
import { type AnswerFacts, tellOf } from './testing/compare.ts'
import { graphqlRequest } from './testing/graphql-requests.ts'
import { legacyRequest } from './testing/legacy-requests.ts'
import { type Asking, request } from './testing/requests.ts'
import { legacySystemRequest, systemGraphqlRequest, systemRequest } from './testing/system-requests.ts'
import { tokens as known, mockUsers, systemSql, systemWorld } from './testing/system-world.ts'
import { restoringSql, rows, rowsSql, tablesSql } from './testing/world.ts'

const sequences = 500
const length = 4

/** The contract tests compare answers with the spec; here they are compared with those of the mock. */
const settings = { HASH_MEMORY_COST: '8', HASH_TIME_COST: '1', HASH_PARALLELISM: '1', VALIDATE_RESPONSES: 'false' }

let real: OwnDatabase
let mock: Mock
let tokens: readonly (string | null)[]

beforeAll(async () => {
  real = await openOwnDatabase(tablesSql, settings)
  await real.rows(restoringSql('restore_rows', rowsSql()))
  await real.rows(
    restoringSql(
      'restore_system',
      systemSql(world, (token) => hashToken(token, secret)),
    ),
  )
  await real.rows('select restore_system()')
  await announce(real.db, 'access')
  const [admin, ...people] = Object.values<string>(known) as [string, ...string[]]
  tokens = [admin, admin, admin, ...people, null, 'a-token-that-nobody-has']
  const { platform_users: _, ...others } = world
  mock = createMock({
    schema: await fetchSnapshot(real.url, admin),
    rows: { ...rows, ...others },
    url: real.url,
    users: mockUsers,
  })
})
afterAll(() => real.close())

/** Rows, fields, values and presets that one user may see and write. */
const permissions: readonly MockPermission[] = [
  { collection: 'articles', action: 'read', permissions: { status: { _neq: 'archived' } } },
  { collection: 'articles', action: 'read', fields: ['id', 'title'], permissions: { views: { _gt: 4 } } },
  { collection: 'articles', action: 'create', fields: ['title', 'views', 'author', 'comments', 'tags'] },
  {
    collection: 'articles',
    action: 'update',
    fields: ['title', 'body', 'author', 'comments'],
    permissions: { author: { active: { _eq: true } } },
  },
  { collection: 'authors', action: 'read', fields: ['id', 'name', 'articles'] },
  // Grants nothing: the user has no title.
  {
    collection: 'authors',
    action: 'read',
    permissions: { articles: { _none: { title: { _eq: '$CURRENT_USER.title' } } } },
  },
  { collection: 'comments', action: 'read', permissions: { article: { status: { _eq: 'published' } } } },
  { collection: 'comments', action: 'create' },
  { collection: 'comments', action: 'update', permissions: { id: { _lt: 4 } } },
  { collection: 'comments', action: 'delete', permissions: { author: { _nnull: true } } },
  { collection: 'tags', action: 'read' },
  { collection: 'articles_tags', action: 'read' },
  { collection: 'articles_tags', action: 'create' },
  { collection: 'blocks', action: 'read', fields: ['id', 'item', 'collection'] },
  { collection: 'prices', action: 'delete' },
  { collection: 'about', action: 'update', fields: ['headline'] },
]

/** Half of the sequences are about items, half about the system collections. */
const asking = [
  request,
  systemRequest,
  legacyRequest,
  systemRequest,
  graphqlRequest,
  legacySystemRequest,
  request,
  systemGraphqlRequest,
  legacyRequest,
  systemRequest,
]
type Ask = (typeof asking)[number]

const ofSystem: ReadonlySet<Ask> = new Set([systemRequest, legacySystemRequest, systemGraphqlRequest])

const world = systemWorld(permissions.map(toStored))

function toStored({ collection, action, fields = ['*'], permissions: filter = null }: MockPermission) {
  return { collection, action, fields: fields.join(','), permissions: filter }
}

const toRequest = ({ method, path, body, text, headers = {} }: Asking, token: string | null): Request => {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = sent === undefined ? {} : { 'content-type': 'application/json' }
  return new Request(`${real.url}${path}`, {
    method,
    headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...type, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  })
}

/** What a request may have changed on both sides since the last restoration. */
const dirt = { items: true, system: true }

async function restore(): Promise<void> {
  if (dirt.items || dirt.system) await real.rows('select restore_rows()')
  if (dirt.system) {
    await real.rows('select restore_system()')
    await announce(real.db, 'access')
  }
  Object.assign(dirt, { items: false, system: false })
  mock.reset()
}

/** Versions and shares go with their items. */
function note(ask: Ask, { method }: Asking, { status }: AnswerFacts): void {
  if (/^(GET|HEAD|SEARCH|OPTIONS)$/.test(method) || status >= 300) return
  if (method === 'DELETE' || ofSystem.has(ask)) dirt.system = true
  else dirt.items = true
}

const parts = Array.from({ length: 10 }, (_, part) => part)

test.for(parts)('random sequences of requests, part %i', { timeout: 300_000 }, async (part) => {
  for (let at = 0; at < sequences / parts.length; at += 1) {
    const random = createRandom(part * 1000 + at)
    const ask = asking[at % asking.length] ?? request
    await restore()
    for (let step = 0; step < length; step += 1) {
      const probe = ask(random)
      const token = random.pick(tokens)
      const expected = await tellOf(await fetch(toRequest(probe, token)))
      const facts = await tellOf(await mock.fetch(toRequest(probe, token)))
      note(ask, probe, expected)
      const seed = [part, at, step]
      expect({ seed, token, asked: probe, ...facts }).toEqual({ seed, token, asked: probe, ...expected })
    }
  }
})
