/** What an actor may read of one collection, computed once per access and schema version. */

import { memoizeBy } from '../domain/memoize.ts'
import { type Filter, matchAll, or } from '../domain/query/filter.ts'
import type { Access, Action, Actor, Rule } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { isIdentityCollection } from '../domain/schema/identity.ts'
import { referenceColumns } from '../domain/schema/references.ts'
import type { Collection, Field, Schema } from '../domain/schema/schema.ts'

/** `rows`: filter on the readable rows. `fields`: readable fields, each with its guard (null = readable on all those rows). */
export type ReadGrant = {
  readonly collection: Collection
  readonly rows: Filter
  readonly fields: ReadonlyMap<string, ReadableField>
}

export type ReadableField = { readonly field: Field; readonly guard: Filter | null }

type Grants = Map<string, ReadGrant | null>

const unlimited = memoizeBy<Schema, Grants>(() => new Map())
const byAccess = memoizeBy<Access, (schema: Schema) => Grants>(() => memoizeBy(() => new Map()))

/** The grant; null when the collection does not exist or the actor may not read any of its fields or rows. */
export function findReadGrant(actor: Actor, schema: Schema, name: string): ReadGrant | null {
  const grants = grantsOf(actor, schema)
  const cached = grants.get(name)
  if (cached !== undefined) return cached
  const collection = schema.collections.get(name)
  if (collection === undefined) return null
  const grant = collection.table === null ? null : makeReadGrant(actor, collection)
  grants.set(name, grant)
  return grant
}

/** Like `findReadGrant`, but throws `forbidden` instead of returning null. */
export function readGrant(actor: Actor, schema: Schema, name: string): ReadGrant {
  const grant = findReadGrant(actor, schema, name)
  if (grant === null) throw forbidden('read', name)
  return grant
}

/** The error for names that do not exist and for names that are not allowed, so that existence does not leak. */
export function forbidden(action: Action, collection: string, field?: string): TandemError {
  return new TandemError({
    kind: 'forbidden',
    denied: field === undefined ? { action, collection } : { action, collection, field },
  })
}

/** Whether the actor is exempt from rules. */
export function isUnlimited(actor: Actor): boolean {
  return actor.kind === 'system' || actor.access.admin
}

/** The actor's rules for one collection and action. */
export function rulesFor(actor: Actor, collection: string, action: Action): readonly Rule[] {
  if (actor.kind === 'system') return []
  return actor.access.rules.filter((rule) => rule.collection === collection && rule.action === action)
}

/** Whether the rule applies to the field. The right to the id of an identity row is also one to its number. */
export function covers(rule: Rule, field: string): boolean {
  if (rule.fields === '*' || rule.fields.includes(field)) return true
  const isNumber = field === 'number' && rule.action === 'read' && isIdentityCollection(rule.collection)
  return isNumber && rule.fields.includes('id')
}

/** The same for any field: one that several columns hold needs the right to each of them. */
export function coversField(rule: Rule, field: Field): boolean {
  return (referenceColumns(field) ?? [field.name]).every((name) => covers(rule, name))
}

function grantsOf(actor: Actor, schema: Schema): Grants {
  return actor.kind === 'system' || actor.access.admin ? unlimited(schema) : byAccess(actor.access)(schema)
}

function makeReadGrant(actor: Actor, collection: Collection): ReadGrant | null {
  const fields = new Map<string, ReadableField>()
  if (isUnlimited(actor)) {
    for (const field of collection.fields.values()) fields.set(field.name, { field, guard: null })
    return { collection, rows: matchAll, fields }
  }
  const rules = rulesFor(actor, collection.name, 'read')
  if (rules.length === 0) return null
  const rows = or(...rules.map((rule) => rule.filter))
  for (const field of collection.fields.values()) {
    const covering = rules.filter((rule) => coversField(rule, field))
    if (covering.length === 0) continue
    const guard = or(...covering.map((rule) => rule.filter))
    const always = guard.kind === 'all' || covering.length === rules.length
    fields.set(field.name, { field, guard: always ? null : guard })
  }
  return { collection, rows, fields }
}
