/** Compiles the join conditions between two levels. */
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Field, FieldRelation } from '../../domain/schema/schema.ts'
import type { ColumnType } from '../dialects/dialect.ts'
import { quoteText } from '../dialects/quoting.ts'
import { type Build, columnText, columnType, fieldOf, type Level, storedText } from './build.ts'
import { namedRowText } from './compile-named-row.ts'

type Related = Exclude<FieldRelation, { kind: 'many-to-any' }>

/** The join condition of a relation: `inner` contains the related rows of `outer`'s field. */
export const linkText = (build: Build, outer: Level, inner: Level, relation: Related): string =>
  linkPairs(build, outer, inner, relation)
    .map((pair) => pair.join(' = '))
    .join(' and ')

/** The join condition of a relational field of any kind. */
export function fieldLinkText(build: Build, outer: Level, inner: Level, field: Field): string {
  const { relation } = field
  if (relation === null) throw new Error(`Field ${outer.collection.name}.${field.name} is not a relation`)
  return relation.kind === 'many-to-any'
    ? anyLinkText(build, outer, inner, field)
    : linkText(build, outer, inner, relation)
}

/** The column pairs of the join condition, one for each column of the key: that of `inner` comes first. */
export function linkSides(
  build: Build,
  outer: Level,
  inner: Level,
  relation: Related,
): readonly (readonly [inner: string, outer: string])[] {
  const pairs = linkPairs(build, outer, inner, relation)
  return relation.kind === 'one-to-many' && isNumbered(outer, inner, relation)
    ? pairs.map(([left, right]) => [right, left])
    : pairs
}

/** The rows with the key of the relation, the rows that the key names, and the columns of the key. */
function sidesOf(outer: Level, inner: Level, relation: Related) {
  const isToMany = relation.kind === 'one-to-many'
  const [many, one] = isToMany ? [inner, outer] : [outer, inner]
  const { manyField, manyColumns } = relation.relation
  return { many, one, columns: manyColumns ?? [isToMany ? relation.foreignKey : manyField] }
}

function isNumbered(outer: Level, inner: Level, relation: Related): boolean {
  const { many, one, columns } = sidesOf(outer, inner, relation)
  return fieldOf(many.collection, columns[0] as string).column?.numberOf === one.collection.name
}

function linkPairs(
  build: Build,
  outer: Level,
  inner: Level,
  relation: Related,
): readonly (readonly [string, string])[] {
  const { many, one, columns } = sidesOf(outer, inner, relation)
  if (isNumbered(outer, inner, relation)) {
    const number = storedText(one, fieldOf(one.collection, 'number'))
    return [[number, storedText(many, fieldOf(many.collection, columns[0] as string))]]
  }
  return columns.map((name, index) => {
    const sides = [[many, name] as const, [one, one.collection.keyColumns[index] as string] as const]
    return equalPair(build, ...((relation.kind === 'one-to-many' ? sides : sides.toReversed()) as [LinkSide, LinkSide]))
  })
}

type LinkSide = readonly [level: Level, field: string]

/** The database compares columns of one group as they are. Bytes and lists are compared with columns of their own type only. */
const comparableGroups: { readonly [Type in FieldType]?: 'number' | 'text' } = {
  integer: 'number',
  bigInteger: 'number',
  float: 'number',
  decimal: 'number',
  string: 'text',
  text: 'text',
}

/**
 * Relations without a constraint may join columns of different types; these are compared as text. Where collations are in
 * conflict, that of the inner column counts, because an index of it has that order.
 */
function equalPair(build: Build, ...sides: readonly [LinkSide, LinkSide]): readonly [string, string] {
  const fields = sides.map(([level, name]) => fieldOf(level.collection, name))
  const texts = sides.map(([level, name]) => columnText(build, level, fieldOf(level.collection, name))) as [
    string,
    string,
  ]
  const [left, right] = fields.map(columnType) as [ColumnType, ColumnType]
  const group = comparableGroups[left.type]
  const isDirect = left.dataType === right.dataType || (group !== undefined && group === comparableGroups[right.type])
  const [inner, outer] = fields.map((field) => field.column?.collation)
  if (isDirect && inner !== undefined && outer !== undefined)
    return [texts[0], build.dialect.reconciled?.(texts[1], outer, inner) ?? texts[1]]
  return isDirect ? texts : [build.dialect.asText(texts[0], left), build.dialect.asText(texts[1], right)]
}

/** The join condition of a many-to-any: `inner` contains the related row if it belongs to inner's collection. */
function anyLinkText(build: Build, outer: Level, inner: Level, field: Field): string {
  return `${anyScopeText(build, outer, field)} = ${quoteText(inner.collection.name)} and ${anyKeyLinkText(build, outer, inner, field)}`
}

export function anyScopeText(build: Build, level: Level, field: Field): string {
  if (field.relation?.kind !== 'many-to-any') throw new Error(`Field ${field.name} is not a many-to-any`)
  return columnText(build, level, fieldOf(level.collection, field.relation.collectionField))
}

/** The join condition of a many-to-any whose collection is already known. */
export function anyKeyLinkText(build: Build, outer: Level, inner: Level, field: Field): string {
  return namedRowText(build, inner, { sql: columnText(build, outer, field), column: columnType(field) })
}
