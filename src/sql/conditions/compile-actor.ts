/** Compiles values that depend on the actor and must be read from the database: paths from its user or role. */

import type { FieldType } from '../../domain/query/field-types.ts'
import type { DynamicValue } from '../../domain/query/filter.ts'
import { holdsValue } from '../../domain/schema/references.ts'
import type { Field } from '../../domain/schema/schema.ts'
import type { ColumnType } from '../dialects/dialect.ts'
import { currentRole, currentUser, listOfActor } from './bind-values.ts'
import {
  type Build,
  bindMoment,
  columnText,
  columnType,
  fieldOf,
  keyText,
  type Level,
  openLevel,
  tableText,
  whereText,
} from './build.ts'
import { linkText } from './compile-link.ts'
import { reachedSelect } from './compile-reached.ts'

/** A path from the actor's user or role. An empty path means its key. */
export type ActorPath = Extract<DynamicValue, { readonly kind: 'current-user' | 'current-role' }>

const collectionOfKind = { 'current-user': 'platform_users', 'current-role': 'platform_roles' } as const

/** Whether the value requires reading the actor's row. */
export const isActorPath = (value: DynamicValue): value is ActorPath =>
  (value.kind === 'current-user' || value.kind === 'current-role') && value.path.length > 0

/** Whether the value can consist of several keys. */
export function isListed(build: Build, value: DynamicValue): boolean {
  if (value.kind === 'current-roles' || value.kind === 'current-policies' || value.kind === 'reached') return true
  if (!isActorPath(value)) return false
  let collection: string = collectionOfKind[value.kind]
  for (const name of value.path) {
    const relation = build.schema.collections.get(collection)?.fields.get(name)?.relation
    if (relation?.kind === 'one-to-many') return true
    if (relation?.kind !== 'many-to-one') return false
    collection = relation.collection
  }
  return false
}

/** The values as a list expression; null instead of an empty list. */
export function actorList(build: Build, value: DynamicValue, column: ColumnType): string {
  const { dialect } = build
  if (value.kind === 'reached') return dialect.listOf(reachedSelect(build, value, [column]))
  if (!isActorPath(value)) {
    return dialect.castList(
      bindMoment(build, (moment) => listOfActor(value, moment)),
      column,
    )
  }
  return dialect.listOf(actorRows(build, value, column))
}

/** The values at the end of the path, one row each. */
export function actorRows(build: Build, value: ActorPath, column: ColumnType): string {
  const { dialect } = build
  const { text, type, from } = actorValue(build, value)
  const elements = dialect.elements(text, type)
  const fitted = elements === null ? fittedText(build, text, { type, column }) : dialect.castText(elements.text, column)
  return `select ${fitted} as v from ${from(elements?.join ?? '')}`
}

/** The value at the end of the path, as a select of one column that can be compared with the column. */
export function actorSelect(build: Build, value: ActorPath, column: ColumnType): string {
  const { text, type, from } = actorValue(build, value)
  return `select ${fittedText(build, text, { type, column })} from ${from('')}`
}

/** `from`: the tables and conditions, with another join between them. */
type ActorValue = {
  readonly text: string
  readonly type: ColumnType
  readonly from: (join: string) => string
}

function actorValue(build: Build, value: ActorPath): ActorValue {
  const root = openLevel(build, collectionOfKind[value.kind])
  let tables = tableText(build, root)
  let level = root
  let last: Field | null = null
  for (const [index, name] of value.path.entries()) {
    const field = fieldOf(level.collection, name)
    if (holdsValue(field) && index === value.path.length - 1) {
      last = field
      break
    }
    if (field.relation === null || field.relation.kind === 'many-to-any') throw new Error(`${name} is not a relation`)
    const next = openLevel(build, field.relation.collection)
    tables += ` join ${tableText(build, next)} on ${linkText(build, level, next, field.relation)}`
    level = next
  }
  const read = value.kind === 'current-user' ? currentUser : currentRole
  const key = build.dialect.cast(bindMoment(build, read), columnType(keyOf(root)))
  const where = whereText([`${keyText(build, root)} = ${key}`])
  return {
    text: last === null ? keyText(build, level) : columnText(build, level, last),
    type: columnType(last ?? keyOf(level)),
    from: (join) => `${tables}${join}${where}`,
  }
}

const keyOf = ({ collection }: Level): Field => fieldOf(collection, collection.primaryKey)

type Fit = { readonly type: ColumnType; readonly column: ColumnType }

/** A value of one type, as a value of the column. A text is read, and gives nothing if it is no value of the column. */
function fittedText({ dialect }: Build, text: string, { type, column }: Fit): string {
  // A geometry is not converted through text, because it would get the SRID of the other column.
  if (type.type === 'geometry' && column.type === 'geometry') return dialect.comparable(text, type)
  if (type.type === 'json' && !isText.has(column.type)) return dialect.castText(dialect.asText(text, type), column)
  return isText.has(type.type) ? dialect.castText(text, column) : dialect.cast(text, column)
}

const isText: ReadonlySet<FieldType> = new Set(['string', 'text', 'csv', 'unknown'])
