/** What REST has, GraphQL has: resources field by field, and operation by operation. */
import { makeExecutableSchema } from '@graphql-tools/schema'
import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType, Kind, parse } from 'graphql'
import { expect, test } from 'vitest'
import type { CurrentOperations } from '../../generated/current.ts'
import { currentRoutes } from '../../generated/current.ts'
import spec from '../../generated/current-spec.json' with { type: 'json' }
import { readSdl } from '../../graphql/schema/sdl.ts'

type JsonSchema = {
  readonly $ref?: string
  readonly 'x-collection'?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

const schemas = spec.components.schemas as unknown as { readonly [name: string]: JsonSchema }

const shared = parse(readSdl('current-items')).definitions.filter(
  (each) => 'name' in each && !/(^|_)example(_|$)|^(Query|Mutation|Subscription)$/.test(each.name?.value ?? ''),
)
const system: GraphQLSchema = makeExecutableSchema({
  typeDefs: [{ kind: Kind.DOCUMENT, definitions: shared }, readSdl('current-system'), readSdl('current-records')],
})

/** What only one of both shows, with the reason. */
const ownFields: { readonly [field: string]: string } = {
  'platform_permissions.system': 'REST lists rules that are no rows beside those that are, and marks them so',
  'platform_permissions.level': 'such a rule says which level it stands for',
}

const resolve = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})

/** The schema and what it may be instead. */
function optionsOf(given: JsonSchema): readonly JsonSchema[] {
  const schema = resolve(given)
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...inner.flatMap(optionsOf)]
}

const typesOf = (schema: JsonSchema): readonly string[] => optionsOf(schema).flatMap(({ type }) => type ?? [])

/** JSON types that a scalar of GraphQL may stand for. */
const scalars: { readonly [scalar: string]: readonly string[] } = {
  ID: ['string', 'integer'],
  String: ['string'],
  Hash: ['string'],
  Date: ['string'],
  Int: ['integer'],
  Float: ['number', 'integer'],
  Boolean: ['boolean'],
  GraphQLBigInt: ['string', 'integer'],
}

/** Answers never have the null that the schema, shared with requests, allows. */
const neverNull: ReadonlySet<string> = new Set(['platform_fields.type'])

/** Why a field of GraphQL is not what REST says of it; null = it is. */
function mismatch(field: string, type: string, schema: JsonSchema): string | null {
  const name = type.replaceAll(/[[\]!]/g, '')
  const options = optionsOf(schema)
  const items = options.flatMap((each) => (each.items === undefined ? [] : optionsOf(each.items)))
  const isList = type.startsWith('[')
  if (isList !== items.length > 0 && name !== 'JSON') return `${field}: ${type}, but REST has ${JSON.stringify(schema)}`
  if (type.endsWith('!') && typesOf(schema).includes('null') && !neverNull.has(field))
    return `${field}: ${type}, but REST has null`
  const found = system.getType(name)
  const types = isList ? items.flatMap(typesOf) : typesOf(schema)
  if (isObjectType(found)) {
    const related = [...options, ...items].flatMap((each) => each['x-collection'] ?? [])
    const isResource = related.length === 0 ? types.includes('object') : related.includes(name)
    return isResource ? null : `${field}: ${type}, but REST has ${related.join(', ') || types.join(', ')}`
  }
  if (name === 'JSON') return types.some((each) => each !== 'null') || types.length === 0 ? null : `${field}: JSON`
  const isDate = options.some(({ format }) => format === 'date-time' || format === 'date')
  if (isDate !== (name === 'Date')) return `${field}: ${type}, but REST has ${isDate ? 'a' : 'no'} date`
  return scalars[name]?.some((each) => types.includes(each)) === true || (types.length === 0 && name === 'String')
    ? null
    : `${field}: ${type}, but REST has ${types.join(', ')}`
}

function mismatches(type: GraphQLObjectType, schema: JsonSchema): readonly string[] {
  const properties = Object.assign({}, ...optionsOf(schema).map((each) => each.properties ?? {})) as NonNullable<
    JsonSchema['properties']
  >
  const fields = Object.values(type.getFields()).filter(({ name }) => !name.endsWith('_func'))
  const names = new Set([...Object.keys(properties), ...fields.map(({ name }) => name)])
  return [...names].flatMap((name): readonly string[] => {
    const at = `${type.name}.${name}`
    const field = fields.find((each) => each.name === name)
    const property = properties[name]
    if (field === undefined || property === undefined)
      return at in ownFields ? [] : [`${at}: only ${field === undefined ? 'REST' : 'GraphQL'} has it`]
    const inner = getNamedType(field.type)
    const isPart =
      isObjectType(inner) &&
      inner.name.startsWith(`${type.name}_`) &&
      optionsOf(property).some((each) => each.properties !== undefined)
    const below = isPart ? mismatches(inner, property) : []
    return [...below, ...[mismatch(at, String(field.type), property) ?? []].flat()]
  })
}

const resources = [
  ...Object.entries(schemas).flatMap(([name, each]) =>
    each['x-collection'] === undefined ? [] : [[each['x-collection'], name] as const],
  ),
  ['platform_collections', 'Collection'],
  ['platform_fields', 'Field'],
  ['platform_relations', 'Relation'],
  ['server_info', 'ServerInfo'],
  ['policy_globals', 'PolicyGlobals'],
  ['share_info', 'ShareInfo'],
  ['webhook_delivery', 'WebhookDelivery'],
  ['webhook_secret', 'WebhookSecret'],
] as const

test.each(resources)('%s has the fields of %s', (type, name) => {
  const found = system.getType(type)
  const schema = schemas[name]
  if (!isObjectType(found) || schema === undefined) throw new Error(`Expected ${type} and ${name}`)
  expect(mismatches(found, schema)).toEqual([])
})

/** Operations that GraphQL cannot carry, or has at an address of its own. */
const ownOperations = {
  readAsset: 'bytes',
  readNamedAsset: 'bytes',
  downloadFilesZip: 'bytes',
  downloadFolderZip: 'bytes',
  createFiles: 'bytes',
  runBatch: 'a directive does it',
  runMcp: 'it is a protocol of its own',
  readItemChanges: 'a stream',
  readConfiguration: 'for tools',
  compareConfiguration: 'for tools',
  applyConfiguration: 'for tools',
  readUsage: 'for tools',
  readFlows: 'there are none',
  readOperations: 'there are none',
  readExtensions: 'there are none',
  beginProviderLogin: 'the browser leaves',
  finishProviderLogin: 'the browser returns',
  finishProviderLoginByForm: 'the browser returns',
  finishSamlLogin: 'the browser returns',
  readProviderMetadata: 'XML for a provider',
  beginSamlLogout: 'leads to a page',
  finishSamlLogout: 'the browser returns',
  finishSamlLogoutByForm: 'the browser returns',
  finishProviderLogout: 'for a provider',
  readSyncKeys: 'directus-sync',
  createSyncKey: 'directus-sync',
  readSyncKey: 'directus-sync',
  deleteSyncKey: 'directus-sync',
  readScimUsers: 'SCIM',
  createScimUser: 'SCIM',
  readScimUser: 'SCIM',
  replaceScimUser: 'SCIM',
  updateScimUser: 'SCIM',
  deleteScimUser: 'SCIM',
  readScimGroups: 'SCIM',
  createScimGroup: 'SCIM',
  readScimGroup: 'SCIM',
  replaceScimGroup: 'SCIM',
  updateScimGroup: 'SCIM',
  deleteScimGroup: 'SCIM',
  readScimConfig: 'SCIM',
  readScimResourceTypes: 'SCIM',
  readScimResourceType: 'SCIM',
  readScimSchemas: 'SCIM',
  readScimSchema: 'SCIM',
  readUploadOptions: 'bytes',
  createUpload: 'bytes',
  readUpload: 'bytes',
  updateUpload: 'bytes',
  deleteUpload: 'bytes',
  runGraphql: 'GraphQL itself',
  runGraphqlQuery: 'GraphQL itself',
  runSystemGraphql: 'GraphQL itself',
  runSystemGraphqlQuery: 'GraphQL itself',
  readItems: '/graphql',
  readItem: '/graphql',
  createItems: '/graphql',
  updateItems: '/graphql',
  updateItem: '/graphql',
  deleteItems: '/graphql',
  deleteItem: '/graphql',
} as const satisfies { readonly [Id in keyof CurrentOperations]?: string }

/** The root fields that do what an operation does, where its name does not say which. */
const rootFields = {
  createActivityComment: ['create_comment'],
  updateActivityComment: ['update_comment'],
  deleteActivityComment: ['delete_comment'],
  readProviders: ['auth_providers'],
  login: ['auth_login'],
  loginByProvider: ['auth_login'],
  refreshSession: ['auth_refresh'],
  logout: ['auth_logout'],
  requestPasswordReset: ['auth_password_request'],
  resetPassword: ['auth_password_reset'],
  readCollections: ['collections'],
  createCollections: ['create_collections_item', 'create_collections_items'],
  updateCollections: ['update_collections_batch'],
  deleteCollections: ['delete_collections_items'],
  readCollection: ['collections_by_name'],
  updateCollection: ['update_collections_item'],
  deleteCollection: ['delete_collections_item'],
  readFields: ['fields'],
  readCollectionFields: ['fields_in_collection'],
  createFields: ['create_fields_item', 'create_fields_items'],
  updateFields: ['update_fields_batch'],
  deleteFields: ['delete_fields_items'],
  readField: ['fields_by_name'],
  updateField: ['update_fields_item'],
  deleteField: ['delete_fields_item'],
  readRelations: ['relations'],
  createRelation: ['create_relations_item'],
  readCollectionRelations: ['relations_in_collection'],
  readRelation: ['relations_by_name'],
  updateRelation: ['update_relations_item'],
  deleteRelation: ['delete_relations_item'],
  importFile: ['import_file'],
  readKeys: ['keys'],
  createKey: ['create_keys_item'],
  updateKey: ['update_keys_item'],
  deleteKey: ['delete_keys_item'],
  explainPermissions: ['permissions_explain'],
  readMyPermissions: ['permissions_me'],
  readCollectionPermissions: ['permissions_me_item'],
  readItemPermissions: ['permissions_me_item'],
  readPolicyGlobals: ['policies_me_globals'],
  readMyRoles: ['roles_me'],
  readSchemaSnapshot: ['schema_snapshot'],
  diffSchema: ['schema_diff'],
  applySchema: ['schema_apply'],
  pingServer: ['server_ping'],
  readServerInfo: ['server_info'],
  createFirstAdministrator: ['server_setup'],
  readServerReadiness: ['server_ready'],
  readServerHealth: ['server_health'],
  readAsyncApiSpec: ['server_specs_asyncapi'],
  readOpenApiSpec: ['server_specs_oas'],
  readGraphqlSpec: ['server_specs_graphql'],
  readScopedGraphqlSpec: ['server_specs_graphql'],
  readSettings: ['settings'],
  updateSettings: ['update_settings'],
  authenticateShare: ['shares_auth'],
  inviteToShare: ['shares_invite'],
  readShareInfo: ['shares_info'],
  readMe: ['users_me'],
  updateMe: ['update_users_me'],
  trackPage: ['users_me_track_page'],
  inviteUsers: ['users_invite'],
  acceptInvite: ['users_invite_accept'],
  createRegistration: ['users_register'],
  runEmailVerification: ['users_register_verify'],
  createTfaSecret: ['users_me_tfa_generate'],
  enableTfa: ['users_me_tfa_enable'],
  disableTfa: ['users_me_tfa_disable'],
  disableUserTfa: ['users_tfa_disable'],
  createRandomString: ['utils_random_string'],
  hashString: ['utils_hash_generate'],
  matchHash: ['utils_hash_verify'],
  revertItem: ['utils_revert'],
  revertActivity: ['activity_revert'],
  sortItems: ['utils_sort'],
  importItems: ['utils_import'],
  importCollections: ['utils_import_batch'],
  exportItems: ['utils_export'],
  clearCache: ['utils_cache_clear'],
  rotateWebhookSecret: ['webhooks_rotate_secret'],
  readWebhookDeliveries: ['webhooks_deliveries'],
  replayWebhook: ['webhooks_replay'],
  replayWebhookDelivery: ['webhooks_deliveries_replay'],
  saveVersion: ['versions_save'],
  compareVersion: ['versions_compare'],
  promoteVersion: ['versions_promote'],
} as const satisfies { readonly [Id in keyof CurrentOperations]?: readonly string[] }

/** Root fields of the operations that every collection of the system has, by method and shape of the path. */
function familyOf({ method, path }: { readonly method: string; readonly path: string }): readonly string[] {
  const [, name = '', one] = /^\/(\w+)(\/\{\w+\})?$/.exec(path) ?? []
  const byMethod: { readonly [method: string]: readonly string[] } =
    one === undefined
      ? {
          get: [name, `${name}_aggregated`],
          post: [`create_${name}_item`, `create_${name}_items`],
          patch: [`update_${name}_items`, `update_${name}_batch`],
          delete: [`delete_${name}_items`],
        }
      : { get: [`${name}_by_id`], patch: [`update_${name}_item`], delete: [`delete_${name}_item`] }
  return name === '' ? [] : (byMethod[method.toLowerCase()] ?? [])
}

const operations = currentRoutes.filter(({ operationId }) => !(operationId in ownOperations))

const fieldsFor = (route: (typeof operations)[number]): readonly string[] =>
  (rootFields as { readonly [id: string]: readonly string[] })[route.operationId] ?? familyOf(route)

const found = new Set(
  [system.getQueryType(), system.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {})),
)

test.each(operations.map((route) => [route.operationId, route] as const))('%s is a field of GraphQL', (_id, route) => {
  const fields = fieldsFor(route)
  expect(fields.length).toBeGreaterThan(0)
  expect(fields.filter((each) => !found.has(each))).toEqual([])
})

test('GraphQL has no operation that REST lacks', () => {
  const named = new Set(operations.flatMap(fieldsFor))
  expect([...found].filter((each) => !named.has(each))).toEqual([])
})
