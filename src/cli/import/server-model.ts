import { SourceRefusal, type SourceRow } from '../../domain/ports/import-source.ts'

type Entry = SourceRow & { readonly collection: string; readonly field?: string; readonly schema?: SourceRow | null }

/** Reads the `data` of an answer. */
type Read = (path: string) => Promise<unknown>

/**
 * The snapshot of the server, and the tables, columns and foreign keys that it leaves out: those without metadata, for
 * example of tables that were made with SQL.
 */
export async function readServerModel(read: Read): Promise<SourceRow> {
  const snapshot = (await read('/schema/snapshot')) as SourceRow
  const added = await Promise.all(
    Object.keys(columnKeys).map(async (part) => {
      const existing = toList(snapshot[part])
      const keys = new Set(existing.map(entryKey))
      const bare = toList(await orNothing(read, `/${part}`)).filter((each) => !keys.has(entryKey(each)))
      return [part, [...existing, ...bare.filter(hasNoMetadata).map((each) => toBare(part as Part, each))]] as const
    }),
  )
  return { ...snapshot, ...Object.fromEntries(added) }
}

/** The keys of an entry's `schema` that snapshots have. */
const columnKeys = {
  collections: ['name'],
  fields: (
    'name table data_type default_value max_length numeric_precision numeric_scale is_nullable is_unique ' +
    'is_indexed is_primary_key is_generated generation_expression has_auto_increment foreign_key_table ' +
    'foreign_key_column'
  ).split(' '),
  relations: 'table column foreign_key_table foreign_key_column constraint_name on_update on_delete'.split(' '),
}

type Part = keyof typeof columnKeys

async function orNothing(read: Read, path: string): Promise<unknown> {
  try {
    return await read(path)
  } catch (error) {
    if (error instanceof SourceRefusal) return []
    throw error
  }
}

const toList = (value: unknown): readonly Entry[] => (Array.isArray(value) ? (value as readonly Entry[]) : [])

const entryKey = ({ collection, field }: Entry): string => JSON.stringify([collection, field])

/** Entries of the system have metadata of the system. */
const hasNoMetadata = ({ meta, schema }: Entry): boolean => (meta ?? null) === null && (schema ?? null) !== null

function toBare(part: Part, { collection, field, type, related_collection, schema }: Entry): Entry {
  const column = Object.fromEntries(
    columnKeys[part].flatMap((key) => (schema != null && key in schema ? [[key, schema[key]]] : [])),
  )
  const shared = { collection, meta: null, schema: column }
  if (part === 'collections') return shared
  if (part === 'fields') return { ...shared, field: field ?? '', type }
  return { ...shared, field: field ?? '', related_collection }
}
