/** Creates the items that are not there, and updates the others. */

import type { Context } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import { isDynamic, type Value } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { invalidPayload, invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { keyFromText } from '../rows/keys.ts'
import { withTransaction } from '../rows/transaction.ts'
import { toStored } from '../rows/values.ts'
import { writeItems } from './items.ts'

/**
 * `fields`: those of a unique index, which say whether an item is there. `assertFound` refuses items that are there; they
 * are locked.
 */
export type Upsert = {
  readonly collection: Collection
  readonly items: readonly Changes[]
  readonly fields: readonly string[]
  readonly assertFound?: (ctx: Context, keys: readonly Key[]) => Promise<void>
}

const mostAttempts = 4

/**
 * Writes the items in one transaction. Those that are there are locked and updated with the rights of an update, the
 * others are created with those of a create; history says what each was. Returns the keys in the order of the items. If
 * another transaction creates one of them meanwhile, the work is repeated and updates it.
 */
export async function upsertItems(ctx: Context, upsert: Upsert): Promise<readonly Key[]> {
  const keyed = keyedRows(upsert)
  let before = -1
  for (let attempt = 1; ; attempt += 1) {
    let existing = 0
    try {
      return await withTransaction(ctx, async (inner) => {
        const keys = await inner.rows.conflicting(inner, upsert.collection, keyed)
        existing = keys.size
        const items = placed(keyed, keys)
        assertOncePerItem(items)
        return writeFound(inner, upsert, items)
      })
    } catch (error) {
      if (attempt >= mostAttempts || !isTaken(error) || existing <= before) throw error
      before = existing
    }
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof TandemError && error.failures.some(({ kind }) => kind === 'not-unique')

type LookedUpRows = {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** The positions of the items that the rows are of. */
  readonly positions: readonly number[]
}

/** Items without a value in one of the columns are new: nulls are not equal to each other. */
function keyedRows({ collection, items, fields }: Upsert): LookedUpRows {
  const columns = assertUnique(collection, fields)
  const rows: Row[] = []
  const positions: number[] = []
  for (const [position, changes] of items.entries()) {
    const values = columns.map((name) => [name, valueOf(collection, changes, name)] as const)
    if (values.some(([, value]) => value === null)) continue
    rows.push(Object.fromEntries(values))
    positions.push(position)
  }
  return { columns, rows, positions }
}

/** The columns of the unique index over these fields. */
function assertUnique({ name, uniqueKeys = [], keyColumns }: Collection, fields: readonly string[]): readonly string[] {
  const names = new Set(fields)
  const isSame = (columns: readonly string[]): boolean =>
    columns.length === names.size && columns.every((column) => names.has(column))
  const uniqueKey = uniqueKeys.find(isSame)
  if (uniqueKey !== undefined && keyColumns.length > 0) return uniqueKey
  const received = fields.map((each) => `"${each}"`).join(', ')
  throw invalidQuery(
    'on_conflict',
    `Expected the fields of a unique index of "${name}" for "on_conflict" but received ${received}`,
  )
}

function valueOf(collection: Collection, changes: Changes, name: string): unknown {
  const change = changes.get(name)
  const field = collection.fields.get(name)
  if (change === undefined || field === undefined) return null
  if (change.kind !== 'value' || isDynamic(change.value as Value)) {
    throw invalidPayload(name, `Expected a plain value for "${name}", which "on_conflict" names`)
  }
  return toStored(collection, field, change.value)
}

/** Otherwise the last would win, and one item would be the answer to several. */
function assertOncePerItem(keys: ReadonlyMap<number, string>): void {
  const positions = new Map<string, number>()
  for (const [position, key] of [...keys].toSorted(([left], [right]) => left - right)) {
    const first = positions.get(key)
    if (first !== undefined) {
      const reason = `Expected each item once for "on_conflict" but received one at ${first} and at ${position}`
      throw invalidPayload('on_conflict', reason)
    }
    positions.set(key, position)
  }
}

const placed = ({ positions }: LookedUpRows, keys: ReadonlyMap<number, string>): ReadonlyMap<number, string> =>
  new Map([...keys].map(([at, key]) => [positions[at] as number, key]))

/** The fields of the index say which item is meant, and stay as they are. */
async function writeFound(
  ctx: Context,
  { collection, items, fields, assertFound }: Upsert,
  existing: ReadonlyMap<number, string>,
): Promise<readonly Key[]> {
  const { name } = collection
  const keys: Key[] = []
  const updated = [...existing].map(([position, text]) => {
    const key = keyFromText(collection, text)
    keys[position] = key
    const changes = new Map([...(items[position] as Changes)].filter(([field]) => !fields.includes(field)))
    return { key, changes }
  })
  const others = [...items.keys()].filter((position) => !existing.has(position))
  await assertFound?.(
    ctx,
    updated.map(({ key }) => key),
  )
  if (updated.length > 0) await writeItems(ctx, { kind: 'update-each', collection: name, items: updated })
  if (others.length === 0) return keys
  const created = others.map((position) => items[position] as Changes)
  const newKeys = await writeItems(ctx, { kind: 'create', collection: name, items: created })
  for (const [at, position] of others.entries()) keys[position] = newKeys[at] as Key
  return keys
}
