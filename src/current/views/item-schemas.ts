/** The items of a collection as JSON Schema, for one caller: as they are read and changed, and as they are created. */
import { coversField, isUnlimited, rulesFor, visibleView } from '../../authz/grants.ts'
import { isSetByServer, needsValue } from '../../core/rows/automatic-values.ts'
import { isComputedOn } from '../../domain/schema/computed.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import type { CollectionView } from '../../domain/schema/view.ts'
import type { Json, Scope } from './current-spec.ts'
import { fieldSchema } from './field-schemas.ts'

/** All fields that the caller may read or write. Answers can lack any of them, and so can changes. */
export function itemSchema(scope: Scope, collection: Collection, view: CollectionView): Json {
  const visible = visibleView(scope).byCore.get(collection.name)
  const [mayCreate, mayUpdate] = [rights(scope, collection, 'create'), rights(scope, collection, 'update')]
  const properties = fieldsOf(collection, view).flatMap(([name, field]) => {
    const mayRead = visible?.byCore.has(field.name) === true
    const mayWrite = mayCreate(field) || mayUpdate(field)
    if (!mayRead && !mayWrite) return []
    // A singleton without a row is shown with null as its key.
    const mayLack = collection.singleton && field.column?.primaryKey === true
    const only = mayRead ? {} : { writeOnly: true }
    const fixed =
      mayRead && (!mayWrite || isSetByServer(field, 'update') || isComputed('update', field)) ? { readOnly: true } : {}
    return [[name, { ...fieldSchema(field, scope, mayLack), ...only, ...fixed }] as const]
  })
  return objectOf(collection, { properties: Object.fromEntries(properties) })
}

/** The fields that the caller may give to a new item; those that nothing else fills are required. */
export function newItemSchema(scope: Scope, collection: Collection, view: CollectionView): Json {
  const mayCreate = rights(scope, collection, 'create')
  const own = fieldsOf(collection, view).filter(
    ([, field]) => mayCreate(field) && !isComputed('create', field) && !isSetByServer(field, 'create'),
  )
  const filled = filledElsewhere(scope, collection)
  const required = own.flatMap(([name, field]) => (needsValue(field) && !filled.has(field.name) ? [name] : []))
  const properties = own.map(([name, field]) => [name, fieldSchema(field, scope)] as const)
  return objectOf(collection, {
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  })
}

/** Fields with presets, and columns that a field for the whole foreign key can fill. */
function filledElsewhere({ actor }: Scope, { name, fields }: Collection): ReadonlySet<string> {
  const presets = rulesFor(actor, name, 'create').flatMap((rule) => Object.keys(rule.presets ?? {}))
  return new Set([...presets, ...[...fields.values()].flatMap((field) => referenceColumns(field) ?? [])])
}

const isComputed = (action: 'create' | 'update', field: Field): boolean =>
  isComputedOn(action, field) && field.column?.autoIncrement !== true

function rights({ actor }: Scope, { name }: Collection, action: 'create' | 'update'): (field: Field) => boolean {
  const rules = rulesFor(actor, name, action)
  return (field) => isUnlimited(actor) || rules.some((rule) => coversField(rule, field))
}

const fieldsOf = ({ fields }: Collection, view: CollectionView): readonly (readonly [string, Field])[] =>
  [...view.fields.values()].flatMap(({ name, field }) => {
    const cached = fields.get(field)
    return cached === undefined ? [] : [[name, cached] as const]
  })

function objectOf({ note }: Collection, content: Json): Json {
  return { type: 'object', ...(note === null ? {} : { description: note }), ...content, additionalProperties: true }
}
