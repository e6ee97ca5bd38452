import type { Extra } from './data-cases.ts'
import { current } from './extras.ts'
import { administrator } from './world-data.ts'

const { refused, accepted } = current

/** A collection without versions. */
const unversioned = { path: { id: '00000000-0000-4000-8000-0000000000ee' } } as const

export const versions: readonly Extra[] = [
  accepted('createVersions', 'a version that its author cannot read', {
    body: { key: 'one', collection: 'tags', item: 1 },
    as: 'writer',
  }),
  refused('createVersions', 'a collection without versions', {
    body: { key: 'one', collection: 'authors', item: '1' },
  }),
  refused('createVersions', 'a key that is taken', { body: { key: 'draft', collection: 'articles', item: '1' } }),
  refused('createVersions', 'the key of the item itself', { body: { key: 'main', collection: 'articles', item: '1' } }),
  refused('createVersions', 'no such item', { body: { key: 'one', collection: 'articles', item: '999999' } }),
  refused('createVersions', 'a hash', { body: { key: 'one', collection: 'articles', item: '1', hash: 'a' } }),
  refused('updateVersion', 'a key that is taken', { body: { key: 'other' } }),
  refused('updateVersion', 'another item', { body: { item: '2' } }),
  refused('updateVersions', 'a key that is taken', {
    body: { keys: ['00000000-0000-4000-8000-0000000000fb'], data: { key: 'other' } },
  }),
  refused('saveVersion', 'a collection without versions', unversioned),
  refused('saveVersion', 'no such field', { body: { no_such_field: 1 } }),
  refused('saveVersion', 'a text for a number', { body: { views: 'many' } }),
  accepted('saveVersion', 'related items', { body: { comments: [{ text: 'New' }] } }),
  refused('saveVersion', 'a text for related items', { body: { comments: 'New' } }),
  refused('compareVersion', 'a collection without versions', unversioned),
  refused('promoteVersion', 'a collection without versions', unversioned),
  refused('promoteVersion', 'an item that has changed since'),
  refused('readItem', 'no such version', { query: { version: 'none' } }),
  refused('readItems', 'no such version of a singleton', { path: { collection: 'about' }, query: { version: 'none' } }),
  refused('readItems', 'a version of a singleton as a file', {
    path: { collection: 'about' },
    query: { version: 'draft', export: 'csv' },
  }),
  accepted('readItems', 'a version of a singleton', { path: { collection: 'about' }, query: { version: 'draft' } }),
]

export const shares: readonly Extra[] = [
  refused('authenticateShare', 'a wrong password', {
    body: { share: '00000000-0000-4000-8000-0000000000fd', password: 'wrong-horse-42' },
  }),
  refused('authenticateShare', 'no such share', { body: { share: '00000000-0000-4000-8000-0000000000ff' } }),
  refused('inviteToShare', 'no such share', {
    body: { share: '00000000-0000-4000-8000-0000000000ff', emails: ['ada@example.com'] },
  }),
  refused('inviteToShare', 'no address', {
    body: { share: '00000000-0000-4000-8000-0000000000fc', emails: ['nonsense'] },
  }),
  refused('createShares', 'no such item', { body: { collection: 'articles', item: '999999' } }),
  refused('createShares', 'a system collection', { body: { collection: 'platform_users', item: '1' } }),
  refused('createShares', 'uses that are counted', { body: { collection: 'articles', item: '1', times_used: 1 } }),
  refused('createShares', 'no uses at all', { body: { collection: 'articles', item: '1', max_uses: 0 } }),
  refused('createShares', 'an end before the start', {
    body: { collection: 'articles', item: '1', date_start: '2026-02-01T00:00:00Z', date_end: '2026-01-01T00:00:00Z' },
  }),
  refused('updateShare', 'another item', { body: { item: '2' } }),
]

/** Set-up of a project. */
export const setup: readonly Extra[] = [
  refused('createFirstAdministrator', 'a project that is set up', {
    body: { email: 'chief@example.com', password: 'correct-horse-42' },
  }),
]

/** Sorting, import and export of items, and translations. */
export const exchange: readonly Extra[] = [
  refused('sortItems', 'a collection without a sort field', { path: { collection: 'tags' } }),
  refused('sortItems', 'no such item', { body: { item: 1, to: 99 } }),
  accepted('importItems', 'into a system collection', {
    path: { collection: 'platform_translations' },
    body: { file: 'id,language,key,value\n00000000-0000-4000-8000-0000000000fa,,,Better\n,en-US,other,Other\n' },
  }),
  refused('importItems', 'into a system collection, by somebody else', {
    path: { collection: 'platform_translations' },
    body: { file: 'language,key,value\nen-US,other,Other\n' },
    as: 'writer',
  }),
  ...['platform_files', 'platform_activity', 'platform_settings', 'platform_sessions'].map((collection) =>
    refused('importItems', `into ${collection}`, { path: { collection }, body: { file: 'id\n1\n' } }),
  ),
  refused('importItems', 'the last administrator', {
    path: { collection: 'platform_users' },
    body: { file: `id,status\n${administrator.user},suspended\n` },
  }),
  accepted('exportItems', 'a system collection', {
    path: { collection: 'platform_users' },
    body: { query: { fields: ['email'] }, format: 'csv' },
  }),
  refused('importCollections', 'the last administrator', {
    query: { mode: 'merge', dangerouslyAllowDelete: true },
    body: [{ collection: 'platform_users', items: [] }],
  }),
  refused('readSyncKey', 'no such name', { path: { table: 'roles', side: 'sync_id', id: 'nobody' } }),
  refused('deleteSyncKey', 'no such name', { path: { table: 'roles', side: 'local_id', id: 'nobody' } }),
  refused('createSyncKey', 'a row that has a name', {
    path: { table: 'roles' },
    body: { local_id: '5d1bd4a2-9fcb-4d29-95e3-9eb3c13ca2f1' },
  }),
  refused('exportItems', 'sessions', { path: { collection: 'platform_sessions' } }),
  refused('importItems', 'a file that is too large', { body: { file: `title\n${'a'.repeat(1_100_000)}` } }),
  refused('importItems', 'a value that is none of its field', { body: { file: 'title,views\nA,many\n' } }),
  refused('exportItems', 'no such field', { body: { query: { fields: ['no_such_field'] }, format: 'csv' } }),
  refused('exportItems', 'a size that only the server knows', {
    body: { query: {}, format: 'csv', file: { filesize: 1 } },
  }),
  refused('createTranslations', 'a key that has a text in the language', {
    body: { language: 'en-US', key: 'spare', value: 'Again' },
  }),
]

/** A comment on a readable item whose author cannot read the comment. */
const onTag = { body: { collection: 'tags', item: '1', comment: 'Well said' } } as const

/** Comments, in both APIs. */
export const comments: readonly Extra[] = [
  ...['createComments', 'createActivityComment'].flatMap((operation): readonly Extra[] => [
    accepted(operation, 'a comment that its author cannot read', { ...onTag, as: 'writer' }),
    refused(operation, 'an item that its author cannot read', {
      body: { collection: 'articles', item: '1', comment: 'Well said' },
      as: 'writer',
    }),
    ...[
      ['no such item', 'articles', '999999'],
      ['not a key', 'articles', 'x'],
      ['no such collection', 'no_such_collection', '1'],
    ].map(([rule = '', collection, item]) => refused(operation, rule, { body: { collection, item, comment: 'Hm' } })),
  ]),
  refused('updateComment', 'another item, which is not there', { body: { item: '999999' } }),
  refused('updateActivityComment', 'an entry that is no comment', { path: { id: '901' } }),
  refused('deleteActivityComment', 'an entry that is no comment', { path: { id: '901' } }),
]
