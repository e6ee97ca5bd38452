/** Two projects for tests of imports: a blog and a shop. */
import {
  anyReference,
  columns,
  field,
  fileRow,
  key,
  type Project,
  panelRow,
  permissionRow,
  policyRow,
  reference,
  shareRow,
  table,
  userRow,
} from './import/test-source.ts'

const id = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`

const role = id(1)
const policy = id(2)
const editor = id(3)
const chief = id(4)
const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'
const [top, below, picture, lost] = [id(10), id(11), id(12), id(13)] as const
const at = '2024-05-01T10:00:00.000Z'

const about = { date_created: at, user_created: chief }

const user = (key: string, email: string) =>
  userRow(key, email, { first_name: 'A', role, avatar: key === editor ? picture : null })

const file = (key: string, title: string) =>
  fileRow(key, { storage: 's3', title, folder: below, uploaded_by: editor, created_on: at, modified_on: at })

const share = (key: string, password: string | null) =>
  shareRow(key, 'posts', {
    name: 'For a friend',
    role,
    password,
    user_created: editor,
    date_created: at,
    times_used: 3,
    max_uses: 5,
  })

const system = {
  directus_roles: [
    {
      id: role,
      name: 'Editors',
      icon: 'edit',
      description: null,
      parent: null,
      users: [editor],
      children: [],
      policies: [id(5)],
    },
  ],
  directus_policies: [
    policyRow(policy, 'Writing', { description: null, ip_access: null, permissions: [1] }),
    policyRow(publicPolicy, '$t:public_label', { icon: 'public', app_access: false }),
  ],
  directus_users: [user(editor, 'Editor@example.com'), user(chief, 'chief@example.com')],
  directus_access: [
    { id: id(5), role, user: null, policy, sort: 1 },
    { id: id(6), role: null, user: null, policy: publicPolicy, sort: 1 },
  ],
  directus_permissions: [
    permissionRow(1, policy, 'directus_files', { permissions: {} }),
    permissionRow(2, publicPolicy, 'posts', {
      permissions: { status: { _eq: 'published' } },
      fields: ['id', 'title'],
    }),
    { policy, collection: 'directus_notifications', action: 'read', permissions: {}, fields: ['*'], system: true },
  ],
  directus_folders: [
    { id: below, name: 'Below', parent: top },
    { id: top, name: 'Top', parent: null },
  ],
  directus_files: [file(picture, 'Words'), file(lost, 'Lost')],
  directus_presets: [
    { id: 7, bookmark: null, user: editor, role: null, collection: 'directus_users', search: null, layout: 'tabular' },
  ],
  directus_dashboards: [
    { id: id(20), name: 'Numbers', icon: 'space_dashboard', note: null, color: null, ...about, panels: [id(21)] },
  ],
  directus_panels: [
    panelRow(id(21), id(20), {
      name: 'Posts',
      icon: null,
      color: null,
      note: null,
      type: 'metric',
      options: { collection: 'posts' },
      ...about,
    }),
  ],
  directus_translations: [{ id: id(22), key: 'hello', language: 'de-DE', value: 'Hallo' }],
  directus_settings: [
    { $single: true, id: 1, project_name: 'The source', default_language: 'de-DE', mcp_enabled: true },
  ],
  directus_comments: [
    {
      id: id(23),
      collection: 'directus_files',
      item: picture,
      comment: 'Sharp!',
      ...about,
      date_updated: null,
      user_updated: null,
    },
  ],
  directus_flows: [{ id: id(30), name: 'Notify' }],
  directus_operations: [],
}

/** References to each other, to themselves and to files; a translation. */
export const blog: Project = {
  model: {
    collections: [
      { collection: 'content', meta: { collection: 'content', icon: 'folder' }, schema: null },
      table('posts', { group: 'content', archive_field: 'status', versioning: true }),
      table('authors', { group: 'content' }),
      table('categories'),
      table('languages'),
      table('posts_translations', { hidden: true }),
    ],
    ...columns(
      ...['posts', 'authors', 'categories', 'posts_translations'].map(key),
      field('languages.code', 'string', { is_primary_key: true, is_nullable: false, max_length: 255 }),
      field('languages.name', 'string', { max_length: 255 }),
      field('posts.title', 'string', { is_nullable: false, max_length: 255 }),
      field('posts.status', 'string', { default_value: 'draft', max_length: 255 }),
      field('posts.tags', 'csv', { data_type: 'text' }, ['cast-csv']),
      field('posts.extra', 'json', { data_type: 'json' }, ['cast-json']),
      field('posts.published', 'timestamp', { data_type: 'timestamp with time zone' }),
      field('posts.changed', 'timestamp', { data_type: 'timestamp with time zone' }, ['date-updated']),
      reference('posts.author', 'authors', { required: true, list: 'posts' }),
      reference('posts.category', 'categories'),
      reference('posts.cover', 'directus_files', { type: 'uuid', special: 'file' }),
      reference('posts.made_by', 'directus_users', { type: 'uuid', special: 'user-created' }),
      reference('posts.related', 'posts'),
      field('authors.name', 'string', { max_length: 255 }),
      reference('authors.best', 'posts'),
      field('categories.name', 'string', { max_length: 255 }),
      reference('categories.parent', 'categories', { list: 'children' }),
      field('posts_translations.title', 'string', { max_length: 255 }),
      reference('posts_translations.post', 'posts', { list: 'translations', special: 'm2o' }),
      reference('posts_translations.language', 'languages', { type: 'string' }),
    ),
  },
  rows: {
    ...system,
    posts: Array.from({ length: 450 }, (_, index) => ({
      id: index + 1,
      title: `Post ${index + 1}`,
      status: index % 2 === 0 ? 'published' : 'draft',
      tags: ['a', 'b'],
      extra: { deep: [index] },
      published: at,
      changed: at,
      author: (index % 3) + 1,
      category: (index % 2) + 1,
      cover: index === 0 ? picture : index === 1 ? lost : null,
      made_by: index % 2 === 0 ? editor : chief,
      related: index === 0 ? 450 : null,
      translations: [],
    })),
    authors: [1, 2, 3].map((each) => ({ id: each, name: `Author ${each}`, best: 451 - each, posts: [] })),
    categories: [
      { id: 1, name: 'Below', parent: 2, children: [] },
      { id: 2, name: 'Top', parent: null, children: [1] },
    ],
    languages: [{ code: 'de', name: 'German' }],
    directus_shares: [share(id(24), null), share(id(25), '**********')],
    directus_versions: [
      {
        id: id(26),
        key: 'spring',
        name: 'For spring',
        collection: 'posts',
        item: '2',
        hash: 'of the source',
        date_created: at,
        date_updated: at,
        user_created: editor,
        user_updated: chief,
        delta: { title: 'Spring', category: 2, translations: { create: [], update: [], delete: [5] } },
      },
    ],
    posts_translations: [{ id: 5, title: 'Beitrag', post: 1, language: 'de' }],
  },
  assets: new Map([[picture, 'words']]),
}

/** Many-to-many, many-to-any, keys that are uuids, and a singleton. */
export const shop: Project = {
  model: {
    collections: ['products', 'tags', 'products_tags', 'pages', 'pages_blocks', 'heroes']
      .map((name) => table(name))
      .concat(table('about', { singleton: true })),
    ...columns(
      field('products.id', 'uuid', { data_type: 'uuid', is_primary_key: true, is_nullable: false }, ['uuid']),
      field('products.name', 'string', { max_length: 255 }),
      field('products.price', 'decimal', { data_type: 'numeric', numeric_precision: 10, numeric_scale: 2 }),
      field('products.active', 'boolean', { data_type: 'boolean', default_value: false }, ['cast-boolean']),
      field('products.secret', 'hash', { max_length: 255 }, ['hash']),
      ...['tags', 'products_tags', 'pages', 'pages_blocks', 'heroes', 'about'].map(key),
      field('tags.name', 'string', { max_length: 255, is_unique: true }),
      reference('products_tags.product', 'products', { type: 'uuid', list: 'tags' }),
      reference('products_tags.tag', 'tags'),
      field('pages.title', 'string', { max_length: 255 }),
      field('heroes.title', 'string', { max_length: 255 }),
      reference('pages_blocks.page', 'pages', { list: 'blocks' }),
      anyReference('pages_blocks.item', ['heroes', 'products', 'directus_files']),
      field('about.text', 'text', { data_type: 'text' }),
    ),
  },
  rows: {
    ...system,
    directus_flows: [],
    directus_files: [file(picture, 'Words')],
    products: [40, 41].map((each) => ({
      id: id(each),
      name: `Product ${each}`,
      price: '10.50',
      active: true,
      secret: '**********',
      tags: [],
    })),
    tags: [
      { id: 3, name: 'new' },
      { id: 9, name: 'old' },
    ],
    products_tags: [
      { id: 1, product: id(40), tag: 3 },
      { id: 2, product: id(40), tag: 9 },
      { id: 3, product: id(41), tag: 3 },
    ],
    pages: [{ id: 1, title: 'Home', blocks: [1, 2, 3] }],
    heroes: [{ id: 8, title: 'Welcome' }],
    pages_blocks: [
      { id: 1, page: 1, item: '8', collection: 'heroes' },
      { id: 2, page: 1, item: id(40), collection: 'products' },
      { id: 3, page: 1, item: picture, collection: 'directus_files' },
    ],
    about: [{ $single: true, id: 4, text: 'Since 1999' }],
  },
  assets: new Map([[picture, 'words']]),
}
