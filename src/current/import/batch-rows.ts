/** Writes the rows of one collection of a batch; references lead to the keys that the rows of the batch get. */
import { commentsCollection } from '../../core/guards/guard-comments.ts'
import { writeComments } from '../../core/history/mentions.ts'
import { singletonKey, writeItems } from '../../core/items/items.ts'
import { comparableKey, toKey } from '../../core/rows/keys.ts'
import { inOneAttempt } from '../../core/rows/transaction.ts'
import { atPath, inPath } from '../../core/rows/write-paths.ts'
import { withDigits } from '../../domain/conditions/exact-numbers.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { parseChanges, parseCreate, parseSingleton } from '../wire/mutation.ts'
import { cyclicReferences, type Reference } from './batch-references.ts'
import { type Item, type Planned, positionOf, type Row, type Table, type Tables } from './batch-tables.ts'

/** Number of rows per write. */
const batchSize = 500

/** Writes the rows. References to rows that are not yet written wait. */
export async function writeTable(ctx: Context, plan: Planned, tables: Tables): Promise<void> {
  const { table, rows } = plan
  for (let at = 0; at < rows.length; at += batchSize) {
    const resolved = rows
      .slice(at, at + batchSize)
      .map((row) => inPath(positionOf(table, row.number), () => withReferences(plan, row, tables)))
    for (const [row, key] of await writeRows(ctx, table, resolved)) {
      // Rows of tables without a key have none that could be named.
      if (key === undefined) continue
      plan.written.set(row.number, key)
      note(table, row, key)
    }
  }
}

function withReferences({ table, waiting }: Planned, row: Row, tables: Tables): Row {
  const payload = { ...row.payload }
  const names: string[] = []
  for (const reference of table.references) {
    const { name, isNullable } = reference
    const existing = keyHere(reference, row.payload, tables)
    if (existing === undefined) continue
    if (existing !== null) payload[name] = existing
    else if (isNullable) {
      delete payload[name]
      names.push(name)
    } else throw cyclicReferences([table])
  }
  if (names.length > 0) waiting.push({ row, names })
  return { ...row, payload }
}

/** The key of the row of the batch that a value names; undefined for any other row, null if it is not yet written. */
function keyHere({ name, targetOf }: Reference, item: Item, tables: Tables): Key | null | undefined {
  const value = withDigits(item[name])
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const target = tables.get(targetOf(item) ?? '')
  if (target === undefined) return undefined
  try {
    return target.keys.get(comparableKey(target.collection, toKey(target.collection, value)))
  } catch {
    return undefined
  }
}

/** Writes rows together. If they fail, they are written one by one to find the invalid one. */
async function writeRows(ctx: Context, table: Table, rows: readonly Row[]): Promise<readonly Written[]> {
  try {
    return await inOneAttempt(ctx, (inner) => writeTogether(inner, table, rows))
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const written: Written[] = []
    for (const row of rows) {
      const one = () => inOneAttempt(ctx, (inner) => writeTogether(inner, table, [row]))
      written.push(...(await located(table, row.number, one)))
    }
    return written
  }
}

type Written = readonly [row: Row, key: Key | undefined]

async function writeTogether(ctx: Context, table: Table, rows: readonly Row[]): Promise<readonly Written[]> {
  const { collection, opened } = table
  if (collection.singleton) return writeOnly(ctx, table, rows)
  const write = collection.name === commentsCollection ? writeComments : writeItems
  const created = rows.filter(({ key }) => key === null)
  const updated = rows.filter((row): row is Row & { readonly key: Key } => row.key !== null)
  const items = created.map(({ payload }) => payload)
  const keys = items.length === 0 ? [] : await write(ctx, parseCreate(items, opened))
  if (updated.length > 0) await write(ctx, updates(table, updated))
  return [...created.map((row, at) => [row, keys[at]] as const), ...updated.map((row) => [row, row.key] as const)]
}

const updates = ({ collection, opened }: Table, rows: readonly { key: Key; payload: Item }[]): Mutation => ({
  kind: 'update-each',
  collection: collection.name,
  items: rows.map(({ key, payload }) => ({ key, changes: parseChanges(payload, opened) })),
})

async function writeOnly(
  ctx: Context,
  { collection, opened }: Table,
  rows: readonly Row[],
): Promise<readonly Written[]> {
  const [row] = rows
  if (row === undefined) return []
  const before = await singletonKey(ctx, collection.name)
  const [key] = await writeItems(ctx, parseSingleton(row.payload, opened))
  return [[{ ...row, key: before }, before ?? key] as const]
}

function note({ collection, keys, result }: Table, { receivedKey, key: before }: Row, key: Key): void {
  if (before === null) result.new.push(key)
  else result.existing.push(key)
  if (receivedKey === null) return
  const text = comparableKey(collection, receivedKey)
  keys.set(text, key)
  if (comparableKey(collection, key) !== text) result.mapped[String(receivedKey)] = key
}

export async function writeWaiting(ctx: Context, plan: Planned, tables: Tables): Promise<void> {
  const { table, waiting, written } = plan
  for (const { row, names } of waiting) {
    const key = written.get(row.number)
    if (key === undefined)
      throw invalidPayload(positionOf(table, row.number), 'Expected a key of a row that refers to later rows')
    const references = table.references.filter(({ name }) => names.includes(name))
    const values = references.flatMap((each) => [
      [each.name, keyHere(each, row.payload, tables)],
      ...(each.beside === null ? [] : [[each.beside, row.payload[each.beside]]]),
    ])
    const payload = Object.fromEntries(values) as Item
    await located(table, row.number, () => writeItems(ctx, updates(table, [{ key, payload }])))
  }
}

async function located<T>(table: Table, number: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw atPath(error, positionOf(table, number))
  }
}
