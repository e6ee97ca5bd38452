/** The schema of the twins: articles with status, author, comments, tags and owner; authors. It needs no database. */
import { buildSchema } from '../src/domain/model/build-schema.ts'
import type { Table, TableColumn } from '../src/domain/model/table.ts'
import type { Log } from '../src/domain/ports/context.ts'
import type { FieldType } from '../src/domain/query/field-types.ts'
import { allChanges, type Column, type Schema } from '../src/domain/schema/schema.ts'
import { plainColumn } from '../src/domain/testing/test-columns.ts'

const dataTypes: { readonly [Type in FieldType]?: string } = {
  string: 'character varying',
  integer: 'integer',
  bigInteger: 'bigint',
  decimal: 'numeric',
  timestamp: 'timestamp with time zone',
  dateTime: 'timestamp without time zone',
}

const column = (name: string, type: FieldType, more: Partial<Column> = {}): TableColumn => ({
  ...plainColumn,
  name,
  type,
  dataType: dataTypes[type] ?? type,
  ...more,
})

const id = column('id', 'integer', {
  nullable: false,
  hasDefault: true,
  unique: true,
  primaryKey: true,
  autoIncrement: true,
})
const uuid = column('id', 'uuid', { nullable: false, unique: true, primaryKey: true })
const required = { nullable: false } as const

type Links = { readonly [column: string]: string }

/** `links`: foreign key column → referenced table. */
function table(name: string, columns: readonly TableColumn[], links: Links = {}, key = 'id'): Table {
  const foreignKeys = Object.entries(links).map(([from, to]) => ({
    name: `${name}_${from}_foreign`,
    column: from,
    table: to,
    onDelete: 'SET NULL',
    onUpdate: 'NO ACTION',
  }))
  return { name, schema: null, comment: null, columns, keyColumns: [key], changes: allChanges, foreignKeys }
}

const tables: readonly Table[] = [
  table(
    'articles',
    [
      id,
      column('title', 'string', required),
      column('body', 'text'),
      column('status', 'string', required),
      column('views', 'integer', required),
      column('price', 'decimal'),
      column('featured', 'boolean'),
      column('day', 'date'),
      column('published', 'timestamp'),
      column('data', 'json'),
      column('author', 'integer'),
      column('owner', 'uuid'),
    ],
    { author: 'authors', owner: 'platform_users' },
  ),
  table(
    'authors',
    [
      id,
      column('name', 'string', required),
      column('email', 'string'),
      column('age', 'integer'),
      column('mentor', 'integer'),
    ],
    {
      mentor: 'authors',
    },
  ),
  table('comments', [id, column('text', 'text', required), column('article', 'integer', required)], {
    article: 'articles',
  }),
  table('tags', [id, column('name', 'string', required)]),
  table('articles_tags', [id, column('article', 'integer'), column('tag', 'integer')], {
    article: 'articles',
    tag: 'tags',
  }),
  table('languages', [column('code', 'string', { ...required, unique: true, primaryKey: true })], {}, 'code'),
  table(
    'articles_translations',
    [id, column('article', 'integer'), column('language', 'string'), column('title', 'string')],
    { article: 'articles', language: 'languages' },
  ),
  table('platform_users', [
    uuid,
    column('number', 'integer', { ...required, unique: true }),
    column('first_name', 'string'),
    column('email', 'string'),
    column('status', 'string', required),
  ]),
  table('platform_folders', [
    uuid,
    column('number', 'integer', { ...required, unique: true }),
    column('name', 'string', required),
  ]),
  table(
    'platform_files',
    [
      uuid,
      column('number', 'integer', { ...required, unique: true }),
      column('filename_download', 'string', required),
      column('title', 'string'),
      column('type', 'string'),
      column('width', 'integer'),
      column('folder', 'uuid'),
    ],
    { folder: 'platform_folders' },
  ),
]

const alias = (collection: string, field: string, special: string) => ({ collection, field, special })

/** A relation from `from.column` to `to`; its alias lists the rows. `junction` is the other foreign key of a junction. */
const relation = (
  [from, column]: readonly [string, string],
  to: string,
  aliasField: string | null,
  junction: string | null = null,
) => ({
  many_collection: from,
  many_field: column,
  one_collection: to,
  one_field: aliasField,
  junction_field: junction,
})

const silent = (): void => undefined
const log: Log = { debug: silent, info: silent, warn: silent, error: silent }

/** Builds the schema from tables and metadata like a server. */
export const twinSchema: Schema = {
  ...buildSchema(
    tables,
    {
      collections: [
        { collection: 'articles', archive_field: 'status', archive_value: 'archived', unarchive_value: 'draft' },
        ...['authors', 'comments', 'tags', 'articles_tags', 'languages', 'articles_translations'].map((collection) => ({
          collection,
        })),
      ],
      fields: [
        alias('articles', 'comments', 'o2m'),
        alias('articles', 'tags', 'm2m'),
        alias('articles', 'translations', 'translations'),
        alias('authors', 'articles', 'o2m'),
        alias('authors', 'students', 'o2m'),
      ],
      relations: [
        relation(['articles', 'author'], 'authors', 'articles'),
        relation(['authors', 'mentor'], 'authors', 'students'),
        relation(['comments', 'article'], 'articles', 'comments'),
        relation(['articles_tags', 'article'], 'articles', 'tags', 'tag'),
        relation(['articles_tags', 'tag'], 'tags', null, 'article'),
        relation(['articles_translations', 'article'], 'articles', 'translations', 'language'),
        relation(['articles_translations', 'language'], 'languages', null, 'article'),
      ],
    },
    log,
  ),
  version: 'twins',
}

const typesOnMariaDb: { readonly [Type in FieldType]?: string } = {
  string: 'varchar',
  text: 'longtext',
  integer: 'int',
  decimal: 'decimal',
  uuid: 'char',
  timestamp: 'timestamp',
  dateTime: 'datetime',
}

/** The same schema with the types that MariaDB has for its columns. */
export const twinSchemaOnMariaDb: Schema = {
  ...twinSchema,
  collections: new Map(
    [...twinSchema.collections].map(([name, collection]) => [
      name,
      {
        ...collection,
        fields: new Map(
          [...collection.fields].map(([key, field]) => [
            key,
            field.column === null
              ? field
              : { ...field, column: { ...field.column, dataType: typesOnMariaDb[field.type] ?? field.type } },
          ]),
        ),
      },
    ]),
  ),
}
