import type { Extra } from './data-cases.ts'
import { administrator } from './world-data.ts'

const fault = (operation: string, rule: string, part: Pick<Extra, 'path' | 'query' | 'body'>): Extra => ({
  generation: 'current',
  operation,
  rule,
  kind: 'negative',
  ...part,
})

/** A collection without versions. */
const unversioned = { path: { id: '00000000-0000-4000-8000-0000000000ee' } } as const

export const versions: readonly Extra[] = [
  {
    ...fault('createVersions', 'a version that its author cannot read', {
      body: { key: 'one', collection: 'tags', item: 1 },
    }),
    kind: 'positive',
    as: 'writer',
  },
  fault('createVersions', 'a collection without versions', {
    body: { key: 'one', collection: 'authors', item: '1' },
  }),
  fault('createVersions', 'a key that is taken', { body: { key: 'draft', collection: 'articles', item: '1' } }),
  fault('createVersions', 'the key of the item itself', { body: { key: 'main', collection: 'articles', item: '1' } }),
  fault('createVersions', 'no such item', { body: { key: 'one', collection: 'articles', item: '999999' } }),
  fault('createVersions', 'a hash', { body: { key: 'one', collection: 'articles', item: '1', hash: 'a' } }),
  fault('updateVersion', 'a key that is taken', { body: { key: 'other' } }),
  fault('updateVersion', 'another item', { body: { item: '2' } }),
  fault('updateVersions', 'a key that is taken', {
    body: { keys: ['00000000-0000-4000-8000-0000000000fb'], data: { key: 'other' } },
  }),
  fault('saveVersion', 'a collection without versions', unversioned),
  fault('saveVersion', 'no such field', { body: { no_such_field: 1 } }),
  fault('saveVersion', 'a text for a number', { body: { views: 'many' } }),
  { ...fault('saveVersion', 'related items', { body: { comments: [{ text: 'New' }] } }), kind: 'positive' },
  fault('saveVersion', 'a text for related items', { body: { comments: 'New' } }),
  fault('compareVersion', 'a collection without versions', unversioned),
  fault('promoteVersion', 'a collection without versions', unversioned),
  fault('promoteVersion', 'an item that has changed since', {}),
  fault('readItem', 'no such version', { query: { version: 'none' } }),
  fault('readItems', 'no such version of a singleton', { path: { collection: 'about' }, query: { version: 'none' } }),
  fault('readItems', 'a version of a singleton as a file', {
    path: { collection: 'about' },
    query: { version: 'draft', export: 'csv' },
  }),
  {
    ...fault('readItems', 'a version of a singleton', { path: { collection: 'about' }, query: { version: 'draft' } }),
    kind: 'positive',
  },
]

export const shares: readonly Extra[] = [
  fault('authenticateShare', 'a wrong password', {
    body: { share: '00000000-0000-4000-8000-0000000000fd', password: 'wrong-horse-42' },
  }),
  fault('authenticateShare', 'no such share', { body: { share: '00000000-0000-4000-8000-0000000000ff' } }),
  fault('inviteToShare', 'no such share', {
    body: { share: '00000000-0000-4000-8000-0000000000ff', emails: ['ada@example.com'] },
  }),
  fault('inviteToShare', 'no address', {
    body: { share: '00000000-0000-4000-8000-0000000000fc', emails: ['nonsense'] },
  }),
  fault('createShares', 'no such item', { body: { collection: 'articles', item: '999999' } }),
  fault('createShares', 'a system collection', { body: { collection: 'platform_users', item: '1' } }),
  fault('createShares', 'uses that are counted', { body: { collection: 'articles', item: '1', times_used: 1 } }),
  fault('createShares', 'no uses at all', { body: { collection: 'articles', item: '1', max_uses: 0 } }),
  fault('createShares', 'an end before the start', {
    body: { collection: 'articles', item: '1', date_start: '2026-02-01T00:00:00Z', date_end: '2026-01-01T00:00:00Z' },
  }),
  fault('updateShare', 'another item', { body: { item: '2' } }),
]

/** Set-up of a project. */
export const setup: readonly Extra[] = [
  fault('createFirstAdministrator', 'a project that is set up', {
    body: { email: 'chief@example.com', password: 'correct-horse-42' },
  }),
]

/** Sorting, import and export of items, and translations. */
export const exchange: readonly Extra[] = [
  fault('sortItems', 'a collection without a sort field', { path: { collection: 'tags' } }),
  fault('sortItems', 'no such item', { body: { item: 1, to: 99 } }),
  {
    ...fault('importItems', 'into a system collection', {
      path: { collection: 'platform_translations' },
      body: { file: 'id,language,key,value\n00000000-0000-4000-8000-0000000000fa,,,Better\n,en-US,other,Other\n' },
    }),
    kind: 'positive',
  },
  {
    ...fault('importItems', 'into a system collection, by somebody else', {
      path: { collection: 'platform_translations' },
      body: { file: 'language,key,value\nen-US,other,Other\n' },
    }),
    as: 'writer',
  },
  ...['platform_files', 'platform_activity', 'platform_settings', 'platform_sessions'].map((collection) =>
    fault('importItems', `into ${collection}`, { path: { collection }, body: { file: 'id\n1\n' } }),
  ),
  fault('importItems', 'the last administrator', {
    path: { collection: 'platform_users' },
    body: { file: `id,status\n${administrator.user},suspended\n` },
  }),
  {
    ...fault('exportItems', 'a system collection', {
      path: { collection: 'platform_users' },
      body: { query: { fields: ['email'] }, format: 'csv' },
    }),
    kind: 'positive',
  },
  fault('importCollections', 'the last administrator', {
    query: { mode: 'merge', dangerouslyAllowDelete: true },
    body: [{ collection: 'platform_users', items: [] }],
  }),
  fault('readSyncKey', 'no such name', { path: { table: 'roles', side: 'sync_id', id: 'nobody' } }),
  fault('deleteSyncKey', 'no such name', { path: { table: 'roles', side: 'local_id', id: 'nobody' } }),
  fault('createSyncKey', 'a row that has a name', {
    path: { table: 'roles' },
    body: { local_id: '5d1bd4a2-9fcb-4d29-95e3-9eb3c13ca2f1' },
  }),
  fault('exportItems', 'sessions', { path: { collection: 'platform_sessions' } }),
  fault('importItems', 'a file that is too large', { body: { file: `title\n${'a'.repeat(1_100_000)}` } }),
  fault('importItems', 'a value that is none of its field', { body: { file: 'title,views\nA,many\n' } }),
  fault('exportItems', 'no such field', { body: { query: { fields: ['no_such_field'] }, format: 'csv' } }),
  fault('exportItems', 'a size that only the server knows', {
    body: { query: {}, format: 'csv', file: { filesize: 1 } },
  }),
  fault('createTranslations', 'a key that has a text in the language', {
    body: { language: 'en-US', key: 'spare', value: 'Again' },
  }),
]

/** A comment on a readable item whose author cannot read the comment. */
const onTag = { body: { collection: 'tags', item: '1', comment: 'Well said' } } as const

/** Comments, in both APIs. */
export const comments: readonly Extra[] = [
  ...['createComments', 'createActivityComment'].flatMap((operation): readonly Extra[] => [
    { ...fault(operation, 'a comment that its author cannot read', onTag), kind: 'positive', as: 'writer' },
    {
      ...fault(operation, 'an item that its author cannot read', {
        body: { collection: 'articles', item: '1', comment: 'Well said' },
      }),
      as: 'writer',
    },
    ...[
      ['no such item', 'articles', '999999'],
      ['not a key', 'articles', 'x'],
      ['no such collection', 'no_such_collection', '1'],
    ].map(([rule = '', collection, item]) => fault(operation, rule, { body: { collection, item, comment: 'Hm' } })),
  ]),
  fault('updateComment', 'another item, which is not there', { body: { item: '999999' } }),
  fault('updateActivityComment', 'an entry that is no comment', { path: { id: '901' } }),
  fault('deleteActivityComment', 'an entry that is no comment', { path: { id: '901' } }),
]
