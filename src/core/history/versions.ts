/** Content versions: changes of an item that are stored separately until they are promoted. */

import { authorizeMutation, authorizeQuery } from '../../authz/authorize.ts'
import { findReadGrant, isUnlimited, rulesFor } from '../../authz/grants.ts'
import { withinRow } from '../../authz/within-row.ts'
import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import { and, matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes } from '../../domain/query/mutation.ts'
import type { Query, Selection, Wildcard } from '../../domain/query/query.ts'
import type { Actor, Rule } from '../../domain/rights/actor.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { type Delta, type SaveMode, saveDelta } from '../../sql/statements/versions.ts'
import { writeItems } from '../items/items.ts'
import { holdsRelated } from '../related/write-run.ts'
import { checkAny } from '../rows/check-many-to-any.ts'
import { hasRow, isVisible } from '../rows/has-row.ts'
import { isHashed } from '../rows/hashed-values.ts'
import { keyFilter, notFound } from '../rows/keys.ts'
import { lookUp } from '../rows/look-ups.ts'
import { noteRead, readItem } from '../rows/read-items.ts'
import { rolledBack, withTransaction } from '../rows/transaction.ts'
import { toStored } from '../rows/values.ts'
import { digestItem, versionsCollection } from '../rows/versioned.ts'
import { assertKeepsKey, withoutOwnKey } from '../rows/write-batch.ts'
import { toRow, withoutMasks } from '../rows/write-rows.ts'
import { savedRelations } from './saved-relations.ts'
import { fromDelta, relatedFields, toDelta } from './version-changes.ts'
import { noteSave } from './version-history.ts'
import { findVersion, hasVersion, openVersion, type Version } from './version-rows.ts'

/** Names by which previews ask for the item itself if it has no version of that name. */
const previews: ReadonlySet<string> = new Set(['draft', 'published'])

/** `raw`: changes of related items are shown as they were saved, as far as `savedRelations` allows. */
export type VersionChoice = { readonly name: string; readonly raw: boolean }

/** The item with the changes of the version, as JSON text. Throws `item-not-found` if it does not exist or is not visible. */
export async function readVersionedItem(
  ctx: Context,
  query: Query,
  key: Key,
  { name, raw }: VersionChoice,
): Promise<string> {
  const collection = ctx.schema.collections.get(query.collection)
  if (collection?.table == null) throw notFound(query.collection)
  if (previews.has(name) && !(await hasVersion(ctx, collection, key, name))) return readItem(ctx, query, key)
  return readVersion(ctx, await findVersion(ctx, collection, key, name), query, raw)
}

/**
 * Reads the item with the version's values in one statement. Related items are written before it, in a transaction that is
 * rolled back. The caller sees fields that it may read both in the stored item and in the version.
 */
async function readVersion(ctx: Context, version: Version, query: Query, raw = false): Promise<string> {
  const { collection, key, delta } = version
  if (!(await isVisible(ctx, collection, key))) throw notFound(collection.name)
  const actor = await actorWithin(ctx, collection, key)
  const changes = fromDelta(ctx.schema, collection, delta)
  if (!holdsRelated(changes)) return readOverlaid({ ...ctx, actor }, version, query)
  const saved = raw ? savedRelations(ctx, collection, changes) : null
  if (saved !== null) return withSaved(await readOverlaid({ ...ctx, actor }, version, query), saved)
  const previewed = await rolledBack({ ...ctx, actor }, async (inner) =>
    (await isWritten(inner, version, changes)) ? readOverlaid(inner, version, query) : null,
  )
  return previewed ?? readOverlaid({ ...ctx, actor }, version, query)
}

/** The item with the saved changes in place of its related items, where those were selected. */
function withSaved(item: string, saved: Row): string {
  const shown = parseExactly(item) as Row
  const selected = Object.entries(saved).filter(([name]) => Object.hasOwn(shown, name))
  return JSON.stringify({ ...shown, ...Object.fromEntries(selected) })
}

/** Writes the changes of related items. False if they no longer fit: then the item is shown with its stored ones. */
async function isWritten(ctx: Context, { collection, key, delta }: Version, changes: Changes): Promise<boolean> {
  const limits = { ...ctx.limits, batch: null }
  const fitting = overlayOf(collection, delta)
  const isTaken = ([name, { kind }]: readonly [string, Change]): boolean =>
    kind !== 'value' || Object.hasOwn(fitting, collection.fields.get(name)?.column?.name ?? '')
  try {
    await writeItems(
      { ...ctx, limits, actor: { kind: 'system' } },
      {
        kind: 'update',
        collection: collection.name,
        target: { kind: 'keys', keys: [key] },
        changes: new Map([...changes].filter(isTaken)),
      },
    )
    return true
  } catch (error) {
    if (error instanceof TandemError && error.failures[0].kind !== 'unavailable') return false
    throw error
  }
}

async function readOverlaid(ctx: Context, { collection, key, delta }: Version, query: Query): Promise<string> {
  const [row = {}] = await ctx.rows.toStored(ctx, collection, [overlayOf(collection, delta)])
  const overlay = { key, row }
  const wanted: Query = { ...query, page: { limit: 1, offset: 0 }, aggregation: null, counts: [], overlay }
  const { distinct: _distinct, ...one } = wanted
  const authorized = authorizeQuery(ctx, one, keyFilter(collection, key))
  noteRead(ctx, query)
  const shown = await ctx.rows.readOne(ctx, authorized)
  if (shown === null) throw notFound(collection.name)
  return shown.json
}

/** The actor restricted to the fields that it may read in the stored row, because rules may depend on row values. */
async function actorWithin(ctx: ReadContext, collection: Collection, key: Key): Promise<Actor> {
  const rules = isUnlimited(ctx.actor) ? [] : rulesFor(ctx.actor, collection.name, 'read')
  if (rules.length <= 1) return ctx.actor
  const met = new Set<Rule>()
  for (const rule of rules) {
    if (await hasRow(ctx, collection, and(keyFilter(collection, key), rule.filter))) met.add(rule)
  }
  return withinRow(ctx.actor, collection.name, met)
}

/** The column values of a version. Values that no longer fit their column are replaced by the stored ones. */
function overlayOf(collection: Collection, delta: Delta): { readonly [column: string]: unknown } {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(delta)) {
    const field = collection.fields.get(name)
    if (field?.column == null || !isKept(field)) continue
    try {
      row[field.column.name] = toStored(collection, field, value)
    } catch (error) {
      if (!(error instanceof TandemError)) throw error
    }
  }
  return row
}

/** Whether a field can be stored in a version. Secrets cannot. */
const isKept = (field: Field): boolean =>
  !field.concealed && field.type !== 'hash' && !isHashed(field) && field.column?.primaryKey !== true

/** The differences between version and item, as JSON text. `query` selects what is shown of the item. */
export async function compareVersion(
  ctx: Context,
  id: Key,
  queryOf: (collection: Collection) => Query,
): Promise<string> {
  const version = await openVersion(ctx, id)
  const { collection, key, delta, hash } = version
  const wanted = queryOf(collection)
  const related = changedRelations(ctx, collection, delta)
  const query: Query = { ...wanted, selection: [...wanted.selection, ...related] }
  const main = await readItem(ctx, query, key)
  const selection = [...changedFields(ctx, collection, delta), ...related]
  const current = selection.length === 0 ? '{}' : await readVersion(ctx, version, { ...query, selection })
  const mainHash = await digestItem(ctx, collection, key)
  return `{"outdated":${hash !== mainHash},"mainHash":"${mainHash}","current":${current},"main":${main}}`
}

/** The changed fields that the caller may read, in the names of its view. */
function changedFields(
  ctx: Pick<Context, 'schema' | 'view' | 'actor'>,
  collection: Collection,
  delta: Delta,
): Selection {
  const readable = findReadGrant(ctx.actor, ctx.schema, collection.name)?.fields
  const names = ctx.view.byCore.get(collection.name)?.byCore
  return Object.keys(delta).flatMap((field) => {
    const key = names?.get(field)?.name
    return key === undefined || readable?.has(field) !== true ? [] : [{ kind: 'field', key, field } as const]
  })
}

/** The changed related items with their values; those of a junction with the items on its other side. */
function changedRelations(ctx: Pick<Context, 'schema'>, collection: Collection, delta: Delta): Selection {
  const changes = fromDelta(ctx.schema, collection, delta)
  const all: Wildcard = { kind: 'wildcard', aliases: true, except: [], nested: null }
  return [...changes].flatMap(([name, { kind }]) => {
    const relation = collection.fields.get(name)?.relation
    if (kind === 'value' || relation == null) return []
    const isJunction = relation.kind === 'one-to-many' && relation.junctionField !== null
    const nested = [isJunction ? { ...all, nested: [all] } : all]
    return [{ ...all, nested, except: [...collection.fields.keys()].filter((field) => field !== name) }]
  })
}

export type SavePlan = {
  readonly changes: (collection: Collection) => Changes
  readonly query: (collection: Collection) => Query
}

/**
 * Stores changes in the version. They are authorized and validated like an update of the item. Concurrent saves are
 * merged. Returns the item with all saved changes, as JSON text.
 */
export async function saveVersion(ctx: Context, id: Key, plan: SavePlan): Promise<string> {
  const version = await openVersion(ctx, id)
  const { collection, key } = version
  const query = plan.query(collection)
  if (!(await isVisible(ctx, collection, key))) throw notFound(collection.name)
  const delta = await checkedDelta(ctx, version, withoutMasks(collection, plan.changes(collection)))
  return readVersion(ctx, { ...version, delta: await keepDelta(ctx, version, delta, 'merge') }, query)
}

/** Restores the version to an earlier state, replacing later saves. */
export async function restoreVersion(ctx: Context, id: Key, earlier: Delta): Promise<void> {
  const version = await openVersion(ctx, id)
  const { collection, key } = version
  const changes = fromDelta(ctx.schema, collection, earlier)
  if (!(await isVisible(ctx, collection, key))) throw notFound(collection.name)
  const cache = new Map(
    [...changes].filter(([name]) => {
      const field = collection.fields.get(name)
      return field !== undefined && isKept(field)
    }),
  )
  await keepDelta(ctx, version, await checkedDelta(ctx, version, cache), 'replace')
}

/** The whole content of the version after the save. */
async function keepDelta(ctx: Context, version: Version, delta: Delta, mode: SaveMode): Promise<Delta> {
  const user = ctx.actor.kind === 'user' ? ctx.actor.user : null
  return withTransaction(ctx, async (inner) => {
    const data = await saveDelta(inner.db, mode, { id: version.id, delta, now: ctx.clock(), user })
    if (data === undefined) throw notFound(versionsCollection)
    await noteSave(inner, version, { delta, data })
    return data
  })
}

/** The changes to store. Throws the errors that an update of the item would throw. */
async function checkedDelta(ctx: Context, version: Version, submitted: Changes): Promise<Delta> {
  const { collection, key } = version
  const changes = withoutOwnKey(collection, submitted, key)
  const fields = [...changes.keys()].flatMap((name) => collection.fields.get(name) ?? [])
  for (const field of [...fields, ...relatedFields(ctx.schema, collection, changes)]) {
    if (!isKept(field) && field.column?.primaryKey !== true) throw secret(field.name)
  }
  // Beside a value that the database refuses, changes of related items could not be shown.
  if (holdsRelated(changes) || holdsRelated(fromDelta(ctx.schema, collection, version.delta))) {
    const target = { kind: 'keys', keys: [key] } as const
    await rolledBack(ctx, (inner) =>
      writeItems(inner, { kind: 'update', collection: collection.name, target, changes }),
    )
    return toDelta(changes)
  }
  const lookedUp = await lookUp(ctx, collection, 'update', [changes])
  const target = { kind: 'keys', keys: [key] } as const
  const mutation = { kind: 'update', collection: collection.name, target, changes } as const
  const authorized = authorizeMutation({ ...ctx, lookedUp }, mutation)
  assertKeepsKey(collection, changes)
  checkAny(ctx, collection, changes, { action: 'update', path: '' })
  const rows = and(keyFilter(collection, key), authorized.rows ?? matchAll)
  if (!(await hasRow(ctx, collection, rows))) throw notFound(collection.name)
  await toRow(ctx, authorized.changes, { collection, action: 'update', lookedUp })
  return toDelta(changes)
}

const secret = (name: string): TandemError =>
  invalidPayload(name, `Expected no secret for field "${name}": versions keep none`)
