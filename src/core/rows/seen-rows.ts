/**
 * Finds the rows that are visible to the actor: a row that it can neither read nor update nor delete counts as missing.
 */
import { forbidden, isUnlimited, permittedRows, rulesFor } from '../../authz/grants.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { type Filter, or } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import type { Action } from '../../domain/rights/actor.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import { keyOfRow } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { readAsServer } from './has-row.ts'
import { comparableKey, hasKey, notFound } from './keys.ts'

/** The keys of matching rows, as text. It is an internal check and needs no permission for the key. */
export async function keysAmong(
  ctx: ReadContext,
  collection: Collection,
  { keys, rows }: { readonly keys: readonly Key[]; readonly rows: Filter },
): Promise<ReadonlySet<string>> {
  const query = rowsOf(collection.name, ownFields(...collection.keyColumns), { filter: rows })
  const readable = await readAsServer(ctx, query, hasKey(collection, keys))
  const names = new Set(readable.map((row) => comparableKey(collection, keyOfRow(collection, row))))
  return new Set(keys.filter((key) => names.has(comparableKey(collection, key))).map(String))
}

const touching = ['read', 'update', 'delete'] as const

/** The keys of rows that are visible to the actor, as text. */
export async function seenKeys(
  ctx: ReadContext,
  collection: Collection,
  keys: readonly Key[],
): Promise<ReadonlySet<string>> {
  const all = new Set(keys.map(String))
  if (all.size === 0 || isUnlimited(ctx.actor)) return all
  const rules = touching.flatMap((action) => rulesFor(ctx.actor, collection.name, action))
  if (rules.some(({ filter }) => filter.kind === 'all')) return all
  if (rules.length === 0) return new Set()
  return keysAmong(ctx, collection, { keys, rows: or(...rules.map(({ filter }) => filter)) })
}

/** Whether the actor has the permission for at least some rows. */
export const mayEver = (
  { actor }: Pick<Context, 'actor'>,
  action: Action,
  { name }: Pick<Collection, 'name'>,
): boolean => permittedRows(actor, name, action) !== null

/** The error for changing an invisible row: `forbidden` without any update permission, otherwise `item-not-found`. */
export const unseen = (ctx: Pick<Context, 'actor'>, collection: Collection): TandemError =>
  mayEver(ctx, 'update', collection) ? notFound(collection.name) : forbidden('update', collection.name)
