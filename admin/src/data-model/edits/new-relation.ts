/** New relations as changes of the data model: each returns the collections that are new or changed. */
import type { Collection } from '../../model/model.ts'
import type { Collections, Entry, FieldEntry } from './configuration.ts'

export type Refusal = 'field_taken' | 'collection_taken'

/** The name of a new relation is taken. `values`: the names, for the text of the refusal. */
export class NameTaken extends Error {
  readonly refusal: Refusal
  readonly values: { readonly collection: string; readonly field?: string }

  constructor(refusal: Refusal, values: NameTaken['values']) {
    super(`${refusal}: ${Object.values(values).join('.')}`)
    this.refusal = refusal
    this.values = values
  }
}

export type NewRelation = {
  readonly collection: Collection
  readonly field: string
  /** The field of the other side; null = it has none. */
  readonly reverse: string | null
}

/** The collection that a relation to many makes. */
export const junctionOf = ({ collection, field }: Pick<NewRelation, 'collection' | 'field'>): string =>
  `${collection.name}_${field}`

const keyTypeOf = ({ fields, key }: Collection): string => fields.find(({ field }) => field === key)?.type ?? 'integer'

type Special = 'm2m' | 'o2m' | 'm2a' | 'translations'

/** A field that has no column. */
const aliasOf = (name: string, special: Special) => ({
  [name]: {
    type: 'alias',
    display: { interface: special === 'translations' ? special : `list-${special}`, special: [special] },
  },
})

const withFields = (collections: Collections, name: string, fields: Entry['fields']): Collections => {
  const entry = collections[name] ?? { fields: {} }
  const taken = Object.keys(fields).find((field) => field in (entry.fields ?? {}))
  if (taken !== undefined) throw new NameTaken('field_taken', { collection: name, field: taken })
  return { ...collections, [name]: { ...entry, fields: { ...entry.fields, ...fields } } }
}

const withCollection = (collections: Collections, name: string, entry: Entry): Collections => {
  if (name in collections) throw new NameTaken('collection_taken', { collection: name })
  return { ...collections, [name]: entry }
}

const only = (collections: Collections, names: readonly string[]): Collections =>
  Object.fromEntries(names.flatMap((name) => (collections[name] === undefined ? [] : [[name, collections[name]]])))

/** A column with a foreign key. */
export function toOne(all: Collections, { collection, field, reverse }: NewRelation, target: Collection): Collections {
  const relation = { to: target.name, ...(reverse !== null && { options: { one_field: reverse } }) }
  const column = { type: keyTypeOf(target), display: { interface: 'select-dropdown-m2o' }, relation }
  const there = withFields(all, collection.name, { [field]: column })
  const both = reverse === null ? there : withFields(there, target.name, aliasOf(reverse, 'o2m'))
  return only(both, [collection.name, target.name])
}

/** A column of a junction collection. */
const sideOf = (to: Collection, options: object): FieldEntry => ({
  type: keyTypeOf(to),
  relation: { to: to.name, on_delete: 'CASCADE', options },
})

/** A hidden collection of pairs. */
const pairsOf = (fields: Entry['fields']): Entry => ({
  display: { hidden: true },
  fields: { id: { type: 'integer', column: { is_primary_key: true, has_auto_increment: true } }, ...fields },
})

/** A table of pairs, and a field that shows them. */
export function toMany(all: Collections, relation: NewRelation, target: Collection): Collections {
  const { collection, field, reverse } = relation
  const junction = junctionOf(relation)
  const own = `${collection.name}_id`
  const other = target.name === collection.name ? `related_${target.name}_id` : `${target.name}_id`
  const pairs = pairsOf({
    [own]: sideOf(collection, { one_field: field, junction_field: other, one_deselect_action: 'delete' }),
    [other]: sideOf(target, { ...(reverse !== null && { one_field: reverse }), junction_field: own }),
  })
  const there = withFields(withCollection(all, junction, pairs), collection.name, aliasOf(field, 'm2m'))
  const both = reverse === null ? there : withFields(there, target.name, aliasOf(reverse, 'm2m'))
  return only(both, [junction, collection.name, target.name])
}

/** A table of the items in their order, each named by its collection and its key. */
export function toAny(all: Collections, relation: NewRelation, allowed: readonly string[]): Collections {
  const { collection, field } = relation
  const junction = junctionOf(relation)
  const own = `${collection.name}_id`
  const options = { one_field: field, junction_field: 'item', sort_field: 'sort', one_deselect_action: 'delete' }
  const ofItem = { one_collection_field: 'collection', one_allowed_collections: allowed, junction_field: own }
  const pairs = pairsOf({
    [own]: sideOf(collection, options),
    item: { type: 'string', relation: { to: null, options: ofItem } },
    collection: { type: 'string' },
    sort: { type: 'integer' },
  })
  const there = withFields(withCollection(all, junction, pairs), collection.name, aliasOf(field, 'm2a'))
  return only(there, [junction, collection.name])
}

/** The collection of languages that translations make where there is none. */
export const usualLanguages = 'languages'

const languagesEntry: Entry = {
  display: { display_template: '{{name}}' },
  fields: {
    code: { type: 'string', column: { is_primary_key: true }, display: { interface: 'input', required: true } },
    name: { type: 'string', display: { interface: 'input' } },
  },
}

/** `languages`: null = the collection of languages is made, too; `texts`: the fields of a translation. */
export type Translated = { readonly languages: Collection | null; readonly texts: readonly string[] }

/** A table of texts, one row a language. A text with the name of a field of the collection has its type and its input. */
export function toTranslations(all: Collections, relation: NewRelation, { languages, texts }: Translated): Collections {
  const { collection, field } = relation
  const junction = junctionOf(relation)
  const own = `${collection.name}_id`
  const [target, key] = [languages?.name ?? usualLanguages, languages?.key ?? 'code']
  const code = `${target}_${key}`
  const options = { one_field: field, junction_field: code, one_deselect_action: 'delete' }
  const language = { to: target, on_delete: 'CASCADE', options: { junction_field: own } }
  const pairs = pairsOf({
    [own]: sideOf(collection, options),
    [code]: { type: languages === null ? 'string' : keyTypeOf(languages), relation: language },
  })
  const rows = withFields({ [junction]: pairs }, junction, textsOf(collection, texts))
  const made = languages === null ? withCollection(all, target, languagesEntry) : all
  const whole = withCollection(made, junction, rows[junction] ?? pairs)
  const there = withFields(whole, collection.name, aliasOf(field, 'translations'))
  return only(there, [junction, collection.name, ...(languages === null ? [target] : [])])
}

const textsOf = ({ fields }: Collection, texts: readonly string[]): Entry['fields'] =>
  Object.fromEntries(
    texts.map((name, at) => {
      const { type = 'text', meta, schema } = fields.find(({ field }) => field === name) ?? {}
      const length = type === 'string' ? schema?.max_length : null
      const column = length ? { column: { max_length: length } } : {}
      return [name, { type, ...column, display: { interface: meta?.interface ?? 'input', sort: at + 1 } }]
    }),
  )
