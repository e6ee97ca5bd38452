/** Writable fields of collections, by wire name. */

import { coversField, isUnlimited, rulesFor } from '../../authz/grants.ts'
import { mayEver } from '../../core/rows/seen-rows.ts'
import { entryOf, memoizeBy } from '../../domain/memoize.ts'
import type { Action, Rule } from '../../domain/rights/actor.ts'
import { isComputedOn } from '../../domain/schema/computed.ts'
import type { Collection, Field, Special } from '../../domain/schema/schema.ts'
import { isName } from './names.ts'
import { collectionOf } from './readable.ts'
import type { SchemaFacts } from './schema-types.ts'

export type Writable = {
  readonly name: string
  readonly field: Field
  /** Whether nothing else sets the value. */
  readonly isRequired: boolean
}

type Write = 'create' | 'update'

/** Whether the caller has the permission; for writes, whether it may write at least one field. */
export function mayDo(facts: SchemaFacts, action: Action, collection: string): boolean {
  return mayEver(facts, action, { name: collection })
}

export const mayWrite = (facts: SchemaFacts, action: Write, collection: string): boolean =>
  writableFields(facts, action, collection).some(({ name }) => isName(name))

const writableCache = memoizeBy<SchemaFacts, Map<string, readonly Writable[]>>(() => new Map())

/** Fields of an input that also stands for related items include those that the other kind of write may set. */
export function writableFields(facts: SchemaFacts, action: Write, name: string): readonly Writable[] {
  return entryOf(writableCache(facts), `${action} ${name}`, () => findWritable(facts, action, name))
}

function findWritable(facts: SchemaFacts, action: Write, name: string): readonly Writable[] {
  const view = facts.view.byCore.get(name)
  if (view === undefined || !facts.names.has(view.name) || !mayDo(facts, action, name)) return []
  const collection = collectionOf(facts, name)
  const rules = rulesFor(facts.actor, name, action)
  const isRelated = isNamedElsewhere(facts, name)
  const isNamedFor = (field: Field, by: Write): boolean =>
    isUnlimited(facts.actor) || rulesFor(facts.actor, name, by).some((rule) => coversField(rule, field))
  // A related item may be new in an update, and an existing one in a create.
  const isNamed = (field: Field): boolean =>
    isNamedFor(field, action) || (isRelated && (isNamedFor(field, 'create') || isNamedFor(field, 'update')))
  const isOpen = action === 'update' || isRelated
  const fields = [...view.fields.values()].flatMap((each): readonly Writable[] => {
    const field = collection.fields.get(each.field)
    if (field === undefined || !isStored(field, action)) return []
    const isOwnKey = field.name === collection.primaryKey
    if (!isNamed(field) && !isOwnKey) return []
    return [{ name: each.name, field, isRequired: !isOpen && needsValue(field, collection, rules) }]
  })
  return fields.some(({ field }) => isNamedFor(field, action)) ? fields : []
}

function isStored(field: Field, action: Write): boolean {
  const { column, relation } = field
  if (column === null) return relation !== null && relation.kind !== 'many-to-any'
  return !isComputedOn(action, field) || column.autoIncrement
}

/** Whether an input can also refer to an existing item. */
const isNamedElsewhere = ({ schema }: SchemaFacts, name: string): boolean =>
  schema.relations.some(
    ({ oneCollection, oneAllowedCollections, manyCollection, oneField }) =>
      oneCollection === name ||
      oneAllowedCollections?.includes(name) === true ||
      (manyCollection === name && oneField !== null),
  )

const filling: ReadonlySet<Special> = new Set<Special>([
  'uuid',
  'date-created',
  'date-updated',
  'user-created',
  'user-updated',
  'role-created',
  'role-updated',
])

function needsValue(field: Field, { primaryKey }: Collection, rules: readonly Rule[]): boolean {
  const { column, special, name, relation } = field
  if (column === null || column.nullable || column.hasDefault || column.autoIncrement || column.generated) return false
  if (name === primaryKey && field.type === 'uuid') return false
  if (relation?.kind === 'many-to-one' || special.some((each) => filling.has(each))) return false
  return !rules.some(({ presets }) => presets !== null && Object.hasOwn(presets, name))
}
