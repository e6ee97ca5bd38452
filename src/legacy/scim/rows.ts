/** Reads rows of users and roles for SCIM, and finds them by their ids. */
import { visibleView } from '../../authz/visible-view.ts'
import { notFound } from '../../core/rows/keys.ts'
import { readBack, readItemRows, readItems } from '../../core/rows/read-items.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { Change, Changes, Key } from '../../domain/query/mutation.ts'
import type { Page, Query, Selection } from '../../domain/query/query.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import type { Action } from '../../domain/rights/actor.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { type Row, toRows } from '../../sql/run/read.ts'
import { openSystemCollection } from '../wire/collections.ts'
import { withIds } from './attributes.ts'

/** What is common to users and groups. `live`: rows that exist for SCIM. */
export type Resource = {
  readonly collection: 'platform_users' | 'platform_roles'
  /** The column with the id of the identity provider. */
  readonly external: string
  readonly live: Filter
  readonly select: (ctx: Context, wants: (attribute: string) => boolean) => Selection
}

/** Core names and exact values in place of those of this generation. */
const inCore = (ctx: Context): Context => ({ ...ctx, view: coreView(ctx.schema) })

/** The same, for look-ups whose result the caller does not see. */
export const asServer = (ctx: Context): Context => ({ ...inCore(ctx), actor: { kind: 'system' } })

/** Those of the fields that the caller may read. */
export function readable(ctx: Context, collection: string, names: readonly string[]): readonly string[] {
  const fields = visibleView(inCore(ctx)).byCore.get(collection)?.byCore
  return names.filter((name) => fields?.has(name) === true)
}

/** Throws `forbidden` unless a rule allows the action on some rows. */
export const assertOpen = (ctx: Context, { collection }: Resource, action: Action): void =>
  void openSystemCollection(ctx, collection, action)

const everything = () => true
const ownColumns = (attribute: string): boolean => attribute !== 'members' && attribute !== 'groups'

const byNumber: Query['sort'] = [{ kind: 'field', path: [], field: 'number', descending: false }]

/** A page, and the number of all rows that match. */
export async function readPage(
  ctx: Context,
  resource: Resource,
  { filter, page, wants }: { readonly filter: Filter; readonly page: Page; readonly wants: (name: string) => boolean },
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> {
  assertOpen(ctx, resource, 'read')
  const query: Query = {
    ...rowsOf(resource.collection, resource.select(ctx, wants), { filter }),
    sort: byNumber,
    page,
    counts: ['filtered'],
  }
  const found = await readItems(inCore(ctx), query, resource.live)
  return { rows: page.limit === 0 ? [] : toRows(found), total: found.counts.filtered ?? found.rowCount }
}

/** The row with this id; an `externalId` wins over the id of another row. */
export async function readOne(
  ctx: Context,
  resource: Resource,
  id: string,
  wants: (name: string) => boolean = everything,
): Promise<Row> {
  assertOpen(ctx, resource, 'read')
  const rows = await readItemRows(inCore(ctx), queryById(ctx, resource, id, wants), resource.live)
  return preferred(rows, resource, id)
}

/** The columns of the same row, whatever the caller may read; only for changes of it. */
export async function findOne(ctx: Context, resource: Resource, id: string, action: Action): Promise<Row> {
  assertOpen(ctx, resource, action)
  const server = asServer(ctx)
  const query = queryById(server, resource, id, ownColumns)
  return preferred(await readItemRows(server, query, resource.live), resource, id)
}

/** Who may not read external ids finds rows by their own ids only. */
function queryById(ctx: Context, resource: Resource, id: string, wants: (name: string) => boolean): Query {
  const { collection, external } = resource
  const known = readable(ctx, collection, [external]).length > 0 ? external : null
  return rowsOf(collection, resource.select(ctx, wants), { filter: withIds(known, [id]), limit: 2 })
}

function preferred(rows: readonly Row[], { collection, external }: Resource, id: string): Row {
  const row = rows.find((each) => each[external] === id) ?? rows[0]
  if (row === undefined) throw notFound(collection)
  return row
}

/** The written row as the caller may read it; null if it may not. */
export async function readWritten(ctx: Context, resource: Resource, key: Key): Promise<Row | null> {
  const found = await readBack(inCore(ctx), [key], rowsOf(resource.collection, resource.select(ctx, everything)))
  return found === null ? null : (toRows(found)[0] ?? null)
}

/** Ids of all rows that match, whatever the caller may read; their changes are checked when they are written. */
export async function findIds(ctx: Context, collection: string, filter: Filter): Promise<readonly string[]> {
  const rows = await readItemRows(asServer(ctx), rowsOf(collection, ownFields('id'), { filter }))
  return rows.map(({ id }) => String(id))
}

/** Columns and their new values as changes. */
export const changesOf = (columns: { readonly [column: string]: string | null }): Changes =>
  new Map(Object.entries(columns).map(([name, value]): [string, Change] => [name, { kind: 'value', value }]))
