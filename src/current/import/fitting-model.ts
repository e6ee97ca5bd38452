/** The parts of a foreign data model that can be made here. What cannot is left out or changed, and named. */
import { isClosed } from '../../core/model/schema-change.ts'
import { takesGeometry } from '../../core/model/table-kinds.ts'
import { isSystemCollection, isSystemName } from '../../domain/model/system-collections.ts'
import type { Context } from '../../domain/ports/context.ts'
import { isAdded } from '../../domain/schema/added-fields.ts'
import { entryKey, otherSideOf, type Snapshot } from '../sync/schema-snapshot.ts'

type Field = Snapshot['fields'][number]
type Relation = Snapshot['relations'][number]

type FittingModel = { readonly snapshot: Snapshot; readonly misses: readonly string[] }

/** One part that does not fit never keeps the project from being taken. */
export async function fittingModel(
  { schema, db }: Pick<Context, 'schema' | 'db'>,
  input: Snapshot,
): Promise<FittingModel> {
  const misses: string[] = []
  const stored = <T>(entries: readonly T[], reasonOf: (entry: T) => string | null): T[] =>
    entries.filter((entry) => {
      const reason = reasonOf(entry)
      if (reason !== null) misses.push(`Not taken: ${reason}`)
      return reason === null
    })
  const collections = stored(input.collections, ({ collection }) =>
    isSystemName(collection) ? `the collection ${collection}; such names are those of the system here` : null,
  )
  const hasShapes = !input.fields.some(isShape) || (await takesGeometry({ db }))
  const names = new Set(collections.map(({ collection }) => collection))
  const isThere = (name: string): boolean => names.has(name) || isSystemCollection(name)
  const fields = stored(
    input.fields.filter((field) => !isOwnHere(schema, field)),
    (field) => reasonAgainstField(field, isThere),
  ).map((field) => fittingField(isShape(field) && !hasShapes ? asJson(field, misses) : field, misses))
  const columns = new Set(fields.filter(({ schema: column }) => column != null).map(entryKey))
  const relations = stored(
    input.relations.map((relation) => fittingRelation(relation, { isThere, columns })),
    (relation) => obstacleTo(relation, { isThere, columns }),
  )
  const lost = input.relations.filter((each) => !relations.some((other) => entryKey(other) === entryKey(each)))
  const lists = new Set(lost.flatMap(otherSideOf).map(entryKey))
  return {
    snapshot: { ...input, collections, fields: fields.filter((each) => !lists.has(entryKey(each))), relations },
    misses,
  }
}

function reasonAgainstField(field: Field, isThere: PresentModel['isThere']): string | null {
  const { collection } = field
  if (!isThere(collection)) return `the field ${entryKey(field)}; its collection is not here`
  return isClosed(collection) ? `the field ${entryKey(field)}; ${collection} takes no further fields` : null
}

/** Added to a system collection there, and a part of it here. */
function isOwnHere(schema: Context['schema'], { collection, field }: Field): boolean {
  const own = schema.collections.get(collection)
  const cached = own?.fields.get(field)
  return own?.system === true && cached !== undefined && !isAdded(cached)
}

const isShape = ({ type, schema: column }: Field): boolean => column != null && type?.startsWith('geometry') === true

/** For a database without types of geometry: the shapes stay as GeoJSON. */
function asJson(field: Field, misses: string[]): Field {
  misses.push(`Of the type ${field.type} there and json here, because the database has no geometry: ${entryKey(field)}`)
  const { schema: column } = field
  return {
    ...field,
    type: 'json',
    schema: column == null ? null : { ...column, data_type: 'json', default_value: null },
  }
}

/** Types that only a database knows become plain ones, and computed columns hold their values. */
function fittingField(field: Field, misses: string[]): Field {
  const { schema: column, type, collection } = field
  if (column == null) return field
  // A column that was added to a system collection is known by its metadata.
  const meta = field.meta == null && isSystemName(collection) ? { collection, field: field.field } : field.meta
  const fitting = { ...field, ...(meta === undefined ? {} : { meta }) }
  if (column.is_generated === true) {
    misses.push(`Computed there and an ordinary column here: ${entryKey(field)}`)
    return { ...fitting, schema: { ...column, is_generated: false, generation_expression: null, default_value: null } }
  }
  if (type !== 'unknown' && type != null) return fitting
  const isList = column.data_type === 'ARRAY' || column.data_type?.endsWith('[]') === true
  misses.push(
    `Of the type ${column.data_type ?? 'unknown'} there and ${isList ? 'json' : 'text'} here: ${entryKey(field)}`,
  )
  return { ...fitting, type: isList ? 'json' : 'text', schema: { ...column, default_value: null } }
}

type PresentModel = { readonly isThere: (name: string) => boolean; readonly columns: ReadonlySet<string> }

/** A relation names only what is here: collections of a many-to-any, fields of its own table. */
function fittingRelation(relation: Relation, { isThere, columns }: PresentModel): Relation {
  const { collection, meta } = relation
  if (meta == null) return relation
  const own = (field: string | null | undefined): string | null =>
    field != null && columns.has(entryKey({ collection, field })) ? field : null
  return {
    ...relation,
    meta: {
      ...meta,
      ...(meta.one_allowed_collections == null
        ? {}
        : { one_allowed_collections: meta.one_allowed_collections.filter(isThere) }),
      junction_field: own(meta.junction_field),
      sort_field: own(meta.sort_field),
    },
  }
}

function obstacleTo(relation: Relation, { isThere, columns }: PresentModel): string | null {
  const { related_collection: related, meta } = relation
  const label = `the relation ${entryKey(relation)}`
  if (!columns.has(entryKey(relation))) return `${label}; its field is not in the data model of the source`
  if (related != null) return isThere(related) ? null : `${label}; the collection ${related} is not here`
  if (meta?.one_collection_field == null) return `${label}; it leads to no collection`
  return (meta.one_allowed_collections ?? []).length > 0 ? null : `${label}; none of its collections are here`
}
