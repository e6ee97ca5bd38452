/** Requests that depend on the data of the world. */

import type { Operation } from '../verify/src/spec/operations.ts'
import type { DataFaults, Extra } from './data-cases.ts'
import { current, extrasOf, legacy } from './extras.ts'
import { legacyFileFaults, legacyHistoryFaults } from './faults-legacy-files.ts'
import { legacySystemFaults } from './faults-legacy-system.ts'
import { scimFaults } from './faults-scim.ts'
import { expiredToken } from './live-tokens.ts'
import { refusals } from './refusals.ts'
import { comments, exchange, setup, shares, versions } from './resource-faults.ts'
import { schemaFaults } from './schema-faults.ts'
import { password } from './world-data.ts'

/** Permissions of any item are reported: whether the item exists makes no difference to administrators. */
const reaches = ({ path }: Pick<Operation, 'path'>): boolean => !path.startsWith('/permissions/me')

/** In the current generation, a singleton has no keys and no further items. */
const needsMany = ({ generation, path, method }: Operation): boolean =>
  generation === 'current' && path.startsWith('/items') && (path.includes('{id}') || method === 'POST')

/** Whether the operation reads rows, not the data model. */
const named = ({ path }: Operation): boolean => path.includes('items/{collection}')

/** The model of system collections can be read, and fields can be added to it. */
const refusesSystem = (operation: Operation): boolean =>
  named(operation) || (operation.path.startsWith('/collections') && operation.method !== 'GET')

/** Operations that name a collection also name fields. */
const everywhereNamed = (rule: string, value: unknown) => [{ rule, value, when: named }]

const stranger = { cookie: 'platform_refresh_token=a; platform_session_token=b', origin: 'https://stranger.example' }
const legacyStranger = { cookie: 'platform-_-session=a', origin: 'https://stranger.example' }

/** A writer without read permission gets an empty response. */
const blind = (generation: Extra['generation'], operation: string): Extra =>
  extrasOf(generation).accepted(operation, 'a change that its author cannot read', { as: 'writer' })

/** Records that are changed and deleted one by one and many at once. */
const recordNames = {
  Item: 'Items',
  User: 'Users',
  Role: 'Roles',
  Policy: 'Policies',
  Access: 'Accesses',
  Permission: 'Permissions',
  File: 'Files',
  Folder: 'Folders',
  Preset: 'Presets',
  Comment: 'Comments',
  Notification: 'Notifications',
  Dashboard: 'Dashboards',
  Panel: 'Panels',
  Translation: 'Translations',
  Webhook: 'Webhooks',
  Version: 'Versions',
  Share: 'Shares',
} as const

const blindly = [
  ...Object.entries(recordNames).flatMap(([one, many]) => [`create${many}`, `update${many}`, `update${one}`]),
  'importFile',
  'updateActivityComment',
  'updateMe',
  'updateSettings',
].filter((operation) => operation !== 'createComments' && operation !== 'createVersions')

/** Ranges and invalid transforms of the image. */
const assetExtras = (operation: string): readonly Extra[] => [
  current.accepted(operation, 'a range', { headers: { range: 'bytes=0-9' } }),
  current.refused(operation, 'a range beyond the end', { headers: { range: 'bytes=100000-' } }),
  current.refused(operation, 'contents that are other ones', { headers: { 'if-match': '"other"' } }),
  current.refused(operation, 'no JSON', { query: { transforms: '[[' } }),
  current.refused(operation, 'an unknown operation', { query: { transforms: '[["toFile", "x"]]' } }),
  current.refused(operation, 'a result that is too large', { query: { width: 100_000 } }),
  current.refused(operation, 'an unknown preset', { query: { key: 'nothing' } }),
  current.refused(operation, 'no such file', { path: { id: '00000000-0000-4000-8000-00000000ffff' } }),
]

const sumOfNothing = 'sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk='

/** Requests that the tus protocol rejects. */
const uploadExtras: readonly Extra[] = [
  ...['createUpload', 'readUpload', 'updateUpload', 'deleteUpload'].map(
    (operation): Extra =>
      current.refused(operation, 'another version of the protocol', { headers: { 'Tus-Resumable': '0.2.2' } }),
  ),
  ...(
    [
      ['createUpload', 'more than any file may have', { 'Upload-Length': '999999999' }],
      ['createUpload', 'no file name', { 'Upload-Metadata': 'title Tm90ZXM=' }],
      [
        'createUpload',
        'a field that is not the client’s',
        { 'Upload-Metadata': 'filename_download YQ==,filesize MQ==' },
      ],
      ['createUpload', 'another sum', { 'Upload-Checksum': sumOfNothing }],
      ['updateUpload', 'another sum', { 'Upload-Checksum': sumOfNothing }],
      ['updateUpload', 'another offset', { 'Upload-Offset': '3' }],
    ] as const
  ).map(([operation, rule, headers]): Extra => current.refused(operation, rule, { headers })),
]

/** The same resources in the legacy generation. */
const legacySingle = ['Item', 'User', 'Role', 'Permission', 'File', 'Folder', 'CollectionPreset', 'Webhook'] as const

const changedSince = (operation: string, generation: Extra['generation'] = 'current'): Extra =>
  extrasOf(generation).refused(operation, 'an item that has changed since', { headers: { 'if-match': 'W/"0"' } })

/** Invalid and expired tokens of mails. */
const mailed = (
  operation: string,
  body: object | null,
  generation: Extra['generation'] = 'current',
): readonly Extra[] =>
  [
    ['a token of nobody', 'nobody-has-sent-this'],
    ['an expired token', expiredToken],
  ].map(([rule = '', token]) =>
    extrasOf(generation).refused(operation, rule, body === null ? { query: { token } } : { body: { ...body, token } }),
  )

/** Links in mails may lead only to allowed pages. */
const elsewhere = (operation: string, body: object, generation: Extra['generation'] = 'current'): Extra =>
  extrasOf(generation).refused(operation, 'a page that is not listed', { body })

export const faults: DataFaults = {
  parameters: {
    collection: [
      { rule: 'no such collection', value: 'no_such_collection', when: ({ id }) => id !== 'explainPermissions' },
      { rule: 'a system collection', value: 'platform_users', when: refusesSystem },
      { rule: 'a singleton', value: 'about', when: needsMany },
    ],
    id: [
      { rule: 'no such item', value: '999999', when: reaches },
      // What is no key has no revisions.
      { rule: 'not a key', value: "1' or '1'='1", when: (each) => reaches(each) && !each.id.endsWith('Revisions') },
    ],
    upload: [
      { rule: 'no such upload', value: '00000000-0000-4000-8000-00000000ffff' },
      { rule: 'not a key', value: "1' or '1'='1" },
    ],
    project: [{ rule: 'no such project', value: 'nowhere' }],
    provider: [{ rule: 'no such provider', value: 'nobody' }],
    fields: everywhereNamed('no such field', 'no_such_field'),
    sort: everywhereNamed('no such field', 'no_such_field'),
    groupBy: everywhereNamed('no such field', 'no_such_field'),
    aggregate: everywhereNamed('no such function', { no_such_function: '*' }),
    filter: [
      { rule: 'no such operator', value: { title: { no_such_operator: 1 } }, when: named },
      { rule: 'no such field', value: { no_such_field: { eq: 1, _eq: 1 } }, when: named },
    ],
  },
  items: [
    // In the current generation, an administrator's unknown fields are ignored: `coming-from-directus.test.ts`.
    { rule: 'a field that does not exist', name: 'no_such_field', value: 1, generation: 'legacy' },
    { rule: 'a text for a number', name: 'views', value: 'many' },
    { rule: 'a number out of range', name: 'views', value: 3_000_000_000 },
    { rule: 'a text that is too long', name: 'title', value: 'a'.repeat(300) },
    { rule: 'a NUL byte', name: 'title', value: 'a\u0000b' },
    { rule: 'null where a value is needed', name: 'title', value: null },
    { rule: 'no date', name: 'published', value: 'yesterday' },
    { rule: 'no boolean', name: 'featured', value: 'perhaps' },
    { rule: 'a key of nothing', name: 'author', value: 999_999 },
    { rule: 'a value that is taken', name: 'code', value: 'tandem' },
  ],
  extras: [
    ...Object.keys(recordNames).flatMap((name) => [changedSince(`update${name}`), changedSince(`delete${name}`)]),
    ...legacySingle.flatMap((name) => [
      changedSince(`update${name}`, 'legacy'),
      changedSince(`delete${name}`, 'legacy'),
    ]),
    changedSince('updateMe'),
    changedSince('updateMe', 'legacy'),
    changedSince('updateSettings'),
    { ...changedSince('updateItems'), path: { collection: 'about' }, body: { headline: 'Lost' } },
    current.refused('createFiles', 'an object that is not in the storage', {
      body: { type: 'text/plain', filename_disk: 'absent.txt' },
    }),
    current.refused('updateFile', 'where the contents are', { body: { filename_disk: 'brought-along.txt' } }),
    current.refused('readItems', 'an alias of no such field', {
      query: { alias: { other: 'no_such_field' }, fields: 'other' },
    }),
    ...schemaFaults,
    ...uploadExtras,
    ...blindly.map((operation) => blind('current', operation)),
    ...versions,
    ...shares,
    ...comments,
    ...setup,
    ...exchange,
    ...refusals,
    ...['createItems', 'updateItems', 'updateItem'].map((operation) => blind('legacy', operation)),
    current.refused('login', 'a wrong password', { body: { email: 'admin@example.com', password: 'wrong-horse-42' } }),
    ...mailed('resetPassword', { password: 'correct-horse-43' }),
    ...mailed('acceptInvite', { password: 'correct-horse-43' }),
    ...mailed('runEmailVerification', null),
    elsewhere('requestPasswordReset', { email: 'spare@example.com', reset_url: 'https://stranger.example/reset' }),
    elsewhere('inviteUsers', {
      email: 'new@example.com',
      role: '00000000-0000-4000-8000-0000000000f2',
      invite_url: 'https://app.example.com.stranger.example/join',
    }),
    elsewhere('createRegistration', {
      email: 'registered@example.com',
      password: 'correct-horse-43',
      verification_url: 'https://app.example.com@stranger.example/confirm',
    }),
    current.refused('createRegistration', 'an address that is not welcome', {
      body: { email: 'somebody@unwelcome.example', password: 'correct-horse-43' },
    }),
    current.refused('createTfaSecret', 'a wrong password', { body: { password: 'wrong-horse-42' } }),
    ...legacyFileFaults,
    ...legacyHistoryFaults,
    ...legacySystemFaults,
    ...scimFaults,
    ...assetExtras('readAsset'),
    ...assetExtras('readNamedAsset'),
    current.refused('refreshSession', 'a token of nobody'),
    current.refused('refreshSession', 'a foreign page', { body: {}, headers: stranger }),
    current.refused('logout', 'a foreign page', { body: {}, headers: stranger }),
    legacy.refused('authenticate', 'a user who is not active', { body: { email: 'inactive@example.com', password } }),
    legacy.refused('authenticate', 'a wrong password', {
      body: { email: 'admin@example.com', password: 'wrong-horse-42' },
    }),
    legacy.refused('authenticate', 'from where the role does not count', {
      body: { email: 'elsewhere@example.com', password },
    }),
    legacy.accepted('authenticate', 'a second factor that has yet to be set up', {
      body: { email: 'factor@example.com', password },
    }),
    ...mailed('resetPassword', { password: 'correct-horse-43' }, 'legacy'),
    elsewhere(
      'requestPasswordReset',
      { email: 'spare@example.com', reset_url: 'https://stranger.example/reset' },
      'legacy',
    ),
    legacy.refused('refresh', 'a token of nobody'),
    legacy.refused('refresh', 'a foreign page', { body: {}, headers: legacyStranger }),
    legacy.refused('logout', 'a foreign page', { headers: legacyStranger }),
    legacy.refused('readServerInfo', 'no such project', { headers: { 'x-platform-project': 'nowhere' } }),
    legacy.accepted('deleteItem', 'by somebody without a token', {
      as: 'public',
      path: { collection: 'comments', id: '6' },
    }),
  ],
}
