/** Compiles values that depend on the actor and must be read from the database: paths from its user or role. */
import type { DynamicValue } from '../../domain/query/filter.ts'
import { holdsValue } from '../../domain/schema/references.ts'
import type { ColumnType } from '../dialects/dialect.ts'
import { currentRole, currentUser, listOfActor } from './bind-values.ts'
import {
  type Build,
  bindMoment,
  columnText,
  columnType,
  fieldOf,
  keyText,
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
  if (isActorPath(value)) return dialect.listOf(actorSelect(build, value, { column, elements: true }))
  return dialect.castList(
    bindMoment(build, (moment) => listOfActor(value, moment)),
    column,
  )
}

/** `elements`: for columns that contain lists (JSON, csv), each element is a value. */
type ValueTarget = { readonly column: ColumnType; readonly elements: boolean }

/** The values at the end of the path, as a one-column select that can be compared with the column. */
export function actorSelect(build: Build, value: ActorPath, { column, elements }: ValueTarget): string {
  const { dialect } = build
  const root = openLevel(build, collectionOfKind[value.kind])
  let from = tableText(build, root)
  let level = root
  let result = keyText(build, root)
  let isGeometry = false
  let castTo = dialect.cast
  for (const [index, name] of value.path.entries()) {
    const field = fieldOf(level.collection, name)
    if (holdsValue(field) && index === value.path.length - 1) {
      isGeometry = field.type === 'geometry' && column.type === 'geometry'
      result = columnText(build, level, field)
      if (isGeometry) result = dialect.comparable(result, columnType(field))
      if (elements) result = dialect.elements(result, columnType(field))
      if (field.type === 'string' || field.type === 'text') castTo = dialect.castText ?? dialect.cast
      break
    }
    if (field.relation === null || field.relation.kind === 'many-to-any') throw new Error(`${name} is not a relation`)
    const next = openLevel(build, field.relation.collection)
    from += ` join ${tableText(build, next)} on ${linkText(build, level, next, field.relation)}`
    level = next
    result = keyText(build, level)
  }
  const key = fieldOf(root.collection, root.collection.primaryKey)
  const read = value.kind === 'current-user' ? currentUser : currentRole
  const where = whereText([`${keyText(build, root)} = ${dialect.cast(bindMoment(build, read), columnType(key))}`])
  // A geometry is not converted through text, because it would get the SRID of the other column.
  return `select ${isGeometry ? result : castTo(result, column)} from ${from}${where}`
}
