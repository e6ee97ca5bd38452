/** Requests for the legacy generation's system collections whose outcome depends on the world's data. */
import type { Extra } from './data-cases.ts'
import { legacy } from './extras.ts'
import { expiredToken } from './live-tokens.ts'

const { refused, accepted } = legacy

/** `wrong`: changes that the data does not allow. */
type Resource = { readonly one: string; readonly many: string; readonly wrong: object }

const resources: readonly Resource[] = [
  { one: 'CollectionPreset', many: 'CollectionPresets', wrong: { user: 999_999 } },
  { one: 'Webhook', many: 'Webhooks', wrong: { nothing: 1 } },
  { one: 'Role', many: 'Roles', wrong: { nothing: 1 } },
  { one: 'User', many: 'Users', wrong: { nothing: 1 } },
]

/** Answers common to all resources of this form. */
const family = ({ one, many, wrong }: Resource): readonly Extra[] => [
  ...[`create${many}`, `update${many}`, `update${one}`].map((operation) =>
    accepted(operation, 'a change that its author cannot read', { as: 'writer' }),
  ),
  ...[`read${one}`, `update${one}`, `delete${one}`].flatMap((operation) => [
    refused(operation, 'no such row', { path: { id: '999999' } }),
    refused(operation, 'a key that is no number', { path: { id: 'one' } }),
  ]),
  accepted(`delete${one}`, 'by somebody without a token', { as: 'public', path: { id: '908' } }),
  refused(`read${many}`, 'an unknown operator', { query: { filter: { id: { resembles: 1 } } } }),
  refused(`read${many}`, 'an unknown field', { query: { fields: 'no_such_field' } }),
  refused(`update${many}`, 'a row without its number', { body: [{}] }),
  refused(`update${many}`, 'no such row', { body: [{ id: 999_999 }] }),
  refused(`create${many}`, 'a value that the data refuses', { body: wrong }),
  refused(`update${one}`, 'a value that the data refuses', { body: wrong }),
]

const taken = { collection: 'steps', role: 906 }
const level = { one: 'Permission', many: 'Permissions', wrong: { collection: 'tags', role: 999_999 } }
const noted = { collection: 'tags', item: 1, comment: 'Well said' }

const setting = { one: 'Setting', many: 'Settings', wrong: { value: 'x'.repeat(300) } }

/** Cases of settings; the test data has no address of the project. */
const settings: readonly Extra[] = [
  ...family(setting).filter(({ as }) => as !== 'public'),
  refused('createSettings', 'a key that exists', { body: { key: 'project_name', value: 'x' } }),
  refused('createSettings', 'a text that is too long', { body: { key: 'project_url', ...setting.wrong } }),
  refused('updateSettings', 'a text that is too long', { body: [{ id: 21, ...setting.wrong }] }),
]

/** Cases of accounts and permissions. */
const accounts: readonly Extra[] = [
  refused('sendMail', 'in the name of the project, by somebody else than an administrator', {
    as: 'editor',
    body: { to: 'grace@example.com', body: 'x', use_default_email: true },
  }),
  refused('resetToRandomPassword', 'a token of nobody', { path: { token: 'nobody-has-sent-this' } }),
  refused('resetToRandomPassword', 'an expired token', { path: { token: expiredToken } }),
  refused('readInfo', 'an unknown project', { query: { project: 'nowhere' } }),
  refused('sendMail', 'to no user', { body: { to: [999_999], body: 'x' } }),
  ...family(level).filter(({ as }) => as === undefined),
  accepted('createPermissions', 'a place that is taken', { body: taken }),
  refused('updatePermission', 'a place that is taken', { body: taken }),
  refused('updatePermissions', 'a place that is taken', { body: [{ id: 901, ...taken }] }),
  refused('readMe', 'a field that its reader may not see', { as: 'nobody', query: { fields: 'token' } }),
  accepted('updateMe', 'a change that its author cannot read', { as: 'writer' }),
  refused('updateMe', 'an unknown field', { body: { nothing: 1 } }),
  refused('hashString', 'an unknown hasher', { body: { string: 'a', hasher: 'rot13' } }),
  refused('matchHash', 'an unknown hasher', { body: { string: 'a', hash: 'a', hasher: 'rot13' } }),
  refused('readTypes', 'no such project', { headers: { 'x-platform-project': 'nowhere' } }),
  ...['readInterfaces', 'readLayouts', 'readModules', 'readPages'].map((operation) =>
    refused(operation, 'no such project', { headers: { 'x-platform-project': 'nowhere' } }),
  ),
  refused('readCustomEndpoint', 'no such endpoint', { path: { id: 'nothing' } }),
  refused('createUsers', 'an address that is taken', { body: { email: 'admin@example.com' } }),
  refused('updateUser', 'an address that is taken', { body: { email: 'admin@example.com' } }),
  refused('updateUsers', 'an address that is taken', { body: [{ id: 906, email: 'admin@example.com' }] }),
  {
    ...refused('readMyCollectionPermissions', 'no such collection', { path: { collection: 'nowhere' } }),
    as: 'nobody',
  },
  refused('deleteRole', 'the administrators', { path: { id: '1' } }),
  refused('acceptInvite', 'a token of nobody', { path: { token: 'nobody-has-sent-this' } }),
  refused('acceptInvite', 'an expired token', { path: { token: expiredToken } }),
  refused('enableTfa', 'a wrong code', {}),
  refused('enableTfa', 'another user', { path: { id: '906' } }),
  refused('trackPage', 'another user', { path: { id: '906' } }),
  refused('readUserRevisions', 'a user that is not there', { path: { id: '999999' } }),
  refused('readUserRevision', 'a place where none is', { path: { offset: '99' } }),
  refused('readWebhookRevisions', 'a webhook that is not there', { path: { id: '999999' } }),
  refused('readWebhookRevision', 'a place where none is', { path: { offset: '99' } }),
  accepted('createActivityComment', 'a comment that its author cannot read', { body: noted, as: 'writer' }),
  accepted('updateActivityComment', 'a comment that its author cannot read', { as: 'writer' }),
  ...['readActivityEntry', 'readRevisionEntry'].map((operation) =>
    refused(operation, 'no such row', { path: { id: '999999' } }),
  ),
  ...['readActivity', 'readRevisions', 'readSeenActivity', 'readUserRoles'].map((operation) =>
    refused(operation, 'an unknown operator', { query: { filter: { id: { resembles: 1 } } } }),
  ),
]

const column = { type: 'string', datatype: 'VARCHAR', length: 10 } as const

/** Cases of the data model. */
const model: readonly Extra[] = [
  ...['readCollections', 'readFields', 'readCollectionFields'].map((operation) =>
    refused(operation, 'an unknown operator', { query: { filter: { collection: { resembles: 1 } } } }),
  ),
  refused('createCollection', 'a name that is taken', { body: { collection: 'tags', fields: [{ field: 'id' }] } }),
  refused('updateCollection', 'a field without a length', {
    body: { fields: [{ ...column, length: null, field: 'other' }] },
  }),
  refused('createField', 'a name that is taken', { body: { field: 'title', ...column } }),
  refused('createField', 'an unknown type', { body: { field: 'other', ...column, type: 'rainbow' } }),
  refused('updateFields', 'a bad pattern', { body: [{ field: 'title', validation: '/(/' }] }),
  refused('updateField', 'a bad pattern', { body: { validation: '/(/' } }),
  ...['readField', 'updateField', 'deleteField'].map((operation) =>
    refused(operation, 'no such field', { path: { field: 'no_such_field' } }),
  ),
  refused('readRelations', 'an unknown operator', { query: { filter: { field_many: { resembles: 1 } } } }),
  refused('createRelations', 'no name of a field', { body: { collection_many: 'comments', collection_one: 'tags' } }),
  refused('updateRelation', 'another end', { body: { field_many: 'other' } }),
]

export const legacySystemFaults: readonly Extra[] = [...resources.flatMap(family), ...accounts, ...settings, ...model]
