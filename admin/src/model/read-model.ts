/** Reads what the application knows of the project. */
import { client } from '../client.ts'
import type { Collection, CollectionMeta, Field, Me, Model, Relation } from './model.ts'
import { isSystemName } from './names.ts'
import { describeFields } from './system-fields.ts'

type RawCollection = {
  readonly collection: string
  readonly meta: Partial<CollectionMeta> | null
  readonly schema: object | null
}
/** `websocket`: how sockets are served; false where live connections are off. */
type Info = { readonly project?: { readonly project_name?: string }; readonly websocket?: unknown }

type Rights = { readonly [collection: string]: Collection['rights'] }

/** Reads the model as the logged-in user sees it. */
export async function readModel(): Promise<Model> {
  const [me, globals, info] = await Promise.all([
    client.users.readMe() as Promise<unknown>,
    client.policies.readGlobals(),
    client.server.readInfo() as Promise<unknown>,
  ])
  const { project, websocket } = info as Info
  const { project_name: projectName = 'Tandem' } = project ?? {}
  const user = {
    me: me as Me,
    isAdmin: globals.admin_access,
    hasApp: globals.app_access || globals.admin_access,
    projectName,
    isLive: Boolean(websocket),
  }
  if (!user.hasApp) return { ...user, collections: new Map(), relations: [] }
  const [collections, fields, relations, rights] = await Promise.all([
    client.collections.read() as Promise<unknown>,
    client.fields.readAll() as Promise<unknown>,
    client.relations.readAll() as Promise<unknown>,
    client.permissions.readMine() as Promise<unknown>,
  ])
  const byCollection = Map.groupBy(fields as readonly Field[], ({ collection }) => collection)
  const read = (collections as readonly RawCollection[]).map((each) =>
    toCollection(each, byCollection.get(each.collection) ?? [], (rights as Rights)[each.collection] ?? {}),
  )
  return {
    ...user,
    collections: new Map(read.map((each) => [each.name, each])),
    relations: relations as readonly Relation[],
  }
}

function toCollection(
  { collection, meta, schema }: RawCollection,
  fields: readonly Field[],
  rights: Collection['rights'],
): Collection {
  const keys = fields.filter((field) => field.schema?.is_primary_key)
  const isSystem = isSystemName(collection)
  return {
    name: collection,
    meta: meta ?? {},
    isFolder: schema === null,
    isSystem,
    fields: isSystem ? describeFields(collection, fields) : inOrder(fields),
    key: keys.length > 1 ? '$key' : (keys[0]?.field ?? null),
    rights,
  }
}

/** Fields with an order first, the others as the table has them. */
const inOrder = (fields: readonly Field[]): readonly Field[] =>
  fields.toSorted((a, b) => (a.meta?.sort ?? Number.MAX_SAFE_INTEGER) - (b.meta?.sort ?? Number.MAX_SAFE_INTEGER))
