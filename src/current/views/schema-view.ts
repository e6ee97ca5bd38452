/**
 * This generation's view of the schema: stored names, uuids as ids of system rows, dates in ISO 8601, and big
 * integers, decimals and computed numbers as strings.
 */
import { memoizeBy } from '../../domain/memoize.ts'
import { systemPrefix } from '../../domain/model/system-collections.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import { compare } from '../../domain/query/filter.ts'
import { isIdentityCollection, seedIds } from '../../domain/schema/identity.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { usualCodecs } from '../../domain/schema/usual-codecs.ts'
import type { Codec, CollectionView, FieldView, View } from '../../domain/schema/view.ts'
import { nameCodec, realName, shownName, systemSpellings } from './system-names.ts'

/**
 * Creates the view of a schema; call it once per schema version. `prefix` replaces that of the names of system
 * collections; a table that has such a name is not shown.
 */
export function createView(schema: Schema, prefix = systemPrefix): View {
  const naming = prefix === systemPrefix ? {} : { systemPrefix: prefix }
  const collections = [...schema.collections.values()]
    .filter(({ table, name }) => table !== null && !unseen.has(name))
    .filter(({ name, system }) => system || realName(name, prefix) === name)
    .map((collection) =>
      naming.systemPrefix === undefined ? plainView(collection) : viewCollection(collection, naming),
    )
  return {
    name: prefix === systemPrefix ? 'current' : `current ${prefix}`,
    collections: new Map(collections.map((each) => [each.name, each])),
    byCore: new Map(collections.map((each) => [each.collection, each])),
    computed: 'text',
    otherNames: systemSpellings,
    ...naming,
  }
}

/** System collections of the other generation alone, or of none. */
const unseen: ReadonlySet<string> = new Set([
  'platform_sessions',
  'platform_role_levels',
  'platform_user_roles',
  'platform_activity_seen',
])

/** Most collections stay the same when the schema changes. */
const plainView = memoizeBy((collection: Collection): CollectionView => viewCollection(collection, {}))

type PrefixOptions = Pick<View, 'systemPrefix'>

function viewCollection(collection: Collection, naming: PrefixOptions): CollectionView {
  const named = naming.systemPrefix === undefined ? new Map<string, Codec>() : nameFields(collection, naming)
  const fields = [...collection.fields.values()]
    .filter((field) => !isHidden(field, collection))
    .map((field) => viewField(field, named.get(field.name)))
  const byName = new Map(fields.map((field) => [field.name, field]))
  const name = collection.system ? shownName(collection.name, naming.systemPrefix) : collection.name
  const listed = collection.name === rolesCollection ? { listed: otherThanPublic } : {}
  return { name, collection: collection.name, fields: byName, byCore: byName, ...listed }
}

const rolesCollection = 'platform_roles'

/** The role of callers without a token belongs to the other generation. Here they have the public policy. */
const otherThanPublic = compare('id', 'neq', [seedIds.publicRole])

/** The fields that hold names of system collections: of system collections, and those beside keys of any collection. */
function nameFields({ name, system, fields }: Collection, naming: PrefixOptions): ReadonlyMap<string, Codec> {
  const beside = [...fields.values()].flatMap(({ relation }) =>
    relation?.kind === 'many-to-any' ? [relation.collectionField] : [],
  )
  const texts = system ? (namesWithin.text[name] ?? ['collection']) : beside
  const documents = namesWithin.json[name] ?? []
  const [text, json] = [nameCodec('text', naming), nameCodec('json', naming)]
  if (text === null || json === null) return new Map()
  return new Map<string, Codec>([
    ...texts.map((field) => [field, text] as const),
    ...documents.map((field) => [field, json] as const),
  ])
}

/** Fields that hold names of collections, if not `collection` alone. */
const namesWithin: { readonly [Within in 'text' | 'json']: { readonly [collection: string]: readonly string[] } } = {
  text: {
    platform_activity: ['collection', 'item'],
    platform_collections: ['collection', 'group'],
    platform_relations: ['many_collection', 'one_collection'],
    platform_revisions: ['collection', 'item'],
  },
  json: {
    platform_fields: ['options', 'display_options', 'conditions', 'validation'],
    platform_panels: ['options'],
    platform_permissions: ['permissions', 'validation', 'presets'],
    platform_presets: ['layout_query', 'layout_options', 'filter'],
    platform_revisions: ['data', 'delta'],
  },
}

/** A wildcard leaves out fields whose value consists of several columns, and shows the columns. */
function viewField(field: Field, named: Codec | undefined): FieldView {
  const view = { name: field.name, field: field.name, codec: named ?? codecOf(field) }
  return referenceColumns(field) === null ? view : { ...view, unlisted: true }
}

/** Columns of system collections that only the other generation shows, or none. */
const hidden: { readonly [collection: string]: ReadonlySet<string> } = {
  platform_users: new Set(['company', 'timezone', 'locale_options', 'password_reset_token']),
  platform_roles: new Set([
    'external_id',
    'ip_access',
    'enforce_tfa',
    'module_listing',
    'collection_listing',
    'nav_blacklist',
  ]),
  platform_files: new Set(['private_hash', 'checksum', 'seconds']),
  platform_policies: new Set(['of_role']),
  platform_fields: new Set(['type', 'locked', 'hidden_browse']),
  platform_versions: new Set(['delta']),
  platform_presets: new Set(['filters', 'translation']),
  platform_activity: new Set(['edited_on', 'comment_deleted_on']),
  platform_settings: new Set(['entries']),
  platform_webhooks: new Set(['previous_secret']),
}

/** The integer id of a system row belongs to the other generation. */
const isHidden = ({ name, special }: Field, collection: Collection): boolean =>
  (name === 'number' && isIdentityCollection(collection.name)) ||
  special.includes('no-data') ||
  (collection.system && hidden[collection.name]?.has(name) === true)

const codecOf = (field: Field): Codec => (field.concealed ? { kind: 'mask' } : codecByType[field.type])

const codecByType: Record<FieldType, Codec> = {
  ...usualCodecs,
  float: { kind: 'number' },
  hash: { kind: 'mask' },
  alias: { kind: 'literal' },
}
