/** Reports the caller's own rights. */

import { forbidden, hasRules, isUnlimited, permittedRows, rulesFor } from '../../authz/grants.ts'
import { resolveValue } from '../../domain/conditions/resolve-value.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { and, type Literal, type Value } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Action, Actor, Rule } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { demandsSecondFactor } from '../../sql/statements/accounts/access.ts'
import { hasRow } from '../rows/has-row.ts'
import { keyFilter } from '../rows/keys.ts'
import { lookUp } from '../rows/look-ups.ts'

type Presets = { readonly [field: string]: Literal | readonly Literal[] }

/** `presets`: null for a singleton whose rules have none. */
type Right = { readonly access: boolean; readonly fields?: string[]; readonly presets?: Presets | null }

export type ItemRights = { readonly update: Right; readonly delete: Right; readonly share: Right }

/** Rights on the rows of a collection: all rows, some or none. */
type Summary = { readonly access: 'full' | 'partial' | 'none'; readonly fields?: string[]; readonly presets?: Presets }

const actions: readonly Action[] = ['create', 'read', 'update', 'delete', 'share']

/** Rights by collection and action. Collections without rights are left out. Throws `forbidden` for the public actor. */
export async function summarizeRights(ctx: ReadContext): Promise<{
  readonly [collection: string]: { readonly [Name in Action]?: Summary }
}> {
  assertKnown(ctx.actor)
  const entries: [string, { [Name in Action]?: Summary }][] = []
  for (const { collection } of ctx.view.byCore.values()) {
    const target = ctx.schema.collections.get(collection)
    if (target === undefined || !(isUnlimited(ctx.actor) || hasRules(ctx.actor, collection))) continue
    const row: { [Name in Action]?: Summary } = {}
    for (const action of actions) row[action] = await summarize(ctx, target, action)
    entries.push([collection, row])
  }
  return Object.fromEntries(entries)
}

/** Rights on an item. Without a key: on the row of a singleton, or on any row. */
export async function readItemRights(ctx: ReadContext, name: string, key: Key | null): Promise<ItemRights> {
  assertKnown(ctx.actor)
  const collection = ctx.schema.collections.get(name)
  if (collection === undefined && isUnlimited(ctx.actor)) throw forbidden('read', name)
  const may = async (action: Action) => collection !== undefined && (await mayDo(ctx, collection, action, key))
  const update = await may('update')
  const details = update && collection !== undefined ? await detailsOf(ctx, collection, 'update') : {}
  const isForm = update && collection?.singleton === true && !isUnlimited(ctx.actor)
  return {
    update: { access: update, ...(isForm ? { presets: null } : {}), ...details },
    delete: { access: await may('delete') },
    share: { access: await may('share') },
  }
}

export async function readPolicyFlags({
  db,
  actor,
}: Pick<Context, 'db' | 'actor'>): Promise<{ app: boolean; admin: boolean; tfa: boolean }> {
  assertKnown(actor)
  const { admin, app, policies } = actor.access
  return { app, admin, tfa: actor.kind === 'user' && (await demandsSecondFactor(db, policies)) }
}

/** Users, and visitors of shares: applications ask for the rights of both. */
function assertKnown(actor: Actor): asserts actor is Extract<Actor, { kind: 'user' | 'share' }> {
  if (actor.kind !== 'user' && actor.kind !== 'share') throw new TandemError({ kind: 'forbidden' })
}

async function summarize(ctx: ReadContext, collection: Collection, action: Action): Promise<Summary> {
  if (isUnlimited(ctx.actor)) return { access: 'full', fields: ['*'] }
  const rules = rulesFor(ctx.actor, collection.name, action)
  if (rules.length === 0) return { access: 'none' }
  const whole = rules.some((rule) => rule.filter.kind === 'all')
  return { access: whole ? 'full' : 'partial', ...(await detailsOf(ctx, collection, action)) }
}

async function detailsOf(
  ctx: ReadContext,
  collection: Collection,
  action: Action,
): Promise<Pick<Summary, 'fields' | 'presets'>> {
  if (isUnlimited(ctx.actor)) return { fields: ['*'] }
  const rules = rulesFor(ctx.actor, collection.name, action)
  const presets = await presetsOf(ctx, collection, action, rules)
  const fields = rules.some((rule) => rule.fields === '*') ? ['*'] : [...new Set(rules.flatMap((rule) => rule.fields))]
  return { fields, ...(Object.keys(presets).length === 0 ? {} : { presets }) }
}

async function presetsOf(
  ctx: ReadContext,
  collection: Collection,
  action: Action,
  rules: readonly Rule[],
): Promise<Presets> {
  const input = rules.flatMap(({ presets }) => Object.entries(presets ?? {}))
  if (input.length === 0) return {}
  const facts = { actor: ctx.actor, now: ctx.clock(), lookedUp: await lookUp(ctx, collection, action, []) }
  const resolved = input.map(([field, value]) => {
    return [field, Array.isArray(value) ? (value as readonly Literal[]) : resolveValue(value as Value, facts)] as const
  })
  return Object.fromEntries(resolved)
}

async function mayDo(ctx: ReadContext, collection: Collection, action: Action, key: Key | null): Promise<boolean> {
  if (isUnlimited(ctx.actor)) return true
  const rows = permittedRows(ctx.actor, collection.name, action)
  if (rows === null || collection.table === null) return false
  if (key === null && !collection.singleton) return true
  return hasRow(ctx, collection, key === null ? rows : and(rows, keyFilter(collection, key)))
}
