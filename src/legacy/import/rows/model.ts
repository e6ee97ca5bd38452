/** Settings of collections, fields and relations → rows here. */
import { factsOf } from '../../model/field-types.ts'
import { toCondition } from '../../model/validation.ts'
import { at, collectionIn, type Installation, placeOf } from '../installation.ts'
import { isSystemTable } from '../names.ts'
import { filled, flag, parsed, type SourceRecord, tellBroken, translationsAt } from '../records.ts'
import { copied, type Draft, mirrorOf, type Tell } from './drafts.ts'
import { tellUnknownInterfaces } from './interfaces.ts'

export const collectionsMirror = mirrorOf(
  'platform_collections',
  ['collection'],
  `collection varchar(64), icon varchar(64), note text, hidden boolean, singleton boolean, translations json`,
)

/** Managed collections; the others are served without settings. */
export const draftCollections = (installation: Installation, tell: Tell): readonly Draft[] =>
  installation.collections
    .filter(
      (row) => !isSystemTable(at(row, 'collection')) && collectionIn(installation, at(row, 'collection')) !== null,
    )
    .filter((row) => row['managed'] === undefined || flag(row, 'managed'))
    .map((row) => {
      tellBroken(row, ['translation'], `the collection ${at(row, 'collection')}`, tell)
      return {
        ...copied(collectionsMirror, row, { singleton: 'single' }),
        translations: translationsAt(row),
      }
    })

export const fieldsMirror = mirrorOf(
  'platform_fields',
  ['collection', 'field'],
  `id integer, collection varchar(64), field varchar(64), type varchar(64), special text, interface varchar(64),
  options json, readonly boolean, hidden boolean, hidden_browse boolean, locked boolean, required boolean,
  sort integer, width varchar(30), group varchar(64), note text, translations json, validation json`,
)

export function draftFields(installation: Installation, tell: Tell): readonly Draft[] {
  const byId = new Map(installation.fields.map((row) => [row['id'], row]))
  const taken = installation.fields.filter((row) => isTaken(installation, row))
  tellUnknownInterfaces(taken, tell)
  return taken.map((row) => {
    const [collection, field] = [at(row, 'collection'), at(row, 'field')]
    tellBroken(row, ['options', 'translation'], `the field ${collection}.${field}`, tell)
    const type = installation.types.get(placeOf(collection, field)) ?? 'string'
    const facts = factsOf(type)
    if (facts === null && type !== '')
      tell(`The field ${collection}.${field} has the type ${type}, which is not known; it has that of its column`)
    return {
      ...copied(fieldsMirror, row, { hidden: 'hidden_detail' }),
      type: facts === null ? null : type,
      special: facts?.special ?? null,
      options: optionsOf(row),
      width: widthOf(row),
      group: groupOf(row, byId),
      translations: translationsAt(row),
      validation: conditionOf(row, installation, tell),
    }
  })
}

/** Fields of the project's own tables that have a column or need none. */
function isTaken({ own, types }: Installation, row: SourceRecord): boolean {
  const table = own.find(({ name }) => name === row['collection'])
  const isAlias = factsOf(types.get(placeOf(at(row, 'collection'), at(row, 'field'))) ?? '')?.alias === true
  return table !== undefined && (isAlias || table.columns.some(({ name }) => name === row['field']))
}

/** Version 7 counted columns of a grid. */
const widthOf = (row: SourceRecord): string | null => {
  const width = filled(row, 'width')
  if (width === null || !/^\d+$/.test(width)) return width
  return Number(width) >= 3 ? 'full' : 'half'
}

const groupOf = (row: SourceRecord, byId: ReadonlyMap<string | null | undefined, SourceRecord>): string | null => {
  const group = filled(row, 'group')
  return group === null || group === '0' ? null : (byId.get(group)?.['field'] ?? null)
}

/** The flags of statuses are texts and numbers in older installations. */
function optionsOf(row: SourceRecord): string | null {
  const options = parsed(row['options'] ?? null)
  if (typeof options !== 'object' || options === null) return null
  const own = options as { readonly [name: string]: unknown }
  const mapping = typeof own['status_mapping'] === 'string' ? parsed(own['status_mapping']) : own['status_mapping']
  if (typeof mapping !== 'object' || mapping === null) return row['options'] as string
  const statuses = Object.entries(mapping).map(([word, status]: [string, unknown]) => [word, withFlags(status)])
  return JSON.stringify({ ...own, status_mapping: Object.fromEntries(statuses) })
}

function withFlags(status: unknown): unknown {
  if (typeof status !== 'object' || status === null) return status
  const notice = Object.entries(status).map(([name, value]: [string, unknown]) => [
    name,
    ['soft_delete', 'published', 'required_fields'].includes(name)
      ? [true, 1, '1', 'true'].includes(value as never)
      : value,
  ])
  return Object.fromEntries(notice)
}

function conditionOf(row: SourceRecord, { own }: Installation, tell: Tell): string | null {
  const pattern = filled(row, 'validation')
  const table = own.find(({ name }) => name === row['collection'])
  const kind = table?.columns.find(({ name }) => name === row['field'])?.kind
  if (pattern !== null && kind !== undefined && !/text$|char$|^enum$|^set$/.test(kind)) {
    tell(`The validation of ${row['collection']}.${row['field']} is left out: patterns are for texts, not for ${kind}`)
    return null
  }
  try {
    const condition = toCondition(at(row, 'field'), pattern)
    return condition === null ? null : JSON.stringify(condition)
  } catch {
    tell(
      `The validation of ${row['collection']}.${row['field']} is left out: ${pattern} is no pattern that the server knows`,
    )
    return null
  }
}

export const relationsMirror = mirrorOf(
  'platform_relations',
  ['many_collection', 'many_field'],
  `id integer, many_collection varchar(64), many_field varchar(64), one_collection varchar(64), one_field varchar(64),
  junction_field varchar(64)`,
)

/** Relations of the project's own columns; types that lead to a system table have one without a row of their own. */
export function draftRelations(installation: Installation, tell: Tell): readonly Draft[] {
  const { relations, identities, own } = installation
  const drafts = new Map<string, Draft>()
  let last = greatestId(relations)
  for (const row of relations) {
    const [many, field] = [at(row, 'collection_many'), at(row, 'field_many')]
    if (isSystemTable(many)) continue
    const isTwice = drafts.has(placeOf(many, field))
    const fault = faultOf(installation, row) ?? (isTwice ? 'another one is of the same field' : null)
    if (fault !== null) tell(`The relation ${row['id'] ?? ''} of ${many}.${field} is left out: ${fault}`)
    else drafts.set(placeOf(many, field), toRelation(installation, row))
  }
  for (const [column, target] of identities) {
    const [collection = '', field = ''] = column.split('\0')
    const isColumn = own.find(({ name }) => name === collection)?.columns.some(({ name }) => name === field) === true
    if (!isColumn || drafts.has(column)) continue
    last += 1
    drafts.set(column, draftRelation(last, [collection, field, target]))
  }
  return [...drafts.values()]
}

export const greatestId = (rows: readonly SourceRecord[]): number =>
  rows.reduce((most, row) => Math.max(most, Number(row['id'] ?? 0)), 0)

const draftRelation = (id: number, [collection, field, target]: readonly [string, string, string]): Draft => ({
  id: String(id),
  many_collection: collection,
  many_field: field,
  one_collection: target,
  one_field: null,
  junction_field: null,
})

function toRelation(installation: Installation, row: SourceRecord): Draft {
  const [many, one] = [at(row, 'collection_many'), at(row, 'collection_one')]
  const alias = filled(row, 'field_one')
  return {
    ...draftRelation(Number(row['id']), [many, at(row, 'field_many'), collectionIn(installation, one) as string]),
    // The key of a system table stands there for no field.
    one_field: isSystemTable(one) && alias === 'id' ? null : alias,
    junction_field: filled(row, 'junction_field'),
  }
}

function faultOf(installation: Installation, row: SourceRecord): string | null {
  const table = installation.own.find(({ name }) => name === row['collection_many'])
  const target = collectionIn(installation, filled(row, 'collection_one'))
  if (table === undefined) return 'there is no such table'
  if (!table.columns.some(({ name }) => name === row['field_many'])) return 'there is no such column'
  return target === null ? `it leads to ${row['collection_one'] ?? 'nothing'}, which is not there` : null
}
