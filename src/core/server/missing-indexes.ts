/** Columns that requests look rows up by, and that no index begins with. */
import { toRules } from '../../authz/rules.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { findAllPermissions } from '../../sql/statements/accounts/access.ts'
import { findIndexedTables, type IndexedTable } from '../../sql/statements/operation/examinations.ts'

export type MissingIndex = {
  readonly table: string
  readonly column: string
  /** An estimate. */
  readonly rows: number
  /** What looks rows up by it, for people. */
  readonly uses: readonly string[]
}

/** Below this number of rows, reading all of them is as fast. */
const leastRows = 1000

type Use = { readonly collection: string; readonly field: string; readonly use: string }

/** The missing indexes, of the largest tables first. */
export async function findMissingIndexes(db: Database, schema: Schema): Promise<readonly MissingIndex[]> {
  const tables = new Map((await findIndexedTables(db)).map((each) => [each.table, each]))
  const { rules, origins } = toRules(await findAllPermissions(db), schema)
  const ofRules = rules.flatMap((rule) =>
    usesOf(rule.filter, rule.collection, `permission ${origins.get(rule)?.id ?? ''} (${rule.action})`),
  )
  const uses = [...usesOfRelations(schema), ...ofRules]
  const byColumn = Map.groupBy(uses, ({ collection, field }) => `${collection}\0${field}`)
  const missing = [...byColumn.values()].flatMap((each) => missingFor(each, schema, tables))
  return missing.toSorted((a, b) => b.rows - a.rows || (a.table < b.table ? -1 : 1))
}

function missingFor(
  uses: readonly Use[],
  schema: Schema,
  tables: ReadonlyMap<string, IndexedTable>,
): readonly MissingIndex[] {
  const [first] = uses
  const collection = first === undefined ? undefined : schema.collections.get(first.collection)
  const column = first === undefined ? undefined : collection?.fields.get(first.field)?.column
  const table = tables.get(collection?.table?.name ?? '')
  if (column == null || table === undefined || table.rows < leastRows || table.leading.includes(column.name)) return []
  const names = [...new Set(uses.map(({ use }) => use))]
  return [{ table: table.table, column: column.name, rows: Math.round(table.rows), uses: names }]
}

/** The rows that refer to a row are looked up by reads through the relation, and by each deletion of the row. */
function usesOfRelations({ collections }: Schema): readonly Use[] {
  return [...collections.values()].flatMap((collection: Collection) =>
    [...collection.fields.values()].flatMap(({ name, relation }): readonly Use[] =>
      relation?.kind === 'many-to-one'
        ? [{ collection: collection.name, field: name, use: `the relation to ${relation.collection}` }]
        : [],
    ),
  )
}

/** Comparisons that an index can answer, at every level of the condition. */
function usesOf(filter: Filter, collection: string, use: string): readonly Use[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap((each) => usesOf(each, collection, use))
    case 'related':
      return usesOf(filter.filter, filter.collection, use)
    case 'compare':
      return filter.operand.kind === 'field' && searchable.has(filter.operator)
        ? [{ collection, field: filter.operand.field, use }]
        : []
    default:
      return []
  }
}

const searchable: ReadonlySet<string> = new Set(['eq', 'in', 'lt', 'lte', 'gt', 'gte', 'between'])
