/** Builds relations from foreign keys and from rows of the relations table. */
import { memoizeBy } from '../memoize.ts'
import type { Log } from '../ports/context.ts'
import type { Relation } from '../schema/schema.ts'
import { flagAt, listAt, type MetadataRow, textAt } from './metadata.ts'
import type { ForeignKey, Table } from './table.ts'

/** One relation per (collection, field) that holds a key. Rows that name a missing collection or field are skipped. */
export function buildRelations(tables: readonly Table[], rows: readonly MetadataRow[], log: Log): readonly Relation[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const registered = new Map<string, Relation>()
  const aliases = new Set<string>()
  for (const row of rows) {
    const relation = toRelation(row, byName)
    if (typeof relation === 'string') {
      // The tables of built-in relations are created by the migrations, so a missing one is not an error.
      if (!flagAt(row, 'system')) log.warn({ relation: row }, `A relation is left out: ${relation}`)
      continue
    }
    const label = `${relation.manyCollection}.${relation.manyField}`
    const alias = relation.oneField === null ? null : `${relation.oneCollection}.${relation.oneField}`
    if (registered.has(label) || (alias !== null && aliases.has(alias))) {
      log.warn({ relation: row }, 'A relation is left out: another one has its field or its alias')
      continue
    }
    registered.set(label, relation)
    if (alias !== null) aliases.add(alias)
  }
  const unregistered = tables.flatMap((table) =>
    relationsOf(table).filter(({ manyField }) => !registered.has(`${table.name}.${manyField}`)),
  )
  return [...registered.values(), ...unregistered]
}

/** The relations of a table's foreign keys, made once. */
const relationsOf = memoizeBy((table: Table): readonly Relation[] =>
  firstPerColumn(table.foreignKeys).map((key) => ({
    ...bare,
    ...manySideOf(table.name, key.column, key),
    oneCollection: key.table,
    constraint: constraintOf(key),
  })),
)

const bare = {
  id: null,
  oneField: null,
  oneCollectionField: null,
  oneAllowedCollections: null,
  junctionField: null,
  sortField: null,
  deselectAction: 'nullify',
} as const

const manySideOf = (manyCollection: string, manyField: string, key: ForeignKey | undefined) => ({
  manyCollection,
  manyField,
  ...(key?.columns === undefined ? {} : { manyColumns: key.columns }),
})

const constraintOf = ({ name, onDelete, onUpdate }: ForeignKey) => ({ name, onDelete, onUpdate })

/** If several constraints cover one column, the first by name is used. */
const firstPerColumn = (keys: readonly ForeignKey[]): readonly ForeignKey[] =>
  keys.filter((key, index) => keys.findIndex((other) => other.column === key.column) === index)

/** The relation of a metadata row, or the reason why the row is invalid. */
function toRelation(row: MetadataRow, tables: ReadonlyMap<string, Table>): Relation | string {
  const many = tables.get(textAt(row, 'many_collection') ?? '')
  const field = textAt(row, 'many_field')
  if (many === undefined || field === null) return 'its collection is not there'
  const constraint = many.foreignKeys.find((key) => key.column === field)
  if (!hasColumn(many, field) && constraint === undefined) return 'its field is not there'
  const shared = {
    id: typeof row['id'] === 'number' ? row['id'] : null,
    ...manySideOf(many.name, field, constraint),
    junctionField: columnNamed(many, textAt(row, 'junction_field')),
    sortField: columnNamed(many, textAt(row, 'sort_field')),
    deselectAction: row['one_deselect_action'] === 'delete' ? ('delete' as const) : ('nullify' as const),
  }
  const one = textAt(row, 'one_collection')
  if (one === null) return constraint === undefined ? toAny(row, shared, tables) : 'its field has a foreign key'
  if (constraint !== undefined && constraint.table !== one) return 'its foreign key leads to another collection'
  const target = tables.get(one)
  if (target === undefined) return 'the collection it leads to is not there'
  if (target.keyColumns.length === 0) return 'the collection it leads to has no key'
  return {
    ...shared,
    oneCollection: one,
    oneField: textAt(row, 'one_field'),
    oneCollectionField: null,
    oneAllowedCollections: null,
    constraint: constraint === undefined ? null : constraintOf(constraint),
  }
}

type Shared = Pick<
  Relation,
  'id' | 'manyCollection' | 'manyField' | 'manyColumns' | 'junctionField' | 'sortField' | 'deselectAction'
>

function toAny(row: MetadataRow, shared: Shared, tables: ReadonlyMap<string, Table>): Relation | string {
  const collectionField = textAt(row, 'one_collection_field')
  const many = tables.get(shared.manyCollection)
  if (many === undefined || collectionField === null || !hasColumn(many, collectionField)) {
    return 'the field that names its collection is not there'
  }
  const allowed = listAt(row, 'one_allowed_collections').filter((name) => tables.has(name))
  if (allowed.length === 0) return 'none of its collections is there'
  return {
    ...shared,
    oneCollection: null,
    oneField: null,
    oneCollectionField: collectionField,
    oneAllowedCollections: allowed,
    constraint: null,
  }
}

const hasColumn = (table: Table, name: string): boolean => table.columns.some((column) => column.name === name)

const columnNamed = (table: Table, name: string | null): string | null =>
  name !== null && hasColumn(table, name) ? name : null
