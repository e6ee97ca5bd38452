/** A data model as TypeScript, in the words of the SDK's schemas. */

export type ModelField = {
  readonly collection: string
  readonly field: string
  readonly type?: string | null
  readonly schema?: {
    readonly is_nullable?: boolean
    readonly is_primary_key?: boolean
    readonly is_generated?: boolean
    readonly has_auto_increment?: boolean
    readonly default_value?: unknown
  } | null
  readonly meta?: {
    readonly note?: string | null
    readonly interface?: string | null
    readonly options?: { readonly [name: string]: unknown } | null
    readonly special?: readonly string[] | null
  } | null
}

export type ModelRelation = {
  readonly collection: string
  readonly field: string
  readonly related_collection?: string | null
  readonly meta?: {
    readonly one_field?: string | null
    readonly one_collection_field?: string | null
    readonly one_allowed_collections?: readonly string[] | null
  } | null
}

export type ModelCollection = {
  readonly collection: string
  readonly meta?: { readonly singleton?: boolean; readonly note?: string | null } | null
  readonly schema?: unknown
}

/** What a caller may do with a collection: fields by action, and values that the server fills in. */
export type Right = { readonly fields?: readonly string[] | null; readonly presets?: object | null }
export type Rights = { readonly [action: string]: Right | undefined }

export type DataModel = {
  readonly collections: readonly ModelCollection[]
  readonly fields: readonly ModelField[]
  readonly relations: readonly ModelRelation[]
  /** Rights by collection; null = all. */
  readonly rights: { readonly [collection: string]: Rights } | null
}

/** A record of the platform: its type in the SDK, and its properties. */
export type SystemRecord = { readonly name: string; readonly properties: ReadonlySet<string>; readonly key: string }

/** What the types are made of; `names` are those of the items by collection. */
type World = {
  readonly model: DataModel
  readonly records: ReadonlyMap<string, SystemRecord>
  readonly names: ReadonlyMap<string, string>
  readonly fields: ReadonlyMap<string, readonly ModelField[]>
}

/** The text of the module: an interface per collection, and `Schema` for `createCurrentClient<Schema>`. */
export function typesOfModel(model: DataModel, records: ReadonlyMap<string, SystemRecord>): string {
  const world = createWorld(model, records)
  const shown = model.collections
    .filter(({ collection }) => world.names.has(collection))
    .toSorted((a, b) => byText(a.collection, b.collection))
  const parts = shown.map((collection) => itemText(world, collection))
  const body = parts.join('\n')
  const members = shown.map(({ collection, meta }) => {
    const list = meta?.singleton === true && !records.has(collection) ? '' : '[]'
    return `  ${nameText(collection)}: ${world.names.get(collection)}${list}\n`
  })
  return [
    '// Written by `tandem types`. Write it anew when the data model or the rights change.\n',
    importText(body, records),
    `/** The collections: \`createCurrentClient<Schema>(…)\`. */\nexport interface Schema {\n${members.join('')}}\n\n`,
    body,
  ].join('')
}

function createWorld(model: DataModel, records: ReadonlyMap<string, SystemRecord>): World {
  const added = model.fields.filter(
    ({ collection, field, meta }) =>
      records.get(collection)?.properties.has(field) !== true && meta?.special?.includes('no-data') !== true,
  )
  const fields = byCollection(added.toSorted(keysFirst))
  const taken = new Set([...sdkWords, 'Schema', ...[...records.values()].map(({ name }) => name)])
  const own = model.collections
    .filter(({ collection, schema }) =>
      records.has(collection) ? fields.has(collection) : schema !== null && !collection.startsWith('platform_'),
    )
    .map(({ collection }) => [collection, freeName(collection, taken)] as const)
  return { model, records, fields, names: new Map(own) }
}

/** What `Map.groupBy` does, which Node 20 does not have. */
function byCollection(fields: readonly ModelField[]): ReadonlyMap<string, readonly ModelField[]> {
  const groups = new Map<string, ModelField[]>()
  for (const field of fields) {
    const group = groups.get(field.collection)
    if (group === undefined) groups.set(field.collection, [field])
    else group.push(field)
  }
  return groups
}

/** Servers and snapshots tell in different orders. */
const keysFirst = (a: ModelField, b: ModelField): number =>
  Number(b.schema?.is_primary_key === true) - Number(a.schema?.is_primary_key === true) || byText(a.field, b.field)

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function freeName(collection: string, taken: Set<string>): string {
  const words = collection.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const plain = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const base = /^\p{L}/u.test(plain) ? plain : `Item${plain}`
  let name = base
  for (let count = 2; taken.has(name); count++) name = count === 2 ? `${base}Item` : `${base}Item${count}`
  taken.add(name)
  return name
}

const sdkWords = [
  'AnyOf',
  'BigInteger',
  'Csv',
  'DateTime',
  'Decimal',
  'Float',
  'Geometry',
  'Json',
  'Rules',
  'Uuid',
] as const

/** Where applications import the types of values from. */
const sdk = '@tandem/sdk/current'

function importText(body: string, records: ReadonlyMap<string, SystemRecord>): string {
  const words = [...sdkWords, ...[...records.values()].map(({ name }) => name)]
  const used = words.filter((word) =>
    new RegExp(String.raw`(?<![\w'"])${word}\b(?!['"?:])`).test(withoutComments(body)),
  )
  return used.length === 0 ? '\n' : `import type { ${used.toSorted().join(', ')} } from '${sdk}'\n\n`
}

const withoutComments = (text: string): string => text.replaceAll(/^\s*\/\*\*.*\*\/$/gm, '')

function itemText(world: World, { collection, meta }: ModelCollection): string {
  const name = world.names.get(collection) ?? ''
  const record = world.records.get(collection)
  const typed = (world.fields.get(collection) ?? []).flatMap((field) => {
    const type = typeOf(world, field)
    return type === null ? [] : [{ field, type }]
  })
  const required = typed.filter(({ field }) => isRequired(world, field)).map(({ field }) => field.field)
  const readOnly = typed.filter(({ field }) => isReadOnly(world, field)).map(({ field }) => field.field)
  const rules = required.length + readOnly.length === 0 ? null : `Rules<${wordsText(required)}, ${wordsText(readOnly)}>`
  const members = typed.map(
    ({ field, type }) => `${commentText(field.meta?.note, '  ')}  ${nameText(field.field)}: ${type}\n`,
  )
  const head = commentText(meta?.note, '')
  if (record !== undefined) {
    const parts = [record.name, ...(rules === null ? [] : [rules])].join(' & ')
    return `${head}export type ${name} = ${parts} & {\n${members.join('')}}\n`
  }
  return `${head}export interface ${name}${rules === null ? '' : ` extends ${rules}`} {\n${members.join('')}}\n`
}

const wordsText = (names: readonly string[]): string => (names.length === 0 ? 'never' : names.map(quoted).join(' | '))

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`

const nameText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

const commentText = (note: string | null | undefined, indent: string): string =>
  note === null || note === undefined || note.trim() === ''
    ? ''
    : `${indent}/** ${note.trim().replaceAll(/\s+/g, ' ').replaceAll('*/', '* /')} */\n`

const has = (right: Right | undefined, field: string): boolean =>
  right !== undefined && (right.fields?.includes('*') === true || right.fields?.includes(field) === true)

const rightsOf = ({ model }: World, collection: string): Rights | null =>
  model.rights === null ? null : (model.rights[collection] ?? {})

/** What the database computes, and what the caller may neither create nor change. */
function isReadOnly(world: World, { collection, field, schema }: ModelField): boolean {
  if (schema?.is_generated === true) return true
  const rights = rightsOf(world, collection)
  return rights !== null && !has(rights['create'], field) && !has(rights['update'], field)
}

/** Specials with which the server gives a value when an item is created. */
const filling: ReadonlySet<string> = new Set(['uuid', 'date-created', 'user-created', 'role-created'])

/** What takes no null, and has no value but the one that is given. */
function isRequired(world: World, { collection, field, schema, meta }: ModelField): boolean {
  if (schema?.is_nullable !== false || schema.is_generated === true || schema.has_auto_increment === true) return false
  if ((schema.default_value ?? null) !== null || meta?.special?.some((word) => filling.has(word)) === true) return false
  const rights = rightsOf(world, collection)
  if (rights === null) return true
  return has(rights['create'], field) && !Object.hasOwn(rights['create']?.presets ?? {}, field)
}

/** The type of a field; null for what has no value. */
function typeOf(world: World, field: ModelField): string | null {
  const { model } = world
  const outgoing = model.relations.find((each) => each.collection === field.collection && each.field === field.field)
  if (outgoing !== undefined) return orNull(field, outgoingType(world, field, outgoing))
  const incoming = model.relations.find(
    (each) => each.related_collection === field.collection && each.meta?.one_field === field.field,
  )
  if (incoming !== undefined) {
    const { key, item } = targetOf(world, incoming.collection)
    return item === null ? `(${key})[]` : `${listOf(key)} | ${item}[]`
  }
  if (field.schema === null || field.schema === undefined) return null
  const anyOf = model.relations.find(
    ({ collection, meta }) => collection === field.collection && meta?.one_collection_field === field.field,
  )
  const named = anyOf?.meta?.one_allowed_collections ?? []
  return orNull(field, named.length > 0 ? named.map(quoted).join(' | ') : plainType(field))
}

const listOf = (type: string): string => (type.includes(' ') ? `(${type})[]` : `${type}[]`)

const orNull = ({ schema }: ModelField, type: string): string =>
  schema?.is_nullable === false ? type : `${type} | null`

function outgoingType(world: World, field: ModelField, { related_collection: related, meta }: ModelRelation): string {
  if (related === null || related === undefined) {
    const named = (meta?.one_allowed_collections ?? []).filter(
      (name) => world.names.has(name) || world.records.has(name),
    )
    return named.length === 0 ? plainType(field) : `AnyOf<${named.map(quoted).join(' | ')}>`
  }
  const { item } = targetOf(world, related)
  return item === null ? plainType(field) : `${plainType(field)} | ${item}`
}

/** The key of a collection's items, and their type, if there is one. */
function targetOf(world: World, collection: string): { readonly key: string; readonly item: string | null } {
  const record = world.records.get(collection)
  const [key, ...others] = world.fields.get(collection)?.filter(({ schema }) => schema?.is_primary_key === true) ?? []
  // A key of several columns is one text.
  const type = key === undefined ? 'string | number' : others.length > 0 ? 'string' : plainType(key)
  return {
    key: record?.key ?? type,
    item: world.names.get(collection) ?? record?.name ?? null,
  }
}

function plainType(field: ModelField): string {
  const words = wordsOf(field)
  if (words !== null) return words.join(' | ')
  const type = field.type ?? 'unknown'
  if (type.startsWith('geometry')) return 'Geometry'
  return Object.hasOwn(plainTypes, type) ? (plainTypes[type] as string) : 'unknown'
}

const plainTypes: { readonly [type: string]: string } = {
  string: 'string',
  text: 'string',
  hash: 'string',
  binary: 'string',
  boolean: 'boolean',
  integer: 'number',
  float: 'Float',
  bigInteger: 'BigInteger',
  decimal: 'Decimal',
  dateTime: 'DateTime',
  timestamp: 'DateTime',
  date: 'DateTime',
  time: 'DateTime',
  json: 'Json<{ [key: string]: unknown } | unknown[]>',
  csv: 'Csv',
  uuid: 'Uuid',
}

/** The words that a field offers, where others cannot be chosen. */
function wordsOf({ type, meta }: ModelField): readonly string[] | null {
  const { choices, allowOther } = meta?.options ?? {}
  if (!/^select-(dropdown|radio)$/.test(meta?.interface ?? '') || !Array.isArray(choices) || allowOther === true)
    return null
  const values = choices.map((choice) => (choice as { readonly value?: unknown } | null)?.value)
  if (type === 'integer' && values.length > 0 && values.every((value) => Number.isInteger(value)))
    return values.map(String)
  const isText = (type === 'string' || type === 'text') && values.length > 0
  return isText && values.every((value) => typeof value === 'string') ? values.map(quoted) : null
}
