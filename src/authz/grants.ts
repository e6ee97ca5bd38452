/** The readable fields and rows of one collection for an actor; computed once per access and schema version. */
import { memoizeBy, memoizeByBoth } from '../domain/memoize.ts'
import type { Context } from '../domain/ports/context.ts'
import type { FieldType } from '../domain/query/field-types.ts'
import { type Filter, matchAll, or } from '../domain/query/filter.ts'
import type { Access, Action, Actor, Rule } from '../domain/rights/actor.ts'
import { invalidQuery, TandemError } from '../domain/rights/errors.ts'
import { holdsCredentials } from '../domain/schema/credentials.ts'
import { isIdentityCollection } from '../domain/schema/identity.ts'
import { referenceColumns } from '../domain/schema/references.ts'
import type { Collection, Field, Schema } from '../domain/schema/schema.ts'
import type { CollectionView, View } from '../domain/schema/view.ts'

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

/** Whether the actor may do anything in the collection. The names of system collections are no secret. */
export function hasRights(actor: Actor, { name, system }: Collection): boolean {
  return system || isUnlimited(actor) || hasRules(actor, name)
}

/** Whether any rule of the actor is about the collection. */
export const hasRules = (actor: Actor, collection: string): boolean =>
  actor.kind !== 'system' && actor.access.rules.some((rule) => rule.collection === collection)

export function rulesFor(actor: Actor, collection: string, action: Action): readonly Rule[] {
  if (actor.kind === 'system') return []
  return actor.access.rules.filter((rule) => rule.collection === collection && rule.action === action)
}

/** The rows on which the actor may do the action; null = none. */
export function permittedRows(actor: Actor, collection: string, action: Action): Filter | null {
  if (isUnlimited(actor)) return matchAll
  const rules = rulesFor(actor, collection, action)
  return rules.length === 0 ? null : or(...rules.map(({ filter }) => filter))
}

/** Whether the rule applies to the field. The right to the id of an identity row is also one to its number. */
export function covers(rule: Rule, field: string): boolean {
  if (rule.action === 'read' && holdsCredentials(rule.collection, field)) return false
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

export type Scope = Pick<Context, 'schema' | 'view' | 'actor' | 'limits' | 'stopwatch' | 'spent'>

/** The authorization of one query. `budget` is the number of nodes that its selections may still add. */
export type AuthorizationState = Scope & { budget: number }

/** Limit of nodes in all selections of one query, after wildcards are expanded. */
export const widestSelection = 5000

/** A field of the grant. Throws `forbidden` for fields that are not readable and for presentational fields. */
export function readableField(grant: ReadGrant, name: string): ReadableField {
  const granted = grant.fields.get(name)
  if (granted === undefined || isPresentational(granted)) throw forbidden('read', grant.collection.name, name)
  return granted
}

/** Whether the field is presentational: it has no column and no relation. */
export function isPresentational({ field }: ReadableField): boolean {
  return field.column === null && field.relation === null
}

/** Whether cost limits apply to the actor. Internal queries of the server are exempt. */
export const isBounded = (actor: Scope['actor']): boolean => actor.kind !== 'system'

/** Throws `invalid-query` for the named part of the query. */
export function refuse(name: string, reason: string): never {
  throw invalidQuery(name, reason)
}

const unordered: ReadonlySet<FieldType> = new Set(['json', 'geometry', 'alias', 'hash', 'unknown'])

/** Throws for fields that cannot be sorted or grouped, and for concealed fields. */
export function assertOrdered({ field }: ReadableField, name: string): void {
  if (field.concealed) refuse(name, `Expected a field that is not concealed but received "${field.name}"`)
  if (!unordered.has(field.type) || (field.type === 'unknown' && field.column?.ordered === true)) return
  refuse(name, `Expected a field with an order but received "${field.name}" of type ${field.type}`)
}

/** The guard as a property to spread; empty without one. */
export function guardOf({ guard }: Pick<ReadableField, 'guard'>): { readonly guard?: Filter } {
  return guard === null ? {} : { guard }
}

type GrantScope = { readonly actor: Actor; readonly schema: Schema; readonly view: View }

/** The view for reads: only the collections and fields that the actor may read. */
export const visibleView = oncePerRights(({ actor, schema, view }) =>
  withFields(view, (name) => findReadGrant(actor, schema, name)?.fields ?? null),
)

/**
 * The view for writes: all collections, each with its key and the fields that a rule of the actor names. Values are
 * parsed before permissions are checked: without this view, a parse error would reveal that a hidden field exists.
 */
export const writableView = oncePerRights(({ actor, schema, view }) =>
  withFields(
    view,
    (name) => {
      const collection = schema.collections.get(name)
      return collection === undefined ? null : namedFields(actor, collection)
    },
    (name) => {
      const collection = schema.collections.get(name)
      return collection !== undefined && !hasRights(actor, collection)
    },
  ),
)

const naming: readonly string[] = ['create', 'read', 'update']

/** The key and the fields that a rule of the actor for reads or writes names. */
export function namedFields(actor: Actor, { name, fields, keyColumns }: Collection): ReadonlySet<string> {
  const rules = actor.kind === 'system' ? [] : actor.access.rules
  const speaking = rules.filter((rule) => rule.collection === name && naming.includes(rule.action))
  const keys = isIdentityCollection(name) ? ['id', 'number'] : keyColumns
  return new Set([
    ...keys,
    ...[...fields.values()].flatMap((field) => (speaking.some((rule) => coversField(rule, field)) ? [field.name] : [])),
  ])
}

/** Memoizes `make` by access, schema and view. Actors without limits get the complete view. */
function oncePerRights(make: (scope: GrantScope) => View): (scope: GrantScope) => View {
  const viewOf = memoizeByBoth((_access: object, _view: View, scope: GrantScope) => make(scope))
  return ({ actor, schema, view }) =>
    actor.kind === 'system' || isUnlimited(actor) ? view : viewOf(actor.access, view, { actor, schema, view })
}

/** The view with a subset of fields per collection. A collection for which `fieldsOf` returns null is left out. */
function withFields(
  view: View,
  fieldsOf: (collection: string) => { has(field: string): boolean } | null,
  isHidden: (collection: string) => boolean = () => false,
): View {
  const collections: CollectionView[] = []
  for (const each of view.byCore.values()) {
    const stored = fieldsOf(each.collection)
    if (stored === null) continue
    const fields = [...each.fields.values()].filter(({ field }) => stored.has(field))
    collections.push({
      ...each,
      ...(isHidden(each.collection) ? { hidden: true } : {}),
      fields: new Map(fields.map((field) => [field.name, field])),
      byCore: new Map(fields.map((field) => [field.field, field])),
    })
  }
  return {
    ...view,
    collections: new Map(collections.map((each) => [each.name, each])),
    byCore: new Map(collections.map((each) => [each.collection, each])),
  }
}
