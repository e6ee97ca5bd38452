/** Small tables for tests of `buildSchema`. */
import { buildSchema } from '../model/build-schema.ts'
import type { Metadata, MetadataRow } from '../model/metadata.ts'
import type { ForeignKey, Table, TableColumn } from '../model/table.ts'
import type { Log } from '../ports/context.ts'
import type { FieldType } from '../query/field-types.ts'
import { allChanges } from '../schema/schema.ts'
import { plainColumn } from './test-columns.ts'

export const column = (name: string, type: FieldType, more: Partial<TableColumn> = {}): TableColumn => ({
  ...plainColumn,
  name,
  type,
  dataType: type,
  primaryKey: name === 'id',
  ...more,
})

const key = (name: string, target: string): ForeignKey => ({
  name: `${name}_key`,
  column: name,
  table: target,
  onDelete: 'CASCADE',
  onUpdate: 'NO ACTION',
})

/** A table with the key `id` and these columns. */
export const table = (
  name: string,
  columns: readonly TableColumn[],
  more: { readonly foreignKeys?: readonly ForeignKey[]; readonly keyColumns?: readonly string[] } = {},
): Table => ({
  name,
  schema: null,
  comment: null,
  columns: [column('id', 'integer', { nullable: false }), ...columns],
  keyColumns: ['id'],
  changes: allChanges,
  foreignKeys: [],
  ...more,
})

/** Articles of authors, tags through a junction, and blocks that lead anywhere. */
export const tables = [
  table('articles', [column('title', 'string'), column('author', 'integer'), column('sort', 'integer')], {
    foreignKeys: [key('author', 'authors')],
  }),
  table('authors', [column('name', 'string')]),
  table('tags', []),
  table('articles_tags', [column('article', 'integer'), column('tag', 'integer'), column('sort', 'integer')], {
    foreignKeys: [key('article', 'articles'), key('tag', 'tags')],
  }),
  table('blocks', [column('page', 'integer'), column('item', 'string'), column('collection', 'string')]),
]

/** A schema, the warnings on the way to it, and a look at `collection.field`. */
export function build(rows: Partial<Metadata>, from: readonly Table[] = tables) {
  const warnings: string[] = []
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (_detail, message) => void warnings.push(message),
    error: () => {},
  }
  const metadata: Metadata = { collections: [], fields: [], relations: [], ...rows }
  const schema = buildSchema(from, metadata, log)
  const field = (name: string) => {
    const [collection = '', last = ''] = name.split('.')
    return schema.collections.get(collection)?.fields.get(last)
  }
  return { schema, warnings, field }
}

/** A row of the relations table: `many.field` → `one.alias`. */
export const relation = (many: string, one: string | null, more: MetadataRow = {}): MetadataRow => {
  const [many_collection, many_field] = many.split('.')
  const [one_collection, one_field = null] = one?.split('.') ?? [null]
  return { many_collection, many_field, one_collection, one_field, one_deselect_action: 'nullify', ...more }
}
