/** Requests about content versions and shares whose outcome depends on the world's data. */
import type { Extra } from './data-cases.ts'

/** What is wrong about a content version. */
const version = (operation: string, rule: string, part: Pick<Extra, 'path' | 'query' | 'body'>): Extra => ({
  generation: 'current',
  operation,
  rule,
  kind: 'negative',
  ...part,
})

/** Its collection has no versions. */
const unversioned = { path: { id: '00000000-0000-4000-8000-0000000000ee' } } as const

/** What is refused about versions, and what their author cannot read. */
export const versionFaults: readonly Extra[] = [
  {
    ...version('createVersions', 'a version that its author cannot read', {
      body: { key: 'one', collection: 'tags', item: 1 },
    }),
    kind: 'positive',
    as: 'writer',
  },
  version('createVersions', 'a collection without versions', {
    body: { key: 'one', collection: 'authors', item: '1' },
  }),
  version('createVersions', 'a key that is taken', { body: { key: 'draft', collection: 'articles', item: '1' } }),
  version('createVersions', 'the key of the item itself', { body: { key: 'main', collection: 'articles', item: '1' } }),
  version('createVersions', 'no such item', { body: { key: 'one', collection: 'articles', item: '999999' } }),
  version('createVersions', 'a hash', { body: { key: 'one', collection: 'articles', item: '1', hash: 'a' } }),
  version('updateVersion', 'a key that is taken', { body: { key: 'other' } }),
  version('updateVersion', 'another item', { body: { item: '2' } }),
  version('updateVersions', 'a key that is taken', {
    body: { keys: ['00000000-0000-4000-8000-0000000000fb'], data: { key: 'other' } },
  }),
  version('saveVersion', 'a collection without versions', unversioned),
  version('saveVersion', 'no such field', { body: { no_such_field: 1 } }),
  version('saveVersion', 'a text for a number', { body: { views: 'many' } }),
  version('saveVersion', 'related items', { body: { comments: [{ text: 'New' }] } }),
  version('compareVersion', 'a collection without versions', unversioned),
  version('promoteVersion', 'a collection without versions', unversioned),
  version('promoteVersion', 'an item that has changed since', {}),
  version('readItem', 'no such version', { query: { version: 'none' } }),
  version('readItems', 'no such version of a singleton', { path: { collection: 'about' }, query: { version: 'none' } }),
  {
    ...version('readItems', 'a version of a singleton', { path: { collection: 'about' }, query: { version: 'draft' } }),
    kind: 'positive',
  },
]

/** What is refused about shares. */
export const shareFaults: readonly Extra[] = [
  version('authenticateShare', 'a wrong password', {
    body: { share: '00000000-0000-4000-8000-0000000000fd', password: 'wrong-horse-42' },
  }),
  version('authenticateShare', 'no such share', { body: { share: '00000000-0000-4000-8000-0000000000ff' } }),
  version('createShares', 'no such item', { body: { collection: 'articles', item: '999999' } }),
  version('createShares', 'a system collection', { body: { collection: 'platform_users', item: '1' } }),
  version('createShares', 'uses that are counted', { body: { collection: 'articles', item: '1', times_used: 1 } }),
  version('createShares', 'no uses at all', { body: { collection: 'articles', item: '1', max_uses: 0 } }),
  version('createShares', 'an end before the start', {
    body: { collection: 'articles', item: '1', date_start: '2026-02-01T00:00:00Z', date_end: '2026-01-01T00:00:00Z' },
  }),
  version('updateShare', 'another item', { body: { item: '2' } }),
]
