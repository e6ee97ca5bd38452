/** How the rows of two levels belong together. */
import { typeGroups } from '../domain/operators.ts'
import type { Field, FieldRelation } from '../domain/schema.ts'
import { type Build, columnText, columnType, fieldOf, keyText, type Level } from './build.ts'
import type { ColumnType } from './dialect.ts'

/** `inner` holds the rows that `outer`'s field leads to. */
export function linkText(
  build: Build,
  outer: Level,
  inner: Level,
  relation: Exclude<FieldRelation, { kind: 'many-to-any' }>,
): string {
  if (relation.kind === 'one-to-many') return equalText(build, [inner, relation.foreignKey], [outer, keyOf(outer)])
  return equalText(build, [inner, keyOf(inner)], [outer, relation.relation.manyField])
}

const keyOf = (level: Level): string => level.collection.primaryKey

type Side = readonly [level: Level, field: string]

/** Relations without a constraint may tie columns of different types together: those are compared as texts. */
function equalText(build: Build, ...sides: readonly [Side, Side]): string {
  const fields = sides.map(([level, name]) => fieldOf(level.collection, name))
  const texts = sides.map(([level, name]) => columnText(build, level, fieldOf(level.collection, name)))
  const [left, right] = fields.map(columnType) as [ColumnType, ColumnType]
  const group = typeGroups[left.type]
  const isDirect =
    left.dataType === right.dataType || (group === typeGroups[right.type] && (group === 'number' || group === 'text'))
  if (isDirect) return texts.join(' = ')
  return `${build.dialect.asText(texts[0] as string, left)} = ${build.dialect.asText(texts[1] as string, right)}`
}

/** `inner` holds the one row that `outer`'s many-to-any names, if it is of inner's collection. */
export function anyLinkText(build: Build, outer: Level, inner: Level, field: Field): string {
  return `${anyScopeText(build, outer, field)} = ${build.dialect.text(inner.collection.name)} and ${anyKeyLinkText(build, outer, inner, field)}`
}

/** The column that names the collection of a many-to-any. */
export function anyScopeText(build: Build, level: Level, field: Field): string {
  if (field.relation?.kind !== 'many-to-any') throw new Error(`Field ${field.name} is no many-to-any`)
  return columnText(build, level, fieldOf(level.collection, field.relation.collectionField))
}

/** The same link where the collection is known to be inner's. */
export function anyKeyLinkText(build: Build, outer: Level, inner: Level, field: Field): string {
  const key = fieldOf(inner.collection, inner.collection.primaryKey)
  const stored = build.dialect.keyFromText(columnText(build, outer, field), columnType(field), columnType(key))
  return `${keyText(build, inner)} = ${stored}`
}
