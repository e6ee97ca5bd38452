/** A magazine on version 8: users, rights, files and rows, ordinary and odd ones. */

import { insert, type Row, systemTables } from './test-installation.ts'
import { history } from './test-magazine-history.ts'
import { ownFields, ownTables } from './test-magazine-tables.ts'

/** Passwords of users, whose hashes are as PHP makes them. */
export const passwords = { ann: 'open sesame', bob: 'knock knock' } as const

const hashes = {
  ann: '$2y$10$AhHtzLs5clIDammp1FjN/O5pnrgx0Vmzu9o4QCmJRqL9Tjnpx/EbK',
  bob: '$2y$10$WHi3SlKtqLBSGnNbByV/JON5h2IZV0URc.7KzCGNzPbozfsgKnte6',
} as const

export const annToken = 'the-token-of-ann'

const user = (number: number, email: string, more: Row = {}): Row => ({
  id: number,
  status: 'active',
  role: 3,
  first_name: email.split('@')[0],
  last_name: 'Writer',
  email,
  locale: 'en-US',
  last_access_on: '2020-02-03 04:05:06',
  ...more,
})

const file = (number: number, more: Row): Row => ({
  id: number,
  private_hash: `hash${number}hash${number}`,
  filename_disk: `file-${number}.txt`,
  filename_download: `notes ${number}.txt`,
  title: `Notes ${number}`,
  type: 'text/plain',
  uploaded_by: 1,
  uploaded_on: '2020-01-02 03:04:05',
  filesize: 7,
  ...more,
})

const nothing = { create: 'none', read: 'none', update: 'none', delete: 'none', comment: 'none', explain: 'none' }

const permission = (id: number, collection: string, role: number, more: Row): Row => ({
  id,
  collection,
  role,
  ...nothing,
  ...more,
})

type Ends = { readonly field?: string; readonly junction?: string }

/** `many`: the collection and field that hold the key. */
const relation = (id: number, many: string, one: string, { field, junction }: Ends = {}): Row => {
  const [collection_many, field_many] = many.split('.')
  return { id, collection_many, field_many, collection_one: one, field_one: field, junction_field: junction }
}

const collections = (
  'authors articles articles_translations languages keywords articles_keywords articles_files everything published ' +
  'nowhere'
).split(' ')

const ownRows: readonly string[] = [
  insert(
    'directus_roles',
    { id: 1, name: 'Administrator', enforce_2fa: 0 },
    { id: 2, name: 'Public', enforce_2fa: 0 },
    {
      id: 3,
      name: 'Editor',
      ip_whitelist: '127.0.0.1,::1',
      module_listing: [{ name: 'Collections', link: '/collections' }],
      enforce_2fa: 0,
    },
  ),
  insert(
    'directus_users',
    user(1, 'ann@example.com', { role: 1, password: hashes.ann, token: annToken, avatar: 2 }),
    user(4, 'bob@example.com', { password: hashes.bob, external_id: 'idp-4' }),
    user(7, 'Bob@Example.com', { status: 'suspended', role: 99 }),
    user(9, 'cid@example.com', { status: 'deleted', '2fa_secret': 'JBSWY3DPEHPK3PXP' }),
  ),
  insert('directus_folders', { id: 1, name: 'inner', parent_folder: 3 }, { id: 3, name: 'outer', parent_folder: null }),
  insert(
    'directus_files',
    file(2, { folder: 1, tags: ',sea,sky,' }),
    file(3, { uploaded_by: 4 }),
    file(5, { title: 'Lost' }),
  ),
  insert(
    'directus_collections',
    ...collections.map((collection) => ({
      collection,
      managed: 1,
      hidden: collection.startsWith('articles_') ? 1 : 0,
      note: collection === 'articles' ? 'What is printed' : null,
      icon: 'box',
      translation: collection === 'articles' ? [{ locale: 'de-DE', translation: 'Artikel' }] : null,
    })),
  ),
  insert('directus_fields', ...ownFields.map((row, at) => ({ id: 200 + at, ...row }))),
  insert(
    'directus_relations',
    relation(20, 'articles.author', 'authors', { field: 'articles' }),
    relation(21, 'articles_translations.article', 'articles', { field: 'translations' }),
    relation(22, 'articles_keywords.article', 'articles', { field: 'keywords', junction: 'keyword' }),
    relation(23, 'articles_keywords.keyword', 'keywords', { junction: 'article' }),
    relation(24, 'articles_files.articles_id', 'articles', { field: 'gallery', junction: 'directus_files_id' }),
    relation(25, 'articles_files.directus_files_id', 'directus_files', { junction: 'articles_id' }),
    relation(26, 'articles.nothing', 'authors'),
  ),
  insert(
    'directus_permissions',
    permission(30, 'articles', 3, { status: 'published', read: 'full', update: 'mine' }),
    permission(31, 'articles', 3, {
      status: 'draft',
      create: 'full',
      read: 'mine',
      update: 'mine',
      delete: 'mine',
      comment: 'update',
    }),
    permission(32, 'authors', 3, { read: 'full', read_field_blacklist: 'portrait' }),
    permission(33, 'authors', 3, { read: 'full', read_field_blacklist: 'portrait,account' }),
    permission(34, 'articles', 2, { status: 'published', read: 'full' }),
    permission(35, 'directus_files', 3, { read: 'full', create: 'full' }),
    permission(36, 'articles', 77, { read: 'full' }),
    permission(37, 'nowhere', 3, { read: 'full' }),
    permission(38, 'directus_users', 3, { status: 'active', read: 'full' }),
  ),
  insert(
    'directus_collection_presets',
    {
      id: 8,
      title: 'Mine',
      user: 4,
      role: null,
      collection: 'articles',
      filters: [{ field: 'status', operator: 'eq', value: 'draft' }],
      view_query: { tabular: { sort: '-id' } },
    },
    { id: 9, title: null, user: 88, role: null, collection: 'articles', filters: null, view_query: null },
  ),
  insert(
    'directus_settings',
    ...Object.entries({
      project_name: 'The Magazine',
      project_color: '#2f80ed',
      default_limit: '50',
      auto_sign_out: '60',
      project_logo: '2',
      file_mimetype_whitelist: 'text/plain,image/png',
      asset_whitelist: [{ key: 'card', width: 100, height: 80, fit: 'crop', quality: 70 }],
      own_setting: 'kept',
    }).map(([key, value], at) => ({ id: 60 + at, key, value })),
  ),
  insert(
    'authors',
    { id: 1, name: 'Ann Müller', account: 1, portrait: 2 },
    { id: 2, name: 'Bob', account: 4, portrait: null },
    { id: 3, name: 'Nobody', account: 66, portrait: 0 },
  ),
  insert(
    'articles',
    ...[
      ['published', 'First', 1, 4, 2, ',sea,sky,', '{"deep":[1,2.50]}', 1],
      ['draft', 'Second', 2, 4, null, 'a,b', '', 0],
      ['deleted', 'Third', 9, 1, 5, null, 'no json', 0],
      ['published', 'Fourth', null, 1, null, null, null, 1],
    ].map(([status, title, author, owner, cover, tags, extra, featured], at) => ({
      id: 10 + at,
      status,
      sort: at,
      title,
      body: `Text of ${String(title)} 😀`,
      author,
      cover,
      tags,
      extra,
      featured,
      price: `${at}.50`,
      published_on: `2020-01-0${at + 1}`,
      owner,
      created: '2020-01-01 10:00:00',
      changed_by: null,
    })),
  ),
  insert(
    'articles_translations',
    { id: 1, article: 10, language: 'de', title: 'Erster' },
    { id: 2, article: 10, language: 'fr', title: 'Premier' },
  ),
  insert('languages', { code: 'de', name: 'Deutsch' }, { code: 'fr', name: 'Français' }),
  insert('keywords', { id: 1, word: 'Zeta' }, { id: 2, word: 'alpha' }),
  insert('articles_keywords', { id: 1, article: 10, keyword: 1 }, { id: 2, article: 10, keyword: 2 }),
  insert('articles_files', { id: 1, articles_id: 10, directus_files_id: 3 }),
  insert(
    'everything',
    {
      k: 'é',
      n: -5,
      t: -128,
      tu: 255,
      t1: 1,
      s: -32768,
      su: 65535,
      m: -8388608,
      i: -2147483648,
      iu: 4294967295,
      b: '-9223372036854775808',
      bu: '18446744073709551615',
      d: '12345678901234567890.1234567890',
      f: 0.1,
      dbl: 0.1,
      bit1: 1,
      bit8: 200,
      y: 1999,
      e: "it's",
      st: 'x,z',
      c: 'ab',
      v: 'quote "\'\\',
      tx: 'line\nbreak',
      lt: 'x'.repeat(3000),
      bl: Buffer.from([0, 255, 1]),
      vb: Buffer.from('bytes'),
      da: '2020-02-29',
      dt: '2020-02-29 12:00:00',
      dt6: '2020-02-29 12:00:00.120000',
      ts: '2020-02-29 12:00:00',
      ti: '23:59:59',
      j: { a: [1, null] },
      z: 42,
      dz: '1.50',
    },
    {
      k: 'Z',
      n: 1,
      t1: 0,
      d: '0.0000000000',
      dbl: 1e300,
      bit1: 0,
      y: 0,
      e: 'c',
      st: '',
      c: '',
      v: 'nul \0 within',
      tx: 'Ã¼ber',
      da: '0000-00-00',
      dt: '0000-00-00 00:00:00',
      ti: '00:00:00',
      dz: '2.50',
    },
  ),
  'update everything set g = point(1, 2), ts = ts where n = -5',
  insert('loose', { name: 'a', seen: '0000-00-00 00:00:00' }, { name: 'a', seen: '2020-01-01 00:00:00' }),
  ...history,
]

/** Contents of the originals by their names; those of file 5 are lost. */
export const originals: { readonly [name: string]: string } = { 'file-2.txt': 'file  2', 'file-3.txt': 'file  3' }

/** The whole installation. */
export const magazine = (): readonly string[] => [...systemTables, ...ownTables, ...ownRows]
