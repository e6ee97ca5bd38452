/** The collections that the verifier makes, and the kind of each field. */

/** What decides the operators, the order and the spelling of values. */
export type FieldKind =
  | 'text'
  | 'integer'
  | 'bigInteger'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'timestamp'
  | 'time'
  | 'uuid'
  | 'json'

/** Fields of articles and drafts with plain values. */
export const articleFields = {
  id: 'integer',
  title: 'text',
  label: 'text',
  views: 'integer',
  rating: 'float',
  price: 'decimal',
  big: 'bigInteger',
  live: 'boolean',
  day: 'date',
  at: 'dateTime',
  stamp: 'timestamp',
  clock: 'time',
  data: 'json',
  uid: 'uuid',
  secret: 'text',
} as const satisfies Record<string, FieldKind>

export type ArticleField = keyof typeof articleFields

/** The fields that the restricted user may read. */
export const readableFields = ['id', 'title', 'views', 'live', 'author'] as const

export type CollectionNames = {
  /** Rows that no check changes. */
  readonly articles: string
  readonly authors: string
  readonly tags: string
  /** The junction of articles and tags. */
  readonly links: string
  /** Rows that checks write: each check only its own. */
  readonly drafts: string
  readonly notes: string
  readonly settings: string
}

export function collectionNames(prefix: string): CollectionNames {
  return {
    articles: `${prefix}_articles`,
    authors: `${prefix}_authors`,
    tags: `${prefix}_tags`,
    links: `${prefix}_links`,
    drafts: `${prefix}_drafts`,
    notes: `${prefix}_notes`,
    settings: `${prefix}_settings`,
  } as const
}

const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
const plain = (field: string, type: string, schema: object = {}) => ({ field, type, schema })

const valueFields = [
  plain('label', 'string'),
  plain('views', 'integer'),
  plain('rating', 'float'),
  plain('price', 'decimal', { numeric_precision: 12, numeric_scale: 2 }),
  plain('big', 'bigInteger'),
  plain('live', 'boolean'),
  plain('day', 'date'),
  plain('at', 'dateTime'),
  plain('stamp', 'timestamp'),
  plain('clock', 'time'),
  plain('data', 'json'),
  plain('uid', 'uuid'),
  plain('secret', 'string'),
  plain('author', 'integer'),
]

/** Bodies of `POST /collections`, in an order in which they can be made. */
export function collectionBodies(names: CollectionNames): readonly { readonly collection: string }[] {
  return [
    made(names.authors, [plain('name', 'string'), plain('secret', 'string')]),
    made(names.tags, [plain('name', 'string')]),
    made(names.articles, [plain('title', 'string'), ...valueFields, alias('tags')]),
    made(names.links, [plain('article', 'integer'), plain('tag', 'integer')], { hidden: true }),
    made(
      names.drafts,
      [
        plain('title', 'string', { is_nullable: false, max_length: 60 }),
        plain('code', 'string', { is_unique: true }),
        plain('level', 'integer', { default_value: 7 }),
        ...valueFields,
      ],
      { versioning: true },
    ),
    made(names.notes, [plain('text', 'string', { is_nullable: false }), plain('draft', 'integer')]),
    made(names.settings, [plain('name', 'string'), plain('count', 'integer')], { singleton: true }),
  ]
}

const made = (collection: string, fields: readonly object[], meta: object = {}) => ({
  collection,
  schema: {},
  meta,
  fields: [key, ...fields],
})

const alias = (field: string) => ({ field, type: 'alias', meta: { special: ['m2m'] } })

/** Bodies of `POST /relations`. */
export const relationBodies = (names: CollectionNames): readonly object[] => [
  manyToOne(names.articles, 'author', names.authors, { one_field: 'articles' }),
  cascading(manyToOne(names.links, 'article', names.articles, { one_field: 'tags', junction_field: 'tag' })),
  cascading(manyToOne(names.links, 'tag', names.tags, { junction_field: 'article' })),
  manyToOne(names.drafts, 'author', names.authors, {}),
  manyToOne(names.notes, 'draft', names.drafts, { one_field: 'notes', one_deselect_action: 'nullify' }),
]

const manyToOne = (collection: string, field: string, related: string, meta: object) => ({
  collection,
  field,
  related_collection: related,
  schema: { on_delete: 'SET NULL' },
  meta,
})

const cascading = (relation: object) => ({ ...relation, schema: { on_delete: 'CASCADE' } })
