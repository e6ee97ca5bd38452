/** Snapshots of other vendors: their databases have other names of the same types of columns. */
import { placeOf, type Snapshot } from './schema-snapshot.ts'

/** Names that MariaDB has and Postgres does not. */
const onMariaDb: ReadonlySet<unknown> = new Set([
  'blob',
  'char',
  'datetime',
  'decimal',
  'double',
  'enum',
  'float',
  'int',
  'longblob',
  'longtext',
  'mediumint',
  'mediumtext',
  'time',
  'timestamp',
  'tinyint',
  'varchar',
])

const isOfMariaDb = ({ fields }: Snapshot): boolean => fields.some(({ schema }) => onMariaDb.has(schema?.data_type))

/** What the type of a field does not leave to the vendor. */
const chosen: { readonly [type: string]: readonly string[] } = {
  string: ['max_length'],
  hash: ['max_length'],
  decimal: ['numeric_precision', 'numeric_scale'],
}

const sizes = ['max_length', 'numeric_precision', 'numeric_scale'] as const

/**
 * A snapshot in the words of the database here: fields of the same type keep the type and the size of their column, as
 * far as the type of the field decides which one it gets. A snapshot of the same vendor is returned as it is.
 */
export function inWordsOf(present: Snapshot, given: Snapshot): Snapshot {
  if (isOfMariaDb(present) === isOfMariaDb(given)) return given
  const here = new Map(present.fields.map((field) => [placeOf(field), field]))
  return {
    ...given,
    fields: given.fields.map((field) => {
      const own = here.get(placeOf(field))
      if (own?.schema == null || field.schema == null || own.type !== field.type) return field
      const { schema } = own
      const decided = sizes.filter((size) => chosen[String(field.type)]?.includes(size) !== true)
      const words = Object.fromEntries(['data_type' as const, ...decided].map((key) => [key, schema[key]]))
      return { ...field, schema: { ...field.schema, ...words } }
    }),
  }
}
