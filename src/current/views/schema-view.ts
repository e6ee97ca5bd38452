/**
 * This generation's view of the schema: stored names, uuids as ids of system rows, dates in ISO 8601, and big
 * integers, decimals and computed numbers as strings.
 */
import type { FieldType } from '../../domain/query/field-types.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { usualCodecs } from '../../domain/schema/usual-codecs.ts'
import type { Codec, CollectionView, FieldView, View } from '../../domain/schema/view.ts'

/** Creates the view of a schema; call it once per schema version. */
export function createView(schema: Schema): View {
  const collections = [...schema.collections.values()]
    .filter(({ table, name }) => table !== null && name !== 'platform_sessions' && name !== 'platform_role_levels')
    .map(viewCollection)
  const byName = new Map(collections.map((each) => [each.name, each]))
  return { name: 'current', collections: byName, byCore: byName, computed: 'text' }
}

function viewCollection(collection: Collection): CollectionView {
  const fields = [...collection.fields.values()].filter((field) => !isHidden(field, collection)).map(viewField)
  const byName = new Map(fields.map((field) => [field.name, field]))
  return { name: collection.name, collection: collection.name, fields: byName, byCore: byName }
}

/** Of what several columns hold, a wildcard shows the columns alone. */
function viewField(field: Field): FieldView {
  const view = { name: field.name, field: field.name, codec: codecOf(field) }
  return referenceColumns(field) === null ? view : { ...view, unlisted: true }
}

/** Columns of system collections that only the other generation shows, or none. */
const hidden: { readonly [collection: string]: ReadonlySet<string> } = {
  platform_users: new Set(['company', 'timezone', 'locale_options', 'password_reset_token']),
  platform_roles: new Set(['external_id', 'ip_access', 'enforce_tfa', 'module_listing', 'collection_listing']),
  platform_files: new Set(['private_hash', 'checksum', 'seconds']),
  platform_policies: new Set(['of_role']),
  platform_fields: new Set(['type', 'locked', 'hidden_browse']),
  platform_versions: new Set(['delta']),
  platform_presets: new Set(['filters', 'translation']),
  platform_activity: new Set(['edited_on', 'comment_deleted_on']),
  platform_settings: new Set(['entries']),
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
