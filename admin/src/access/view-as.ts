/**
 * The application as another user has it, for administrators: by what the server explains of that user's rights. Nothing
 * is done in the name of the user, and nothing is written.
 */
import { client, type Row } from '../client.ts'
import type { Collection, Model, Right } from '../model/model.ts'
import type { Explained } from './explained.ts'
import type { Viewed } from './viewed.ts'

export async function modelOf({ id }: Viewed, model: Model): Promise<Model> {
  const explained = await Promise.all(
    [...model.collections.values()]
      .filter(({ isFolder }) => !isFolder)
      .map(async ({ name }) => [name, await client.permissions.explain({ user: id, collection: name })] as const),
  )
  const [user, policies] = [await readUser(id), explained[0]?.[1].policies ?? []]
  const isAdmin = policies.some(({ admin_access }) => admin_access)
  const byName = new Map(explained)
  const seen = [...model.collections.values()].map((collection): Collection => {
    const actions = byName.get(collection.name)?.actions ?? []
    const rights = Object.fromEntries(actions.map((each) => [each.action, toRight(each)]))
    const reading = actions.find(({ action }) => action === 'read')
    const readFilter = reading === undefined ? null : toFilter(reading, user)
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

const readUser = async (id: string): Promise<Row> => await client.users.readOne(id, { fields: ['id', 'role'] })

const toRight = ({ rows, fields }: Explained): Right => ({
  access: rows === null ? 'none' : isWhole(rows.filter) ? 'full' : 'partial',
  fields: fields.map(({ field }) => field),
})

const isWhole = (filter: object | null): boolean => filter !== null && Object.keys(filter).length === 0

/** The items that the rules reach together; null where they reach all of them, or only the server knows which. */
const toFilter = ({ rows }: Explained, user: Row): object | null =>
  rows === null || rows.filter === null || isWhole(rows.filter) ? null : (inPlaceOf(user, rows.filter) as object)

/** What stands for the caller in a rule is the user. */
function inPlaceOf(user: Row, value: unknown): unknown {
  if (value === '$CURRENT_USER') return user['id']
  if (value === '$CURRENT_ROLE') return user['role']
  if (Array.isArray(value)) return value.map((each) => inPlaceOf(user, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inPlaceOf(user, inner)]))
}
