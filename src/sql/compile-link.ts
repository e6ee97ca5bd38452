/** How the rows of two levels belong together. */
import type { Field, FieldRelation } from '../domain/schema.ts'
import { type Build, columnText, columnType, fieldOf, keyText, type Level } from './build.ts'

/** `inner` holds the rows that `outer`'s field leads to. */
export function linkText(
  build: Build,
  outer: Level,
  inner: Level,
  relation: Exclude<FieldRelation, { kind: 'many-to-any' }>,
): string {
  if (relation.kind === 'one-to-many') {
    const foreignKey = columnText(build, inner, fieldOf(inner.collection, relation.foreignKey))
    return `${foreignKey} = ${keyText(build, outer)}`
  }
  const foreignKey = columnText(build, outer, fieldOf(outer.collection, relation.relation.manyField))
  return `${keyText(build, inner)} = ${foreignKey}`
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
