/** Invalid snapshots and diffs of the data model. */
import packageJson from '../package.json' with { type: 'json' }
import type { Extra } from './data-cases.ts'
import { current } from './extras.ts'

const badDiffs: readonly (readonly [string, object])[] = [
  [
    'a hash of another model',
    { collections: [{ collection: 'tags', diff: [{ kind: 'E', path: ['meta', 'icon'], lhs: null, rhs: 'tag' }] }] },
  ],
  [
    'a collection that exists',
    { collections: [{ collection: 'tags', diff: [{ kind: 'N', rhs: { collection: 'tags' } }] }] },
  ],
  [
    'a field that does not exist',
    { fields: [{ collection: 'tags', field: 'nowhere', diff: [{ kind: 'D', lhs: {} }] }] },
  ],
]

const badSnapshots: readonly (readonly [string, object])[] = [
  ['a format of the future', { version: 3 }],
  ['a snapshot of another version', { platform: '99.0.0' }],
  ['a snapshot of another vendor', { vendor: 'mysql' }],
  ['a snapshot of no vendor', { vendor: null }],
  ['a field of no collection', { fields: [{ collection: 'nowhere', field: 'a' }] }],
  ['a relation of no field', { relations: [{ collection: 'tags', field: 'nowhere' }] }],
  ['a collection twice', { collections: [{ collection: 'tags' }, { collection: 'tags' }] }],
]

const badParts: readonly (readonly [string, { readonly [name: string]: string }])[] = [
  ['some collections and all but some', { includeCollections: 'tags', excludeCollections: 'articles' }],
  ['a collection that does not exist', { includeCollections: 'tags,nowhere' }],
  ['all but a collection that does not exist', { excludeCollections: 'nowhere' }],
  ['no collection at all', { includeCollections: ',' }],
]

const field = { type: 'integer', version_8: { type: 'sort' } }
const badConfigurations: readonly (readonly [string, object])[] = [
  ['an unknown kind of file', { webpages: {} }],
  ['a collection with an unknown key', { collections: { a: { feilds: {} } } }],
  ['a type that does not exist', { collections: { a: { fields: { id: { type: 'strin' } } } } }],
  ['a policy that does not exist', { roles: { A: { policies: ['Nobody'] } } }],
  ['a text that is a number', { translations: { de: { a: 1 } } }],
  ['what version 8 sees of a field without display', { collections: { a: { fields: { id: field } } } }],
]

/** Requests with snapshots and diffs that are rejected. */
export const schemaFaults: readonly Extra[] = [
  ...badConfigurations.map(
    ([rule, configuration]): Extra => current.refused('compareConfiguration', rule, { body: { configuration } }),
  ),
  current.refused('applyConfiguration', 'other changes than those that are due', {
    body: { configuration: { translations: { 'x-test': { hello: 'Hello' } } }, changes: [] },
  }),
  ...badDiffs.map(
    ([rule, diff]): Extra =>
      current.refused('applySchema', rule, {
        body: { hash: 'a', diff: { collections: [], fields: [], relations: [], ...diff } },
      }),
  ),
  ...badParts.map(([rule, query]): Extra => current.refused('readSchemaSnapshot', rule, { query })),
  ...badSnapshots.map(
    ([rule, part]): Extra =>
      current.refused('diffSchema', rule, {
        body: {
          version: 1,
          platform: packageJson.version,
          vendor: 'postgres',
          collections: [],
          fields: [],
          relations: [],
          ...part,
        },
      }),
  ),
]
