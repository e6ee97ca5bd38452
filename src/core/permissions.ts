/** What the caller may do, told to the caller. */
import { forbidden, isUnlimited, rulesFor } from '../authz/grants.ts'
import type { Action, Actor, Rule } from '../domain/actor.ts'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { type Literal, or, type Value } from '../domain/filter.ts'
import type { Key } from '../domain/mutation.ts'
import { resolveValue } from '../domain/resolve-value.ts'
import type { Collection } from '../domain/schema.ts'
import { hasRow } from './has-row.ts'
import { keyFilter } from './keys.ts'
import { lookUp } from './look-ups.ts'

type Presets = { readonly [field: string]: Literal | readonly Literal[] }

type Right = { readonly access: boolean; readonly fields?: string[]; readonly presets?: Presets }

/** Whether the caller may do it to one item. */
export type ItemRights = { readonly update: Right; readonly delete: Right; readonly share: Right }

/** Of several rows, what the caller may do with all of them, with some, with none. */
type Summary = { readonly access: 'full' | 'partial' | 'none'; readonly fields?: string[]; readonly presets?: Presets }

const actions: readonly Action[] = ['create', 'read', 'update', 'delete', 'share']

/** By collection and action; collections of which the caller has no rights are left out. Nobody has a summary of nobody. */
export async function summarizeRights(ctx: Context): Promise<{
  readonly [collection: string]: { readonly [Name in Action]?: Summary }
}> {
  assertUser(ctx.actor)
  const entries: [string, { [Name in Action]?: Summary }][] = []
  for (const { collection } of ctx.view.byCore.values()) {
    const found = ctx.schema.collections.get(collection)
    if (found === undefined || !(isUnlimited(ctx.actor) || hasRights(ctx.actor, collection))) continue
    const row: { [Name in Action]?: Summary } = {}
    for (const action of actions) row[action] = await summarize(ctx, found, action)
    entries.push([collection, row])
  }
  return Object.fromEntries(entries)
}

/** What the caller may do with the item; without a key, with a singleton's row or any row. */
export async function readItemRights(ctx: Context, name: string, key: Key | null): Promise<ItemRights> {
  assertUser(ctx.actor)
  const collection = ctx.schema.collections.get(name)
  if (collection === undefined && isUnlimited(ctx.actor)) throw forbidden('read', name)
  const may = async (action: Action) => collection !== undefined && (await mayDo(ctx, collection, action, key))
  const update = await may('update')
  const details = update && collection !== undefined ? await detailsOf(ctx, collection, 'update') : {}
  return {
    update: { access: update, ...details },
    delete: { access: await may('delete') },
    share: { access: await may('share') },
  }
}

/** The flags of the caller's policies. */
export async function readPolicyFlags({ db, actor }: Context): Promise<{ app: boolean; admin: boolean; tfa: boolean }> {
  assertUser(actor)
  const { admin, app, policies } = actor.access
  const text = 'select 1 from platform_policies where enforce_tfa and id::text = any($1) limit 1'
  const { count } = await db.run({ text, values: [policies] })
  return { app, admin, tfa: count > 0 }
}

function assertUser(actor: Actor): asserts actor is Extract<Actor, { kind: 'user' }> {
  if (actor.kind !== 'user') throw new TandemError({ kind: 'forbidden' })
}

const hasRights = (actor: Actor, collection: string): boolean =>
  actions.some((action) => rulesFor(actor, collection, action).length > 0)

async function summarize(ctx: Context, collection: Collection, action: Action): Promise<Summary> {
  if (isUnlimited(ctx.actor)) return { access: 'full', fields: ['*'] }
  const rules = rulesFor(ctx.actor, collection.name, action)
  if (rules.length === 0) return { access: 'none' }
  const whole = rules.some((rule) => rule.filter.kind === 'all')
  return { access: whole ? 'full' : 'partial', ...(await detailsOf(ctx, collection, action)) }
}

async function detailsOf(
  ctx: Context,
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
  ctx: Context,
  collection: Collection,
  action: Action,
  rules: readonly Rule[],
): Promise<Presets> {
  const given = rules.flatMap(({ presets }) => Object.entries(presets ?? {}))
  if (given.length === 0) return {}
  const facts = { actor: ctx.actor, now: ctx.clock(), lookedUp: await lookUp(ctx, collection, action, []) }
  const resolved = given.map(([field, value]) => {
    return [field, Array.isArray(value) ? (value as readonly Literal[]) : resolveValue(value as Value, facts)] as const
  })
  return Object.fromEntries(resolved)
}

async function mayDo(ctx: Context, collection: Collection, action: Action, key: Key | null): Promise<boolean> {
  if (isUnlimited(ctx.actor)) return true
  const rules = rulesFor(ctx.actor, collection.name, action)
  if (rules.length === 0 || collection.table === null) return false
  if (key === null && !collection.singleton) return true
  const rows = or(...rules.map((rule) => rule.filter))
  const among = { kind: 'and', filters: [rows, ...(key === null ? [] : [keyFilter(collection, key)])] } as const
  return hasRow(ctx, collection, among)
}
