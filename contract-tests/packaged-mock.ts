/** The published mock with the data model, the rows and the users of the world. */
import { createMock, fetchSnapshot, type Mock, type Snapshot } from '../mock/src/mock.ts'
import { internalTables } from '../src/domain/model/system-collections.ts'
import { codeAt } from '../src/tokens/one-time-codes.ts'
import { openWorld, userKinds, type World } from './world.ts'
import type { Accounts } from './world-accounts.ts'
import { password, picture, spareObjects } from './world-data.ts'

export type MockWorld = Pick<World, 'url' | 'tokens' | 'accounts' | 'seedProject'> & { readonly mock: Mock }

const pages = ['reset', 'join', 'confirm'].map((name) => `https://app.example.com/${name}`)

const contents = {
  [picture.key]: picture.bytes,
  ...Object.fromEntries(Object.values(spareObjects).map((name) => [name, 'hello'])),
}

/** Tables that are no collections. */
const internal: ReadonlySet<string> = new Set(internalTables)

/** Reads the world from a server, which is closed then. */
export async function openMockWorld(url: string): Promise<MockWorld> {
  const world = await openWorld()
  try {
    const { tokens } = world
    const schema = await fetchSnapshot(world.url, tokens.admin ?? '')
    const { platform_users: people = [], ...others } = await world.readRows()
    const users = people.map(({ token: _token, password: _password, ...row }) => {
      const kind = userKinds.find((each) => row['email'] === `${each}@example.com`)
      const token = kind === undefined ? null : tokens[kind]
      return {
        ...row,
        email: typeof row['email'] === 'string' ? row['email'] : '',
        password,
        ...(token === null ? {} : { token }),
      }
    })
    const rows = Object.fromEntries(Object.entries(others).filter(([name]) => !internal.has(name)))
    const mock = createMock({ schema, rows, users, url, pages, contents })
    return { url, tokens, accounts: accountsOf(mock, url), seedProject: async () => undefined, mock }
  } finally {
    await world.close()
  }
}

/** What is done to accounts of the world in its database is done here through requests and mails. */
function accountsOf(mock: Mock, url: string): Accounts {
  const ask = async (method: string, path: string, body: object, as: string | null = null): Promise<unknown> => {
    const login = { email: 'admin@example.com', password }
    const given = as === null ? await ask('POST', '/auth/login', login, '') : null
    const token = (given as { readonly data: { readonly access_token: string } } | null)?.data.access_token
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const answer = await mock.fetch(new Request(`${url}${path}`, { method, headers, body: JSON.stringify(body) }))
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.status === 204 ? null : answer.json()
  }
  const spare = '/users/00000000-0000-4000-8000-0000000000f1'
  const asked = {
    'password-reset': () => ask('POST', '/auth/password/request', { email: 'spare@example.com' }),
    invitation: async () => {
      await ask('PATCH', spare, { status: 'invited' })
      const [, role] = ((await ask('SEARCH', '/roles', { query: { fields: ['id'] } })) as { data: { id: string }[] })
        .data
      await ask('POST', '/users/invite', { email: 'spare@example.com', role: role?.id })
    },
    registration: async () => {
      await ask('PATCH', '/settings', { public_registration: true, public_registration_verify_email: true })
      await ask('POST', '/users/register', { email: 'later@example.com', password })
    },
  }
  return {
    async issueToken(purpose) {
      await asked[purpose]()
      const link = mock.mails().at(-1)?.url ?? ''
      return new URL(link).searchParams.get('token') ?? link.split('/').at(-1) ?? ''
    },
    async prepareCodes(state) {
      const { data } = (await ask('POST', '/users/me/tfa/generate', { password })) as {
        readonly data: { readonly secret: string }
      }
      const { secret } = data
      if (state === 'enabled')
        await ask('POST', '/users/me/tfa/enable', { secret, otp: codeAt(secret, new Date(Date.now() - 30_000)) })
      return { secret, otp: codeAt(secret, new Date()) }
    },
    dismissAdministrators: async () => undefined,
    withDemandedCodes: (work) => work(),
  }
}

/** A data model: collections with an integer key and fields of text. */
export const modelOf = (
  collections: { readonly [name: string]: readonly string[] },
  relations: Snapshot['relations'] = [],
): Snapshot => ({
  collections: Object.keys(collections).map((collection) => ({ collection, schema: { name: collection } })),
  fields: Object.entries(collections).flatMap(([collection, names]) => [
    {
      collection,
      field: 'id',
      type: 'integer',
      schema: { ...integer, is_primary_key: true, has_auto_increment: true },
    },
    ...names.map((field) => ({ collection, field, type: 'string', schema: { data_type: 'character varying' } })),
    ...relations
      .filter((each) => each.collection === collection)
      .map(({ field }) => ({ collection, field, type: 'integer', schema: { ...integer, is_nullable: true } })),
  ]),
  relations,
})

const integer = { data_type: 'integer', is_nullable: false } as const
