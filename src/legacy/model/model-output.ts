/** Collections, fields and relations as this generation shows them. */
import { isReadable, type MetadataWindow, readableFields } from '../../core/model/readable-model.ts'
import { listAt, type MetadataRow, textAt } from '../../domain/model/metadata.ts'
import type { Context, QueryContext } from '../../domain/ports/context.ts'
import { shownDefault } from '../../domain/schema/default-value.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import type { Collection, Field, Relation } from '../../domain/schema/schema.ts'
import type { components } from '../../generated/legacy.ts'
import { shownCollection } from './collection-names.ts'
import { type FieldTypeName, fieldTypes, guesses, narrow } from './field-types.ts'
import { inForms } from './system-fields.ts'
import { toPattern } from './validation.ts'

type Schemas = components['schemas']

/** Fields of the metadata that the caller may read, for collections and for fields. */
export type MetadataWindows = { readonly collections: MetadataWindow; readonly fields: MetadataWindow }

/** Returns `{collection, managed, hidden, …}` without fields. */
export function serializeCollection({ name, meta, managed, note }: Collection, { mask }: MetadataWindow) {
  const row = mask(meta) ?? {}
  return {
    collection: shownCollection(name),
    managed,
    hidden: row['hidden'] === true,
    single: row['singleton'] === true,
    icon: textAt(row, 'icon'),
    note: textAt(row, 'note') ?? note,
    translation: toLocales(row['translations']),
  } satisfies Schemas['Collection']
}

/** As above, with its fields by name. */
export function serializeWithFields(
  ctx: QueryContext,
  collection: Collection,
  windows: MetadataWindows,
): Schemas['Collection'] {
  const fields = serializeFields(ctx, collection, windows.fields)
  return {
    ...serializeCollection(collection, windows.collections),
    fields: Object.fromEntries(fields.map((field) => [field.field, field])),
  }
}

/** The collections that the caller may know of, sorted by name. */
export const knownCollections = (
  ctx: Pick<Context, 'schema' | 'view' | 'actor'>,
  { shows }: MetadataWindow,
): readonly Collection[] => {
  const nameOf = ({ name }: Collection): string => ctx.view.byCore.get(name)?.name ?? name
  return [...ctx.schema.collections.values()]
    .filter((each) => ctx.view.byCore.has(each.name) && isReadable(ctx, each) && shows(each.meta))
    .toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))
}

/** The fields that the caller may know of, under this generation's names. */
export function serializeFields(ctx: QueryContext, collection: Collection, window: MetadataWindow): Schemas['Field'][] {
  const readable = new Map(readableFields(ctx, collection).map((field) => [field.name, field]))
  const shown = shownNames(ctx, collection).flatMap(({ name, field: core }) => {
    const field = readable.get(core) ?? (core === 'number' ? collection.fields.get(core) : undefined)
    return field === undefined || !window.shows(field.meta)
      ? []
      : [serializeField(collection, { ...field, name }, window)]
  })
  return collection.system ? inForms(collection.name, shown) : shown
}

/** Names in this generation and in core; system collections show only some fields. */
function shownNames(
  { view }: Pick<Context, 'view'>,
  collection: Collection,
): readonly { readonly name: string; readonly field: string }[] {
  if (!collection.system) return [...collection.fields.keys()].map((name) => ({ name, field: name }))
  return [...(view.byCore.get(collection.name)?.fields.values() ?? [])]
}

/** Serializes a field; `name` is its name in this generation. */
export function serializeField(collection: Collection, field: Field, { mask }: MetadataWindow): Schemas['Field'] {
  const { name, column } = field
  const row = mask(field.meta) ?? {}
  const [type, datatype] = typeOf(collection, field)
  const isKey = isIdentityCollection(collection.name) ? name === 'id' : column?.primaryKey === true
  return {
    collection: shownCollection(collection.name),
    field: name,
    datatype,
    unique: column?.unique ?? false,
    primary_key: isKey,
    auto_increment: column?.autoIncrement ?? false,
    default_value: shownDefault(field),
    note: textAt(row, 'note'),
    signed: true,
    id: typeof row['id'] === 'number' ? row['id'] : null,
    type,
    sort: typeof row['sort'] === 'number' ? row['sort'] : 0,
    interface: textAt(row, 'interface'),
    hidden_detail: row['hidden'] === true,
    hidden_browse: row['hidden_browse'] === true,
    required: row['required'] === true,
    options: (row['options'] ?? choicesOf(field)) as NonNullable<Schemas['Field']['options']> | null,
    locked: collection.system || row['locked'] === true,
    translation: toLocales(row['translations']),
    readonly: row['readonly'] === true,
    width: textAt(row, 'width'),
    validation: toPattern(name, row['validation']),
    group: groupNumber(collection, textAt(row, 'group')),
    length: lengthOf(field, datatype),
  }
}

/** The values of an enum type as the choices of a select. */
const choicesOf = ({ column }: Field) =>
  column?.values === undefined ? null : { choices: Object.fromEntries(column.values.map((word) => [word, word])) }

/** Type and datatype: as declared, otherwise derived from flags and column. */
function typeOf(collection: Collection, field: Field): readonly [type: FieldTypeName, datatype: string | null] {
  const [guessed, datatype] = guesses[field.type]
  const declared = textAt(field.meta ?? {}, 'type')
  const column =
    field.relation?.kind === 'many-to-one' && isIdentityCollection(field.relation.collection)
      ? 'INT'
      : field.type === 'boolean'
        ? datatype
        : (narrow[field.column?.dataType ?? ''] ?? datatype)
  if (declared !== null && Object.hasOwn(fieldTypes, declared)) return [declared as FieldTypeName, column]
  return [flaggedType(collection, field) ?? guessed, column]
}

function flaggedType(collection: Collection, { name, special, relation, type }: Field): FieldTypeName | null {
  const flagged = Object.entries(flagTypes).find(([flag]) => (special as readonly string[]).includes(flag))
  if (flagged !== undefined) return flagged[1]
  if (relation?.kind === 'one-to-many') return 'o2m'
  if (relation?.kind === 'many-to-one') {
    if (relation.collection === 'platform_files') return 'file'
    return relation.collection === 'platform_users' ? 'user' : 'm2o'
  }
  if (collection.sortField === name) return 'sort'
  return collection.archive?.field === name && type !== 'boolean' ? 'status' : null
}

const flagTypes: { readonly [flag: string]: FieldTypeName } = {
  'user-created': 'owner',
  'user-updated': 'user_updated',
  'date-created': 'datetime_created',
  'date-updated': 'datetime_updated',
  translations: 'translation',
  group: 'group',
  file: 'file',
  hash: 'hash',
  'keyed-hash': 'hash',
}

/** The length as text: characters, or digits of numbers; null for unlimited. */
function lengthOf({ column }: Field, datatype: string | null): string | null {
  if (column === null || datatype === null) return null
  if (datatype === 'INT') return '10'
  if (datatype === 'BIGINT') return '19'
  if (datatype === 'SMALLINT') return '5'
  if (datatype === 'TINYINT') return '1'
  if (datatype === 'CHAR') return column.maxLength === null ? '36' : String(column.maxLength)
  if (datatype === 'DECIMAL') return `${column.precision ?? 10},${column.scale ?? 0}`
  return datatype === 'VARCHAR' ? String(column.maxLength ?? 255) : null
}

/** The number of the group's row; a group is a field of the same collection. */
function groupNumber({ fields }: Collection, group: string | null): number | null {
  const id = group === null ? null : fields.get(group)?.meta?.['id']
  return typeof id === 'number' ? id : null
}

/** `[{language, translation}]` → `[{locale, translation}]`. */
function toLocales(stored: unknown): Schemas['Locales'] | null {
  if (!Array.isArray(stored)) return null
  const rows = stored.filter((each): each is MetadataRow => typeof each === 'object' && each !== null)
  return rows.map(({ language, locale = language, ...rest }) => ({ locale, ...rest })) as Schemas['Locales']
}

/** Returns `{id, collection_many, field_many, …}`; `id` is null without settings. */
export function serializeRelation(ctx: Pick<Context, 'view'>, relation: Relation): Schemas['Relation'] {
  const { id, manyCollection, manyField, oneCollection, oneField, junctionField } = relation
  return {
    id,
    collection_many: shownCollection(manyCollection),
    field_many: nameOf(ctx, manyCollection, manyField),
    collection_one: oneCollection === null ? null : shownCollection(oneCollection),
    field_one: oneCollection === null || oneField === null ? null : nameOf(ctx, oneCollection, oneField),
    junction_field: junctionField,
  }
}

const nameOf = ({ view }: Pick<Context, 'view'>, collection: string, field: string): string =>
  view.byCore.get(collection)?.byCore.get(field)?.name ?? field

/** The only entry of a list. */
export function firstOf<T>([only]: readonly T[]): T {
  if (only === undefined) throw new Error('The written entry no longer exists')
  return only
}

/** Splits a comma-separated path into names. */
export const splitNames = (names: string): readonly string[] => listAt({ names }, 'names').map((each) => each.trim())
