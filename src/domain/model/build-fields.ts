/** Builds fields from columns, from aliases and from the metadata rows of both. */
import type { FieldType } from '../query/field-types.ts'
import { type IdentityCollection, isIdentityCollection, numberedBy } from '../schema/identity.ts'
import { type Field, type FieldRelation, type Relation, type Special, specials } from '../schema/schema.ts'
import { listAt, type MetadataRow, textAt } from './metadata.ts'
import { sameAs } from './system-collections.ts'
import type { TableColumn } from './table.ts'

export function toField(column: TableColumn, row: MetadataRow | null, relation: FieldRelation | null): Field {
  const special = row === null ? [] : specialsOf(row)
  const { type, ...plain } = asDeclared(column, row)
  const numberOf = identityOf(type, relation)
  const stored = numberOf === null ? plain : { ...plain, numberOf }
  return {
    name: column.name,
    type: numberedBy({ column: stored }) === null ? typeFrom(special, type) : 'uuid',
    column: stored,
    special,
    // Weak passwords can be found from their hash by trial, so hashes are concealed.
    concealed: special.includes('conceal') || special.includes('hash'),
    validation: null,
    validationMessage: textAt(row, 'validation_message'),
    relation,
    meta: row,
  }
}

/** A small number that a database takes for a truth value (`tinyint(1)`) is a number where its field says so. */
function asDeclared(column: TableColumn, row: MetadataRow | null): TableColumn {
  const isNumber = column.type === 'boolean' && column.precision !== null
  if (!isNumber || textAt(row, 'type') !== 'integer') return column
  const { defaultValue } = column
  return {
    ...column,
    type: 'integer',
    dataType: 'tinyint',
    defaultValue: typeof defaultValue === 'boolean' ? Number(defaultValue) : defaultValue,
  }
}

/** Integers that refer to rows of an identity collection are their numbers. */
const identityOf = (type: FieldType, relation: FieldRelation | null): IdentityCollection | null =>
  relation?.kind === 'many-to-one' && isIdentityCollection(relation.collection) && integers.has(type)
    ? relation.collection
    : null

const integers: ReadonlySet<FieldType> = new Set(['integer', 'bigInteger'])

/** Declared types that imply a special. */
const declaredSpecials: { readonly [type: string]: readonly Special[] } = {
  array: ['cast-csv'],
  boolean: ['cast-boolean'],
  json: ['cast-json'],
  hash: ['hash'],
  owner: ['user-created'],
  user_updated: ['user-updated'],
  datetime_created: ['date-created'],
  datetime_updated: ['date-updated'],
}

function specialsOf(row: MetadataRow): readonly Special[] {
  const existing = listAt(row, 'special').filter((flag): flag is Special =>
    (specials as readonly string[]).includes(flag),
  )
  const declared = textAt(row, 'type')
  const more = declared !== null && Object.hasOwn(declaredSpecials, declared) ? declaredSpecials[declared] : undefined
  return [...new Set([...existing, ...(more ?? [])])]
}

const castTypes = {
  'cast-json': 'json',
  'cast-csv': 'csv',
  'cast-boolean': 'boolean',
  'cast-timestamp': 'timestamp',
  'cast-datetime': 'dateTime',
  hash: 'hash',
} as const satisfies { readonly [Flag in Special]?: FieldType }

/** A cast special gives the type of the values in a column of a more general type. */
function typeFrom(special: readonly Special[], type: FieldType): FieldType {
  const flag = special.find((each): each is keyof typeof castTypes => Object.hasOwn(castTypes, each))
  if (flag === undefined) return type
  const cast = castTypes[flag]
  return castable[cast].includes(type) ? cast : type
}

/** Column types that can store a value of each cast type as text. */
const castable: { readonly [Type in (typeof castTypes)[keyof typeof castTypes]]: readonly FieldType[] } = {
  json: ['string', 'text', 'json'],
  csv: ['string', 'text'],
  boolean: ['boolean', 'integer', 'bigInteger', 'string', 'text'],
  timestamp: ['timestamp', 'dateTime'],
  dateTime: ['timestamp', 'dateTime'],
  hash: ['string', 'text'],
}

const toManySpecials: ReadonlySet<string> = new Set(['o2m', 'm2m', 'm2a', 'o2a', 'files', 'translations'])
const presentational: ReadonlySet<string> = new Set(['alias', 'group', 'no-data'])

/** Whether the metadata row is about a field without a column. */
export const isAlias = (row: MetadataRow): boolean =>
  listAt(row, 'special').some((flag) => toManySpecials.has(flag) || presentational.has(flag))

/** Fields without columns: the other sides of relations, aliases whose relation does not exist yet, and presentational fields. */
export function aliasFields(
  collection: string,
  rows: readonly MetadataRow[],
  relations: readonly Relation[],
): readonly Field[] {
  const byField = new Map(rows.map((row) => [textAt(row, 'field'), row]))
  const toMany = relations.filter((relation) => relation.oneCollection === collection && relation.oneField !== null)
  const related = toMany.map((relation) => {
    const name = relation.oneField as string
    return toAlias(name, byField.get(name) ?? null, oneToMany(relation))
  })
  const names = new Set(related.map((field) => field.name))
  const plain = rows.flatMap((row) => {
    const name = textAt(row, 'field')
    if (name === null || names.has(name) || !isAlias(row)) return []
    const other = sameAs[`${collection}.${name}`]
    return [toAlias(name, row, related.find((field) => field.name === other)?.relation ?? null)]
  })
  return [...related, ...plain].toSorted((left, right) => orderOf(left) - orderOf(right))
}

const orderOf = (field: Field): number => {
  const sort = field.meta?.['sort']
  return typeof sort === 'number' ? sort : Number.MAX_SAFE_INTEGER
}

/** The field of a foreign key of several columns. */
export function toReference(relation: Relation, row: MetadataRow | null, concealed: boolean): Field {
  const special = row === null ? (['m2o'] as const) : specialsOf(row)
  const name = relation.manyField
  return { name, ...withoutColumn, type: 'string', concealed, special, relation: relationOfColumn(relation), meta: row }
}

const withoutColumn = { column: null, concealed: false, validation: null, validationMessage: null } as const

function toAlias(name: string, row: MetadataRow | null, relation: FieldRelation | null): Field {
  const special = row === null ? (['o2m'] as const) : specialsOf(row)
  return { name, ...withoutColumn, type: 'alias', special, relation, meta: row }
}

function oneToMany(relation: Relation): FieldRelation {
  const { manyCollection: collection, manyField: foreignKey, sortField, junctionField } = relation
  return { kind: 'one-to-many', collection, foreignKey, sortField, junctionField, relation }
}

export function relationOfColumn(relation: Relation | undefined): FieldRelation | null {
  if (relation === undefined) return null
  if (relation.oneCollection !== null) return { kind: 'many-to-one', collection: relation.oneCollection, relation }
  const { oneCollectionField, oneAllowedCollections } = relation
  if (oneCollectionField === null || oneAllowedCollections === null) return null
  return { kind: 'many-to-any', collectionField: oneCollectionField, allowed: oneAllowedCollections, relation }
}
