import type { FieldType } from '../query/field-types.ts'
import {
  allChanges,
  type Collection,
  type Field,
  type FieldRelation,
  type Relation,
  type Schema,
} from '../schema/schema.ts'
import { plainColumn } from './test-columns.ts'

function field(name: string, type: FieldType, relation: FieldRelation | null = null, concealed = false): Field {
  const stored = type === 'alias' ? null : { ...plainColumn, name }
  const plain = { special: [], validation: null, validationMessage: null, meta: null }
  return { name, type, column: stored, concealed, relation, ...plain }
}

export function collection(name: string, fields: readonly Field[], more: Partial<Collection> = {}): Collection {
  return {
    name,
    table: { schema: null, name },
    primaryKey: 'id',
    keyColumns: ['id'],
    changes: allChanges,
    fields: new Map(fields.map((each) => [each.name, each])),
    system: false,
    managed: true,
    singleton: false,
    sortField: null,
    archive: null,
    accountability: null,
    note: null,
    meta: null,
    ...more,
  }
}

/** A relation without anything that tests of its users read. */
export const relation: Relation = {
  id: 1,
  manyCollection: '',
  manyField: '',
  oneCollection: null,
  oneField: null,
  oneCollectionField: null,
  oneAllowedCollections: null,
  junctionField: null,
  sortField: null,
  deselectAction: 'nullify',
  constraint: null,
}

const articles = collection('articles', [
  field('id', 'integer'),
  field('title', 'string'),
  field('views', 'bigInteger'),
  field('price', 'decimal'),
  field('live', 'boolean'),
  field('day', 'date'),
  field('made', 'timestamp'),
  field('local', 'dateTime'),
  field('clock', 'time'),
  field('owner', 'uuid'),
  field('data', 'json'),
  field('shape', 'geometry'),
  field('secret', 'hash', null, true),
  field('note', 'alias'),
  field('author', 'integer', { kind: 'many-to-one', collection: 'authors', relation }),
  field('sections', 'alias', {
    kind: 'one-to-many',
    collection: 'sections',
    foreignKey: 'article',
    sortField: null,
    junctionField: 'item',
    relation,
  }),
])

const authors = collection('authors', [
  field('id', 'integer'),
  field('name', 'string'),
  field('boss', 'integer', { kind: 'many-to-one', collection: 'authors', relation }),
])

const sections = collection('sections', [
  field('id', 'integer'),
  field('item', 'string', { kind: 'many-to-any', collectionField: 'collection', allowed: ['headings'], relation }),
])

/** Articles with an author and, through sections, any number of headings: every type and kind of relation. */
export const testSchema: Schema = {
  version: '1',
  collections: new Map(
    [articles, authors, sections, collection('headings', [field('id', 'integer'), field('title', 'string')])].map(
      (each) => [each.name, each],
    ),
  ),
  relations: [],
  unserved: [],
}
