/** Random data models with every field type and kind of relation, as minimal snapshots. */
import * as fc from 'fast-check'
import type { components } from '../../generated/current.ts'
import type { Snapshot } from '../sync/schema-snapshot.ts'

type Schemas = components['schemas']
type Collection = Schemas['SnapshotCollection']
type Field = Schemas['SnapshotField']
type Relation = Schemas['RelationInput']
export type Model = Pick<Snapshot, 'collections' | 'fields' | 'relations'>

type Kind = { readonly type: NonNullable<Field['type']>; readonly defaults: readonly unknown[] }

/** Types for each field, grouped so that databases can convert between them, with defaults as they report them. */
const families: readonly (readonly [Kind, ...Kind[]])[] = [
  [
    { type: 'string', defaults: [null, "it's", 'a\\b', ''] },
    { type: 'text', defaults: [null, 'two\nlines'] },
    { type: 'csv', defaults: [null, 'a,b'] },
    { type: 'hash', defaults: [null] },
  ],
  [
    { type: 'integer', defaults: [null, 0, -7] },
    { type: 'bigInteger', defaults: [null, '12345'] },
    { type: 'float', defaults: [null, 1.5] },
    { type: 'decimal', defaults: [null, '2'] },
  ],
  [
    { type: 'dateTime', defaults: [null, '2026-01-31 10:00:00'] },
    { type: 'timestamp', defaults: [null, 'CURRENT_TIMESTAMP', 'now()'] },
    { type: 'date', defaults: [null, '2026-01-31'] },
  ],
  [{ type: 'time', defaults: [null, '10:00:00'] }],
  [{ type: 'boolean', defaults: [null, true, false] }],
  [{ type: 'json', defaults: [null, '{"a":[1]}'] }],
  [{ type: 'uuid', defaults: [null, 'gen_random_uuid()'] }],
  [{ type: 'binary', defaults: [null] }],
]

/** Flags that a type needs to be recognized. */
const flags: { readonly [type: string]: string } = { csv: 'cast-csv', hash: 'hash' }

/** Types without an order; they can be neither unique nor indexed. */
const unordered: ReadonlySet<string> = new Set(['json'])

type Meta = NonNullable<Field['meta']>
const labels: readonly NonNullable<Meta['translations']>[] = [[{ language: 'de-DE', translation: 'Feld' }], []]
const conditions: readonly NonNullable<Meta['conditions']>[] = [[{ name: 'c', rule: { _and: [] }, hidden: true }], []]

const fieldMeta = fc.record(
  {
    interface: fc.constantFrom(null, 'input', 'select-dropdown'),
    options: fc.constantFrom(
      null,
      {},
      { choices: [{ text: 'A', value: 'a' }] },
      {
        choices: [
          { text: 'B', value: 1 },
          { text: 'C', value: null },
        ],
        z: { deep: [[]] },
      },
    ),
    note: fc.constantFrom(null, 'A "note"', 'ünï → 😀'),
    hidden: fc.boolean(),
    required: fc.boolean(),
    sort: fc.constantFrom(null, 1, 2, 3),
    width: fc.constantFrom('full' as const, 'half' as const),
    translations: fc.constantFrom(null, ...labels),
    conditions: fc.constantFrom(null, ...conditions),
  },
  { noNullPrototype: true },
)

const fieldOf = (collection: string, at: number): fc.Arbitrary<Field> =>
  fc
    .record({
      kind: fc.constantFrom(...(families[at] ?? families[0] ?? [])),
      meta: fieldMeta,
      choice: fc.nat(5),
      is_nullable: fc.boolean(),
      is_unique: fc.boolean(),
      is_indexed: fc.boolean(),
      isBare: fc.boolean(),
      comment: fc.constantFrom(null, "column's comment"),
    })
    .map(({ kind: { type, defaults }, meta, choice, isBare, ...column }) => {
      const flag = flags[type]
      const isBareType = isBare && flag === undefined
      return {
        collection,
        field: `f${at}`,
        type,
        meta: isBareType ? null : { ...meta, special: flag === undefined ? null : [flag] },
        schema: {
          ...column,
          is_unique: column.is_unique && !unordered.has(type),
          is_indexed: column.is_indexed && !unordered.has(type),
          default_value: defaults[choice % defaults.length],
          ...(type === 'string' ? { max_length: 20 + choice } : {}),
          ...(type === 'hash' ? { max_length: 255 } : {}),
          ...(type === 'decimal' ? { numeric_precision: 8 + choice, numeric_scale: 3 } : {}),
        },
      }
    })

const keys = {
  integer: { type: 'integer', schema: { has_auto_increment: true } },
  bigInteger: { type: 'bigInteger', schema: { has_auto_increment: true } },
  uuid: { type: 'uuid', schema: {}, special: ['uuid'] },
  string: { type: 'string', schema: { max_length: 40 } },
} as const

/** The type follows from the name, because a key cannot change its type while relations refer to it. */
const keyTypes = ['integer', 'uuid', 'string', 'bigInteger'] as const

const keyOf = (collection: string, at: number): Field => {
  const { type, schema, ...more } = keys[keyTypes[at % keyTypes.length] ?? 'integer']
  return {
    collection,
    field: 'id',
    type,
    meta: { interface: 'input', special: 'special' in more ? [...more.special] : null },
    schema: { ...schema, is_primary_key: true, is_nullable: false, is_unique: true },
  }
}

const names = ['alpha', 'beta', 'gamma', 'delta'] as const

const collectionOf = (collection: string): fc.Arbitrary<Collection> =>
  fc
    .record({
      isBare: fc.boolean(),
      group: fc.constantFrom(null, 'folder_a', 'folder_b'),
      singleton: fc.boolean(),
      note: fc.constantFrom(null, 'Notes'),
      accountability: fc.constantFrom('all' as const, 'activity' as const, null),
      translations: fc.constantFrom(null, ...labels),
      archive_field: fc.constantFrom(null, 'f0'),
      sort: fc.constantFrom(null, 1, 2),
      collapse: fc.constantFrom('open' as const, 'closed' as const),
    })
    .map(({ isBare, ...meta }) => ({ collection, meta: isBare ? null : meta, schema: { name: collection } }))

const folders: fc.Arbitrary<readonly Collection[]> = fc.constantFrom(null, 'folder_a').map((group) => [
  { collection: 'folder_a', meta: { icon: 'folder', sort: 1 } },
  { collection: 'folder_b', meta: { group } },
])

type Link = {
  readonly from: number
  readonly to: number
  readonly kind: 'foreign key' | 'to-one' | 'to-many' | 'many-to-many' | 'many-to-any'
}
type Choice = {
  readonly onDelete: 'CASCADE' | 'SET NULL' | 'NO ACTION'
  readonly isNamed: boolean
  readonly erases: boolean
}

const linkOf: fc.Arbitrary<Link & Choice> = fc.record({
  from: fc.nat(3),
  to: fc.nat(3),
  kind: fc.constantFrom('foreign key', 'to-one', 'to-many', 'many-to-many', 'many-to-any'),
  onDelete: fc.constantFrom('CASCADE', 'SET NULL', 'NO ACTION'),
  isNamed: fc.boolean(),
  erases: fc.boolean(),
})

const keyType = (name: string) => keyTypes[names.indexOf(name as 'alpha') % keyTypes.length] ?? 'integer'

const holder = (collection: string, field: string, target: string): Field => ({
  collection,
  field,
  type: keyType(target),
  meta: { interface: 'select-dropdown-m2o', special: ['m2o'] },
  schema: keyType(target) === 'string' ? { max_length: 40 } : {},
})

/** Fields and relations of a link between existing collections, which can be the same one. */
function toLink(present: readonly string[], link: Link & Choice, at: number): Model {
  const [from = '', to = ''] = [present[link.from % present.length], present[link.to % present.length]]
  const alias = (collection: string, field: string, special: string): Field[] => [
    { collection, field, type: 'alias', meta: link.isNamed ? { interface: 'list', special: [special] } : null },
  ]
  const constraint = { on_delete: link.onDelete, on_update: 'NO ACTION' as const }
  const toOne = (collection: string, field: string, target: string, meta: NonNullable<Relation['meta']>) => ({
    collection,
    field,
    related_collection: target,
    schema: constraint,
    meta,
  })
  // Named by the target: a key of another type would be another field.
  const own = `key_${at}_${to}`
  const other = `list_${at}`
  const key = toOne(from, own, to, { one_deselect_action: link.erases ? 'delete' : 'nullify' })
  switch (link.kind) {
    case 'foreign key':
      return { collections: [], fields: [holder(from, own, to)], relations: [{ ...key, meta: null }] }
    case 'to-one':
      return {
        collections: [],
        fields: [holder(from, own, to)],
        relations: [{ ...key, schema: link.erases ? null : constraint }],
      }
    case 'to-many':
      return {
        collections: [],
        fields: [holder(from, own, to), ...alias(to, other, 'o2m')],
        relations: [{ ...key, meta: { ...key.meta, one_field: other } }],
      }
    case 'many-to-many':
    case 'many-to-any': {
      const junction = `junction_${at}_${from}_${to}_${link.kind === 'many-to-any' ? 'any' : 'many'}`
      const isAny = link.kind === 'many-to-any'
      const item: Field = { collection: junction, field: 'item', type: 'string', meta: null, schema: {} }
      const second: Relation = isAny
        ? {
            collection: junction,
            field: 'item',
            related_collection: null,
            schema: null,
            meta: {
              one_collection_field: 'kind',
              one_allowed_collections: [...new Set([from, to])],
              junction_field: 'owner',
            },
          }
        : toOne(junction, 'item', to, { junction_field: 'owner', sort_field: 'position' })
      return {
        collections: [{ collection: junction, meta: { hidden: true }, schema: { name: junction } }],
        fields: [
          keyOf(junction, 0),
          holder(junction, 'owner', from),
          isAny ? item : holder(junction, 'item', to),
          { collection: junction, field: 'kind', type: 'string', meta: null, schema: {} },
          { collection: junction, field: 'position', type: 'integer', meta: null, schema: {} },
          ...alias(from, other, isAny ? 'm2a' : 'm2m'),
        ],
        relations: [toOne(junction, 'owner', from, { one_field: other, junction_field: 'item' }), second],
      }
    }
  }
}

const lineOf = (collection: string): Field => ({
  collection,
  field: 'line',
  type: 'alias',
  meta: { special: ['alias', 'no-data'], interface: 'divider' },
})

/** The archive field must exist. */
function withOwnArchive(collection: Collection, fields: readonly (Field | null)[]): Collection {
  if (collection.meta === null || fields.some((field) => field?.field === collection.meta?.archive_field))
    return collection
  return { ...collection, meta: { ...collection.meta, archive_field: null } }
}

/** Generates data models; two of them share names, so that one can be changed into the other. */
export const modelArbitrary: fc.Arbitrary<Model> = fc
  .record({
    present: fc.subarray([...names], { minLength: 1 }),
    folders,
    tables: fc.tuple(
      ...names.map((name) => fc.tuple(collectionOf(name), ...families.map((_, at) => fc.option(fieldOf(name, at))))),
    ),
    links: fc.array(linkOf, { maxLength: 4 }),
    extra: fc.boolean(),
  })
  .map(({ present, folders: groups, tables, links, extra }) => {
    const own = tables.filter(([{ collection }]) => present.includes(collection as 'alpha'))
    const linked = links.map((link, at) => toLink(present, link, at))
    const plain = own.flatMap(([{ collection }, ...fields]) => [
      keyOf(collection, names.indexOf(collection as 'alpha')),
      ...fields.filter((field) => field !== null),
      lineOf(collection),
    ])
    const added: Field[] = extra
      ? [
          {
            collection: 'platform_users',
            field: 'nickname',
            type: 'string',
            meta: { note: 'Ours' },
            schema: { max_length: 30 },
          },
        ]
      : []
    return {
      collections: [
        ...groups,
        ...own.map(([collection, ...fields]) => withOwnArchive(collection, fields)),
        ...linked.flatMap(({ collections }) => collections),
      ],
      fields: [...plain, ...added, ...linked.flatMap(({ fields }) => fields)],
      relations: linked.flatMap(({ relations }) => relations),
    }
  })
