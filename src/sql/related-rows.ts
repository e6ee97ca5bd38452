/** Statements around nested writes: the rows they are about, locked, and the revisions that belong together. */
import { hashText } from '../domain/hash-text.ts'
import type { Collection } from '../domain/schema.ts'
import { columnType, fieldOf } from './build.ts'
import type { Dialect } from './dialect.ts'
import { dialectOf } from './dialects.ts'
import type { WriteContext } from './write.ts'

/** Rows that point at others: by which field, at which keys. */
export type Foreign = { readonly field: string; readonly parents: readonly (string | number)[] }

/** A row's key and some of its fields, as the database writes them. */
export type LockedRow = { readonly key: string; readonly fields: ReadonlyMap<string, string | null> }

/** What to lock, and which fields to read of it. */
export type LockRequest = {
  readonly keys: readonly (string | number)[]
  readonly foreign: readonly Foreign[]
  readonly fields: readonly string[]
}

/** Locks rows until the end of the transaction; those that are not there are left out. No right is asked for. */
export async function lockRows(
  ctx: WriteContext,
  collection: Collection,
  { keys, foreign, fields }: LockRequest,
): Promise<readonly LockedRow[]> {
  const dialect = dialectOf(ctx.db)
  const primaryKey = fieldOf(collection, collection.primaryKey)
  const values = [keys, ...foreign.map(({ parents }) => parents)]
  const list = (position: number, field: string) =>
    dialect.castList(dialect.placeholder(position), columnType(fieldOf(collection, field)))
  const text = dialect.writes.lock({
    table: tableName(dialect, collection),
    key: columnName(dialect, collection, primaryKey.name),
    columns: fields.map((field) => columnName(dialect, collection, field)),
    keys: list(1, primaryKey.name),
    foreign: foreign.map(({ field }, index) => ({
      column: columnName(dialect, collection, field),
      parents: list(index + 2, field),
    })),
  })
  const { rows } = await ctx.db.run({ text, values, rows: 'array' })
  return rows.map((row) => {
    const [key, ...texts] = row as readonly [string, ...(readonly (string | null)[])]
    return { key, fields: new Map(fields.map((field, index) => [field, texts[index] ?? null])) }
  })
}

/** The highest number in `field` among the rows of each parent, by the parent's key as text. */
export async function highestNumbers(
  ctx: WriteContext,
  collection: Collection,
  { field, foreign }: { readonly field: string; readonly foreign: Foreign },
): Promise<ReadonlyMap<string, number>> {
  const dialect = dialectOf(ctx.db)
  const type = columnType(fieldOf(collection, foreign.field))
  const text = dialect.writes.highest({
    table: tableName(dialect, collection),
    column: columnName(dialect, collection, field),
    foreign: {
      column: columnName(dialect, collection, foreign.field),
      parents: dialect.castList(dialect.placeholder(1), type),
    },
  })
  const { rows } = await ctx.db.run({ text, values: [foreign.parents], rows: 'array' })
  return new Map((rows as readonly (readonly [string, string | null])[]).map(([key, value]) => [key, Number(value)]))
}

/** Two items that were written, the second on behalf of the first. */
export type RevisionLink = readonly [collection: string, item: string, parentCollection: string, parentItem: string]

/** Hangs the revisions of one mutation together. */
export async function linkRevisions(ctx: WriteContext, links: readonly RevisionLink[]): Promise<void> {
  const dialect = dialectOf(ctx.db)
  const revisions = ctx.schema.collections.get('platform_revisions')
  if (revisions === undefined || links.length === 0) return
  const text = dialect.writes.linkRevisions(tableName(dialect, revisions), dialect.placeholder(1))
  const name = dialect.preparedNames ? { name: `l${hashText(text)}` } : {}
  await ctx.db.run({ text, values: [JSON.stringify(links)], ...name })
}

function tableName({ quote }: Dialect, { table, name }: Collection): string {
  if (table === null) throw new Error(`Collection ${name} holds no rows`)
  return `${table.schema === null ? '' : `${quote(table.schema)}.`}${quote(table.name)}`
}

function columnName({ quote }: Dialect, collection: Collection, name: string): string {
  const { column } = fieldOf(collection, name)
  if (column === null) throw new Error(`Field ${collection.name}.${name} has no column`)
  return quote(column.name)
}
