/** The items that activity and revisions name: users, roles, files and folders by their integers. */

import { keysOfNumbers, numbersOf } from '../../core/items/identity-keys.ts'
import { readItems } from '../../core/rows/read-items.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { toRows } from '../../domain/ports/row-store.ts'
import { compare } from '../../domain/query/filter.ts'
import type { Query, Selected } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import { readCollection } from '../model/collection-names.ts'
import type { Parameters } from '../wire/query.ts'
import type { Rows } from '../wire/serialize.ts'

type Row = { readonly [name: string]: unknown }

/** Key under which a row carries its collection, whatever fields were requested. */
export const ownCollection = 'tandem_collection'

/** Key under which a row carries its own key. */
export const ownId = 'tandem_id'

const marks: readonly Selected[] = [
  { kind: 'field', key: ownCollection, field: 'collection' },
  { kind: 'field', key: ownId, field: 'id' },
]

/** With what `withItemNumbers` needs. */
export const marked = (query: Query): Query => ({ ...query, selection: [...query.selection, ...marks] })

/** Reads rows of the history with the integers of their items; each row carries its collection. */
export async function readRecorded(ctx: ReadContext, query: Query): Promise<{ rows: readonly Row[]; items: Rows }> {
  const items = await readItems(ctx, marked(query))
  return { rows: await showItems(ctx, toRows(items)), items }
}

const isMarked = ({ selection }: Query): boolean => marks.every((mark) => selection.includes(mark))

/** The rows with the integers of their items, if the query is marked. `keys`: those under which items stand. */
export async function withItemNumbers(
  ctx: Pick<Context, 'db' | 'schema' | 'view'>,
  query: Query,
  items: Rows,
  keys: readonly string[] = ['item'],
): Promise<Rows> {
  if (!isMarked(query)) return items
  const rows = await showItems(ctx, toRows(items), keys)
  return { ...items, pieces: [JSON.stringify(rows.map(unmarked))] }
}

async function showItems(
  ctx: Pick<Context, 'db' | 'schema' | 'view'>,
  rows: readonly Row[],
  keys: readonly string[] = ['item'],
): Promise<readonly Row[]> {
  const items = rows.map((row) => (isIdentityCollection(readCollection(ctx, String(row[ownCollection]))) ? keys : []))
  const numbers = await numbersOf(
    ctx,
    rows.flatMap((row, at) => (items[at] ?? []).flatMap((key) => (typeof row[key] === 'string' ? [row[key]] : []))),
  )
  const shown = (item: unknown): string => String(numbers.get(String(item)) ?? item)
  return rows.map((row, at) => ({
    ...row,
    ...Object.fromEntries((items[at] ?? []).flatMap((key) => (key in row ? [[key, shown(row[key])]] : []))),
  }))
}

/** Removes the collection and the key that a row carries. */
export const unmarked = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== ownCollection && name !== ownId))

/** Converts the integers of a filter on items of one collection: `filter[collection]=…&filter[item]=1`. */
export async function withStoredItems(
  ctx: Pick<Context, 'db' | 'schema' | 'view' | 'actor' | 'ids'>,
  parameters: Parameters,
): Promise<Parameters> {
  const { filter } = parameters
  if (typeof filter !== 'object' || filter === null) return parameters
  const { collection, item } = filter as Row
  const written = typeof collection === 'string' ? collection : only(collection, ['eq', '='])
  const name = written === null ? null : readCollection(ctx, written)
  const input = typeof item === 'string' ? item : only(item, ['eq', '=', 'in'])
  if (name === null || input === null || !isIdentityCollection(name)) return parameters
  const keys = await storedItems(ctx, name, input.split(','))
  return { ...parameters, filter: { ...filter, item: { in: keys.join(',') } } }
}

/** The keys of rows by their integers; a row that is not there keeps its integer, which matches nothing. */
export async function storedItems(
  ctx: Pick<Context, 'db' | 'actor' | 'ids'>,
  name: string,
  items: readonly string[],
): Promise<readonly string[]> {
  const existing = items.every((item) => /^\d{1,9}$/.test(item)) && isIdentityCollection(name)
  if (!existing) return items
  return (await keysOfNumbers(ctx, { collection: name, action: 'read' }, items)).map(String)
}

/** The operand of the only operator, if it is one of these. */
function only(condition: unknown, operators: readonly string[]): string | null {
  if (typeof condition !== 'object' || condition === null) return null
  const [[operator, operand] = [], ...more] = Object.entries(condition)
  return more.length === 0 && operators.includes(String(operator)) && typeof operand === 'string' ? operand : null
}

/** Names of the fields about the revision of the item in whose write this one was nested. */
const parentFields = ['parent_collection', 'parent_item', 'parent_changed'] as const

/** Replaces the numbers of parent revisions by their requested fields, as far as the caller may read them. */
export async function withParents(ctx: ReadContext, rows: readonly Row[]): Promise<readonly Row[]> {
  const parentOf = (row: Row): number | null => {
    const value = parentFields.map((name) => row[name]).find((each) => each !== undefined && each !== null)
    return typeof value === 'number'
      ? value
      : typeof value === 'object'
        ? Number((value as Row | undefined)?.['id'])
        : null
  }
  const values = [...new Set(rows.map(parentOf))].filter((each) => each !== null)
  const parents = new Map((values.length === 0 ? [] : await readParents(ctx, values)).map((row) => [row['id'], row]))
  return rows.map((row) => {
    const parent = parents.get(parentOf(row))
    const facts: Row = {
      parent_collection: parent?.['collection'] ?? null,
      parent_item: parent?.['item'] ?? null,
      parent_changed: parent !== undefined && Object.keys(parent['delta'] ?? {}).length > 0,
    }
    const wanted = parentFields.filter((name) => name in row).map((name) => [name, facts[name]] as const)
    return { ...row, ...Object.fromEntries(wanted) }
  })
}

async function readParents(ctx: ReadContext, values: readonly number[]): Promise<readonly Row[]> {
  const names = ['id', 'collection', 'item', 'delta']
  const filter = compare('id', 'in', values)
  const shown = ctx.view.byCore.get('platform_revisions')?.byCore
  const selection = names.flatMap((key): Selected[] => (shown?.has(key) ? [{ kind: 'field', key, field: key }] : []))
  const query = { ...rowsOf('platform_revisions', selection), filter }
  return (await readRecorded(ctx, query)).rows
}
