/** Reads rows of users and roles for SCIM, and finds them by their ids. */

import { covers, forbidden, isUnlimited, rulesFor, visibleView } from '../authz/grants.ts'
import { notFound } from '../core/rows/keys.ts'
import { readBack, readItemRows, readItems } from '../core/rows/read-items.ts'
import { keysAmong, mayEver, seenKeys } from '../core/rows/seen-rows.ts'
import type { Context } from '../domain/ports/context.ts'
import { type Row, toRows } from '../domain/ports/row-store.ts'
import { type Filter, matchAll, or } from '../domain/query/filter.ts'
import type { Key } from '../domain/query/key.ts'
import type { Page, Query, Selection } from '../domain/query/query.ts'
import { ownFields, rowsOf } from '../domain/query/rows-of.ts'
import type { Action } from '../domain/rights/actor.ts'
import { coreView } from '../domain/schema/core-view.ts'
import { withIds } from './attributes.ts'

/** What is common to users and groups. `live`: rows that exist for SCIM. */
export type Resource = {
  readonly collection: 'platform_users' | 'platform_roles'
  /** The column with the id of the identity provider. */
  readonly external: string
  /** Limits a search by external id to rows whose `column` refers to SCIM; null = all rows. */
  readonly named: { readonly column: string; readonly filter: Filter } | null
  readonly live: Filter
  readonly select: (ctx: Context, wants: (attribute: string) => boolean) => Selection
}

/** Core names and exact values in place of those of this generation. */
const inCore = (ctx: Context): Context => ({ ...ctx, view: coreView(ctx.schema) })

/** The same, for look-ups whose result the caller does not see. */
const asServer = (ctx: Context): Context => ({ ...inCore(ctx), actor: { kind: 'system' } })

/** The fields that the caller may read. */
export function readable(ctx: Context, collection: string, names: readonly string[]): readonly string[] {
  const fields = visibleView(inCore(ctx)).byCore.get(collection)?.byCore
  return names.filter((name) => fields?.has(name) === true)
}

/** Throws `forbidden` unless a rule allows the action on some rows. */
export function assertOpen(ctx: Context, { collection }: Resource, action: Action): void {
  const isOpen =
    action === 'read' && !isUnlimited(ctx.actor)
      ? visibleView(inCore(ctx)).byCore.has(collection)
      : mayEver(ctx, action, { name: collection })
  if (!isOpen) throw forbidden(action, collection)
}

const everything = () => true
const noAttributes = () => false
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
  const result = await readItems(inCore(ctx), query, resource.live)
  return { rows: page.limit === 0 ? [] : toRows(result), total: result.counts.filtered ?? result.rowCount }
}

/** The row with this id; an `externalId` wins over the id of another row. */
export async function readOne(
  ctx: Context,
  resource: Resource,
  id: string,
  wants: (name: string) => boolean,
): Promise<Row> {
  assertOpen(ctx, resource, 'read')
  const rows = await readItemRows(inCore(ctx), queryById(ctx, resource, id, wants), resource.live)
  return preferred(rows, resource, id)
}

/**
 * The row for a change of it: its id, and those columns that the caller may read. A row that the caller can neither read
 * nor change is missing, whatever it holds.
 */
export async function findOne(ctx: Context, resource: Resource, id: string, action: Action): Promise<Row> {
  assertOpen(ctx, resource, action)
  const server = asServer(ctx)
  const rows = await readItemRows(server, queryById(server, resource, id, noAttributes), resource.live)
  const seen = await seenIds(ctx, resource.collection, rows)
  const { id: key } = preferred(
    rows.filter((row) => seen.has(String(row['id']))),
    resource,
    id,
  )
  return { ...(await readWritten(ctx, resource, String(key), ownColumns)), id: key }
}

/** The rows that the caller can read or change. */
async function seenIds(ctx: Context, collection: string, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  const cached = ctx.schema.collections.get(collection)
  const keys = rows.map((row) => String(row['id']))
  return cached === undefined ? new Set() : seenKeys(inCore(ctx), cached, keys)
}

/** Who may not read external ids finds rows by their own ids only. */
function queryById(ctx: Context, resource: Resource, id: string, wants: (name: string) => boolean): Query {
  const { collection, external, named } = resource
  const existing = readable(ctx, collection, [external]).length > 0 ? external : null
  const among = named !== null && readable(ctx, collection, [named.column]).length > 0 ? named.filter : matchAll
  const query = rowsOf(collection, resource.select(ctx, wants), { filter: withIds(existing, [id], among), limit: 2 })
  return { ...query, sort: byNumber }
}

function preferred(rows: readonly Row[], { collection, external }: Resource, id: string): Row {
  const row = rows.find((each) => each[external] === id) ?? rows[0]
  if (row === undefined) throw notFound(collection)
  return row
}

/** The written row as the caller may read it; null if it may not. */
export async function readWritten(
  ctx: Context,
  resource: Resource,
  key: Key,
  wants: (name: string) => boolean = everything,
): Promise<Row | null> {
  const result = await readBack(inCore(ctx), [key], rowsOf(resource.collection, resource.select(ctx, wants)))
  return result === null ? null : (toRows(result)[0] ?? null)
}

const users = 'platform_users'

/** Ids of all users that match, whatever the caller may read; their changes are checked when they are written. */
export async function findUsers(ctx: Context, filter: Filter): Promise<readonly string[]> {
  const rows = await readItemRows(asServer(ctx), rowsOf(users, ownFields('id'), { filter }))
  return rows.map(({ id }) => String(id))
}

/**
 * Users that match, of those whose role the caller may read or write: whether others match is not for the caller to find
 * out.
 */
export async function findMembers(ctx: Context, filter: Filter, fields: readonly string[]): Promise<readonly Row[]> {
  const collection = ctx.schema.collections.get(users)
  const rows = await readItemRows(asServer(ctx), rowsOf(users, ownFields(...fields), { filter }))
  if (isUnlimited(ctx.actor) || collection === undefined) return rows
  const rules = (['read', 'update'] as const).flatMap((action) => rulesFor(ctx.actor, users, action))
  const open = or(...rules.filter((rule) => covers(rule, 'role')).map((rule) => rule.filter))
  const keys = await keysAmong(ctx, collection, { keys: rows.map(({ id }) => String(id)), rows: open })
  return rows.filter(({ id }) => keys.has(String(id)))
}
