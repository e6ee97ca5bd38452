/** Keys of identity rows → the numbers that columns of older installations hold. */
import type { Row, Write } from '../../domain/ports/row-store.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { type IdentityCollection, numberedBy } from '../../domain/schema/identity.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import type { WriteContext } from './writes.ts'

/** The write with numbers in place of keys, where its columns hold numbers. */
export async function withStoredNumbers<W extends Write>(ctx: WriteContext, write: W): Promise<W> {
  if (write.kind === 'delete') return write
  const fields = numberedFields(write.collection, write.columns)
  if (fields.length === 0) return write
  if (write.kind === 'update') {
    const [row] = await toNumbers(ctx, write.collection, { fields, rows: [write.row] })
    return { ...write, row }
  }
  return { ...write, rows: await toNumbers(ctx, write.collection, { fields, rows: write.rows }) }
}

/** The rows with numbers in place of keys. A key that names no row is an invalid reference. */
export async function rowsWithNumbers(
  ctx: Pick<WriteContext, 'db'>,
  collection: Collection,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const fields = numberedFields(collection, Object.keys(rows[0] ?? {}))
  return fields.length === 0 ? rows : toNumbers(ctx, collection, { fields, rows })
}

const numberedFields = ({ fields }: Collection, columns: readonly string[]): readonly Field[] =>
  [...fields.values()].filter((field) => numberedBy(field) !== null && columns.includes(field.column?.name ?? ''))

async function toNumbers(
  { db }: Pick<WriteContext, 'db'>,
  collection: Collection,
  { fields, rows }: { readonly fields: readonly Field[]; readonly rows: readonly Row[] },
): Promise<readonly Row[]> {
  const columns = fields.flatMap((field) => {
    const [identity, column] = [numberedBy(field), field.column?.name]
    return identity === null || column === undefined ? [] : [{ field: field.name, column, identity }]
  })
  const numbers = new Map<string, ReadonlyMap<string, number>>()
  for (const identity of new Set(columns.map((column) => column.identity))) {
    const own = columns.filter((column) => column.identity === identity)
    const keys = rows.flatMap((row) => own.flatMap(({ column }) => row[column] ?? []))
    numbers.set(identity, await findNumbers(db, identity, keys))
  }
  return rows.map((row) => {
    const own = columns.flatMap(({ field, column, identity }) => {
      const key = row[column]
      if (key === null || key === undefined) return []
      const number = numbers.get(identity)?.get(key as string)
      if (number === undefined)
        throw new TandemError({ kind: 'invalid-foreign-key', collection: collection.name, field })
      return [[column, number] as const]
    })
    return { ...row, ...Object.fromEntries(own) }
  })
}

async function findNumbers(
  db: WriteContext['db'],
  identity: IdentityCollection,
  keys: readonly unknown[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map()
  const text = `select id::text as id, number from ${identity} where id = any($1::uuid[])`
  const { rows } = await db.run({ text, values: [[...new Set(keys)]] })
  return new Map(
    (rows as readonly { readonly id: string; readonly number: number }[]).map(({ id, number }) => [id, number]),
  )
}
