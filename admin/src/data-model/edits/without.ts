/** The data model without a field or a collection, and without what the server deletes together with it. */
import type { Collections, Entry, FieldEntry } from './configuration.ts'

type Relation = {
  readonly to?: string | null
  readonly options?: {
    readonly one_field?: string
    readonly junction_field?: string
    readonly one_allowed_collections?: readonly string[]
  }
}

const relationOf = (entry: FieldEntry | undefined): Relation => entry?.['relation'] ?? {}

const without = <Value>(all: { readonly [name: string]: Value }, name: string): { readonly [name: string]: Value } =>
  Object.fromEntries(Object.entries(all).filter(([each]) => each !== name))

/** A folder of collections has no fields. */
const isFolder = (entry: Partial<Entry>): boolean => entry.fields === undefined

const editFields = (all: Collections, edit: (fields: Entry['fields'], collection: string) => Entry['fields']) =>
  Object.fromEntries(
    Object.entries(all).map(([name, entry]) => [
      name,
      isFolder(entry) ? entry : { ...entry, fields: edit(entry.fields, name) },
    ]),
  )

/** A column goes with the field of its other side; of a field without a column, the relation forgets the name. */
export function withoutField(all: Collections, collection: string, field: string): Collections {
  const { to, options = {} } = relationOf(all[collection]?.fields[field])
  const isGone = (name: string, each: string): boolean =>
    (name === collection && each === field) || (name === to && each === options.one_field)
  return editFields(all, (fields, name) =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([each]) => !isGone(name, each))
        .map(([each, entry]) => [each, forgetting(entry, name, collection, field)]),
    ),
  )
}

/** The entry of a field of `name`, whose relation no longer names the field that goes. */
function forgetting(entry: FieldEntry, name: string, collection: string, field: string): FieldEntry {
  const relation = relationOf(entry)
  const { one_field: one, junction_field: junction, ...options } = relation.options ?? {}
  const isOne = relation.to === collection && one === field
  const isJunction = name === collection && junction === field
  if (!isOne && !isJunction) return entry
  const left = {
    ...(!isOne && one && { one_field: one }),
    ...(!isJunction && junction && { junction_field: junction }),
  }
  return { ...entry, relation: { ...relation, options: { ...options, ...left } } }
}

/** Columns of other collections that refer to it go, too; a many-to-any no longer allows it, and ends with its last one. */
export function withoutCollection(all: Collections, collection: string): Collections {
  const columns = Object.entries(all).flatMap(([name, entry]) =>
    Object.entries(isFolder(entry) ? {} : entry.fields)
      .map(([field, column]) => ({ name, field, to: relationOf(column).to }))
      .filter(({ to }) => to != null && (name === collection || to === collection)),
  )
  const left = without(
    columns.reduce((rest, { name, field }) => withoutField(rest, name, field), all),
    collection,
  )
  return editFields(left, (fields) =>
    Object.fromEntries(Object.entries(fields).map(([field, entry]) => [field, disallowing(entry, collection)])),
  )
}

function disallowing(entry: FieldEntry, collection: string): FieldEntry {
  const { relation: _, ...column } = entry
  const { options = {}, ...relation } = relationOf(entry)
  const allowed = options.one_allowed_collections
  if (allowed?.includes(collection) !== true) return entry
  const rest = allowed.filter((each) => each !== collection)
  return rest.length === 0
    ? column
    : { ...column, relation: { ...relation, options: { ...options, one_allowed_collections: rest } } }
}
