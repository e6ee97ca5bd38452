/**
 * This generation's view of the schema: user collections under their own names, integer ids for system rows, dates as
 * `YYYY-MM-DD HH:MM:SS`, decimals as JSON numbers.
 */
import { memoizeBy } from '../../domain/memoize.ts'
import { systemPrefix } from '../../domain/model/system-collections.ts'
import { showNames } from '../../domain/model/system-spelling.ts'
import { isAdded } from '../../domain/schema/added-fields.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import type { Codec, CollectionView, FieldView, View } from '../../domain/schema/view.ts'
import { collectionCodec, shownCollection } from '../model/collection-names.ts'
import { systemFields } from './system-fields.ts'

/** Creates the view of a schema; call it once per schema version. `prefix`: that of the names of system collections. */
export function createView(schema: Schema, prefix = systemPrefix): View {
  const names = collectionCodec(schema, prefix)
  const collections = [...schema.collections.values()].flatMap((collection) => {
    if (!collection.system) return viewOwn(collection) ?? []
    const view = viewCollection(collection, names)
    return view === null ? [] : [{ ...view, name: showNames(view.name, prefix) }]
  })
  return {
    ...(prefix === systemPrefix ? { name: 'legacy' } : { name: `legacy ${prefix}`, systemPrefix: prefix }),
    collections: new Map(collections.map((each) => [each.name, each])),
    byCore: new Map(collections.map((each) => [each.collection, each])),
  }
}

/** Most collections stay the same when the schema changes. */
const viewOwn = memoizeBy((collection: Collection) => viewCollection(collection, { kind: 'literal' }))

/** `names`: how a value shows that is the name of a collection. */
function viewCollection(collection: Collection, names: Codec): CollectionView | null {
  if (collection.table === null) return null
  const fields = collection.system ? viewSystemFields(collection, names) : viewUserFields(collection)
  if (fields === null) return null
  return {
    name: shownCollection(collection.name),
    collection: collection.name,
    fields: new Map(fields.map((field) => [field.name, field])),
    byCore: new Map(fields.map((field) => [field.field, field])),
  }
}

const viewUserFields = (collection: Collection): readonly FieldView[] =>
  [...collection.fields.values()]
    .filter((field) => field.column !== null || field.relation !== null)
    .map((field) => {
      const view = { name: field.name, field: field.name, codec: codecOf(field) }
      // A wildcard leaves out fields whose value consists of several columns, and shows the columns.
      return referenceColumns(field) === null ? view : { ...view, unlisted: true as const }
    })

function viewSystemFields(collection: Collection, names: Codec): readonly FieldView[] | null {
  const table = systemFields.get(collection.name)
  if (table === undefined) return null
  const own = Object.entries(table).flatMap(([name, stored]): FieldView[] => {
    const field = collection.fields.get(stored.field)
    if (field === undefined) return []
    const implied = stored.holds === 'collection' ? names : systemCodecOf(field)
    const view: FieldView = { name, field: stored.field, codec: stored.codec ?? implied }
    return [stored.unlisted === true ? { ...view, unlisted: true } : view]
  })
  const added = { ...collection, fields: new Map([...collection.fields].filter(([, field]) => isAdded(field))) }
  // A name of version 8 keeps its meaning.
  return [...own, ...viewUserFields(added).filter(({ name }) => !Object.hasOwn(table, name))]
}

/** Timestamps of system rows include their offset, as clients of this generation expect. */
const systemCodecOf = (field: Field): Codec =>
  field.type === 'timestamp' || field.type === 'dateTime' ? { kind: 'offset-datetime' } : codecOf(field)

function codecOf(field: Field): Codec {
  if (field.concealed) return { kind: 'mask' }
  if (field.relation?.kind === 'many-to-one' && isIdentityCollection(field.relation.collection)) {
    return { kind: 'number-of', collection: field.relation.collection }
  }
  if (field.type === 'timestamp' && field.special.some((flag) => setDates.has(flag))) return { kind: 'offset-datetime' }
  return codecByType[field.type]
}

/** Flags of dates that the platform sets: values have a zone in all collections. */
const setDates: ReadonlySet<string> = new Set(['date-created', 'date-updated'])

const codecByType = {
  string: { kind: 'text' },
  text: { kind: 'text' },
  boolean: { kind: 'boolean', nullAs: 'false' },
  integer: { kind: 'literal' },
  bigInteger: { kind: 'number-text' },
  float: { kind: 'number' },
  decimal: { kind: 'number' },
  dateTime: { kind: 'plain-datetime' },
  timestamp: { kind: 'plain-datetime' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  json: { kind: 'json' },
  csv: { kind: 'csv', nullAs: 'empty' },
  uuid: { kind: 'text' },
  hash: { kind: 'mask' },
  binary: { kind: 'base64' },
  geometry: { kind: 'geojson' },
  alias: { kind: 'json' },
  unknown: { kind: 'text' },
} as const satisfies Record<Field['type'], Codec>
