/** Converts bodies about the data model to drafts of core. */
import type { CollectionDraft } from '../../core/model/collections.ts'
import type { ColumnDraft, FieldDraft } from '../../core/model/field-plan.ts'
import { textAt } from '../../domain/model/metadata.ts'
import { isSystemName } from '../../domain/model/system-collections.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import type { components } from '../../generated/legacy.ts'
import { datatypes, factsOf, guesses, suits, type TypeFacts, typeName } from './field-types.ts'
import { type WithBooleans, withBooleans } from './flags.ts'
import { refuseModel } from './refuse.ts'
import { toCondition } from './validation.ts'

type Schemas = components['schemas']
type FieldInput = WithBooleans<Schemas['FieldInput']>
type Row = { readonly [column: string]: unknown }

/** Parses a new collection; throws if it exists or if its fields contradict each other. */
export function parseCollection(schema: Schema, body: Schemas['CollectionCreation']): CollectionDraft {
  const { collection: name } = body
  const fields = listed(body.fields).map(withBooleans)
  if (schema.collections.has(name)) {
    refuseModel('collection-exists', 'collection', `Collection "${name}" already exists`)
  }
  if (isSystemName(name)) refuseModel('contradictory', 'collection', `Expected another name than "${name}"`)
  const keys = fields.filter((field) => field.primary_key === true)
  if (keys.length !== 1) refuseModel('contradictory', 'fields', `Expected one primary key but received ${keys.length}`)
  return {
    name,
    table: { comment: null },
    meta: collectionRow(body),
    fields: fields.map((field) => parseField(nameOf(field), field, null)),
  }
}

/** Fields as a list; reads show them by their names. */
export function listed(fields: Schemas['CollectionInput']['fields'] = []): readonly Schemas['FieldInput'][] {
  return Array.isArray(fields) ? fields : Object.values(fields)
}

function nameOf({ field }: Pick<FieldInput, 'field'>): string {
  return field ?? refuseModel('contradictory', 'field', 'field: This value should not be blank.')
}

/** Settings of a collection in core's form. */
export function collectionRow(body: Schemas['CollectionInput']): Row {
  const { hidden, single, icon, note, translation } = withBooleans(body)
  return present({ hidden, singleton: single, icon, note, translations: toLanguages(translation) })
}

/** Parses a new or changed field; `collection` is its current collection. */
export function parseField(name: string, sent: Schemas['FieldInput'], collection: Collection | null): FieldDraft {
  const body = withBooleans(sent)
  const facts = body.type === undefined ? null : typeNamed(body.type)
  const isAlias = facts?.alias === true
  const before = collection?.fields.get(name) ?? null
  const drafted = isAlias ? {} : columnOf(body, facts, before?.type ?? null)
  // Where only some statuses ask for required fields, the column takes nulls.
  const column = collection?.requiredBy === undefined || body.nullable != null ? drafted : anyNullable(drafted)
  const stored = facts ?? (body.datatype == null ? null : presentFacts(before))
  return {
    name,
    ...(isAlias ? { type: aliasKinds[facts.special ?? 'alias'] ?? 'alias' } : {}),
    ...(stored === null || isAlias || keepsColumn(body, before) ? {} : { type: storedType(body, stored) }),
    ...(Object.keys(column).length > 0 ? { column } : {}),
    meta: fieldRow(name, body, { facts, collection }),
  }
}

const aliasKinds: { readonly [special: string]: string } = { o2m: 'o2m', translations: 'translations' }

function typeNamed(type: string): TypeFacts {
  return factsOf(type) ?? refuseModel('unknown-type', 'type', `Unknown type: ${type}`)
}

/** Properties of a field whose type stays; null if its datatype does not determine the column. */
function presentFacts(field: Field | null): TypeFacts | null {
  if (field === null || field.relation !== null || field.column === null || field.type === 'unknown') return null
  const facts = factsOf(textAt(field.meta ?? {}, 'type') ?? guesses[field.type][0])
  return facts === null || facts.alias === true ? null : facts
}

/** Whether only the type of the field changes, to one that its column suits. */
const keepsColumn = ({ type, datatype }: FieldInput, before: Field | null): boolean =>
  type !== undefined && datatype == null && before?.column != null && suits(type, before)

/** The column's type: from the field's type, otherwise from the datatype. */
function storedType({ datatype, field = '' }: FieldInput, { stored }: TypeFacts): string {
  if (stored !== undefined) return stored
  if (datatype == null) {
    return refuseModel('contradictory', 'datatype', `Field "${field}": a datatype is required`)
  }
  const type = datatypes.get(datatype.toLowerCase())
  return type?.stored ?? refuseModel('unknown-type', 'datatype', `Unknown type: ${datatype}`)
}

function columnOf(body: FieldInput, facts: TypeFacts | null, before: FieldType | null): ColumnDraft {
  const { required, unique, primary_key: primaryKey, auto_increment: autoIncrement, default_value: defaultValue } = body
  const isKey = facts?.related !== undefined
  const nullable = body.nullable ?? (required === undefined ? undefined : !required)
  return present({
    ...(isKey ? {} : sizesOf(body, facts, before)),
    dataType: isKey ? undefined : widthOf(body),
    nullable: primaryKey === true ? undefined : nullable,
    unique,
    primaryKey,
    autoIncrement,
    defaultValue,
  })
}

/** Parses `120` as a length, `"10,2"` as precision and scale. */
function sizesOf(body: FieldInput, facts: TypeFacts | null, before: FieldType | null) {
  const { datatype, length, field = '' } = body
  const existing = datatypes.get(datatype?.toLowerCase() ?? '')
  if (length === undefined || length === null) {
    if (existing?.length !== 'needed' || facts === null) return {}
    return refuseModel('length-missing', 'length', `Field "${field}": ${datatype} needs a length`)
  }
  if (existing?.length === 'none') {
    return refuseModel('length-unsupported', 'length', `Field "${field}" does not support length`)
  }
  if (String(length).startsWith("'")) return sizeOfWords(body, String(length))
  const [first = 0, second] = String(length).split(',').map(Number)
  const stored = facts?.stored ?? existing?.stored ?? before
  if (stored === 'decimal') return { precision: first, scale: second ?? 0 }
  return stored === 'string' || stored === 'csv' || stored === 'hash' ? { length: first } : {}
}

/** The words of an enumeration or a set, which version 8 has in place of a length: `'a','b'`. */
function sizeOfWords({ datatype: declared, field = '' }: FieldInput, list: string) {
  const datatype = declared ?? ''
  const words = list.slice(1, -1).split("','")
  if (/^enum$/i.test(datatype)) return { length: Math.max(1, ...words.map((word) => word.length)) }
  if (/^set$/i.test(datatype)) return { length: Math.max(1, words.join(',').length) }
  return refuseModel('contradictory', 'length', `Field "${field}": ${datatype} has a number as its length`)
}

/** The SQL type of a number. A smallint without sign needs more than a signed one can hold. */
function widthOf({ datatype, signed }: FieldInput): string | undefined {
  const name = datatype?.toLowerCase() ?? ''
  return datatypes.get(name === 'smallint' && signed === false ? 'int' : name)?.dataType
}

type FieldFacts = { readonly facts: TypeFacts | null; readonly collection: Collection | null }

function fieldRow(name: string, body: FieldInput, { facts, collection }: FieldFacts): Row {
  const { type, options, readonly, required, note, width, sort, locked, translation, validation, group } = body
  return present({
    type: type === undefined ? undefined : typeName(type),
    special: facts?.special === undefined ? undefined : [facts.special],
    interface: body.interface,
    options,
    readonly,
    required,
    note,
    width,
    sort,
    locked,
    hidden: body.hidden_detail,
    hidden_browse: body.hidden_browse,
    translations: toLanguages(translation),
    validation: validation === undefined ? undefined : toCondition(name, validation),
    group: group === undefined ? undefined : groupName(collection, group),
  })
}

/** Finds the group field by the number of its row. */
function groupName(collection: Collection | null, group: number | null): string | null {
  if (group === null) return null
  const groupField = [...(collection?.fields.values() ?? [])].find(({ meta }) => meta?.['id'] === group)
  return (
    groupField?.name ?? refuseModel('contradictory', 'group', `Expected the number of a group but received ${group}`)
  )
}

/** `[{locale, translation}]` or `{locale: translation}` → `[{language, translation}]`; null for no text at all. */
function toLanguages(input: Schemas['LocalesInput'] | undefined): unknown {
  if (input === undefined || input === null) return input
  if (Array.isArray(input)) return input.map(({ locale, ...rest }) => ({ language: locale, ...rest }))
  const texts = Object.entries(input)
  return texts.length === 0 ? null : texts.map(([language, translation]) => ({ language, translation }))
}

const anyNullable = (draft: ColumnDraft): ColumnDraft =>
  Object.fromEntries(Object.entries(draft).filter(([name]) => name !== 'nullable'))

/** Drops undefined values; keeps null. */
function present<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

/** The relation that the type of a new field implies, if any. */
export function impliedRelation(collection: string, { name, meta }: FieldDraft) {
  const type = meta?.['type']
  const related = typeof type === 'string' ? factsOf(type)?.related : undefined
  return related === undefined
    ? null
    : { collection, field: name, related, constraint: { onDelete: 'SET NULL' }, meta: {} }
}
