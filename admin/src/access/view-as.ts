/**
 * The application as another user has it, for administrators: by what the server explains of that user's rights. Nothing
 * is done in the name of the user, and nothing is written.
 */
import { client, type Row } from '../client.ts'
import type { Collection, Model, Right } from '../model/model.ts'
import type { Explained, Explanation } from './explained.ts'
import type { Viewed } from './viewed.ts'

export async function modelOf({ id }: Viewed, model: Model): Promise<Model> {
  const explained = await Promise.all(
    [...model.collections.values()]
      .filter(({ isFolder }) => !isFolder)
      .map(async ({ name }) => [name, await explain(id, name)] as const),
  )
  const filters = await readFilters(explained.flatMap(([, { actions }]) => actions))
  const [user, policies] = [await readUser(id), explained[0]?.[1].policies ?? []]
  const isAdmin = policies.some(({ admin_access }) => admin_access)
  const byName = new Map(explained)
  const seen = [...model.collections.values()].map((collection): Collection => {
    const actions = byName.get(collection.name)?.actions ?? []
    const rights = Object.fromEntries(actions.map((each) => [each.action, toRight(each)]))
    const reading = actions.find(({ action }) => action === 'read')
    const readFilter = reading === undefined ? null : toFilter(reading, filters, user)
    const readable = rights['read']?.fields ?? []
    const fields = collection.fields.filter(({ field }) => isAdmin || readable.includes(field))
    return { ...collection, rights, fields, ...(readFilter !== null && { readFilter }) }
  })
  return {
    ...model,
    isAdmin,
    hasApp: isAdmin || policies.some(({ app_access }) => app_access),
    collections: new Map(seen.map((each) => [each.name, each])),
  }
}

const explain = async (user: string, collection: string): Promise<Explanation> =>
  await client.permissions.explain({ user, collection })

const readUser = async (id: string): Promise<Row> => await client.users.readOne(id, { fields: ['id', 'role'] })

type Filters = ReadonlyMap<number, object>

async function readFilters(actions: readonly Explained[]): Promise<Filters> {
  const ids = [...new Set(actions.flatMap(({ rules }) => rules.flatMap(({ permission }) => permission ?? [])))]
  if (ids.length === 0) return new Map()
  const query = { fields: ['id', 'permissions'], filter: { id: { _in: ids } }, limit: -1 } as never
  const rows = (await client.permissions.read(query)) as unknown as readonly {
    id: number
    permissions: object | null
  }[]
  return new Map(rows.flatMap(({ id, permissions }) => (permissions === null ? [] : [[id, permissions] as const])))
}

const all = 'every item'

const toRight = ({ rows, fields }: Explained): Right => ({
  access: rows === null ? 'none' : rows.text === all ? 'full' : 'partial',
  fields: fields.map(({ field }) => field),
})

/** The items that the rules reach together; null where they reach all of them, or only the server knows which. */
function toFilter({ rows, rules }: Explained, filters: Filters, user: Row): object | null {
  if (rows === null || rows.text === all) return null
  const parts = rules.map(({ permission }) => (permission === undefined ? undefined : filters.get(permission)))
  return parts.includes(undefined) ? null : (inPlaceOf(user, { _or: parts }) as object)
}

/** What stands for the caller in a rule is the user. */
function inPlaceOf(user: Row, value: unknown): unknown {
  if (value === '$CURRENT_USER') return user['id']
  if (value === '$CURRENT_ROLE') return user['role']
  if (Array.isArray(value)) return value.map((each) => inPlaceOf(user, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inPlaceOf(user, inner)]))
}
