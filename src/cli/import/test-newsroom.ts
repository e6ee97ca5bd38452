/**
 * A newsroom for tests of imports, as a server of version 11.17 has it: tables, columns and relations that its metadata
 * does not know, changes of system collections, every kind of relation, and an administrator who is here under another
 * id.
 */
import {
  anyReference,
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
} from './test-source.ts'

export const id = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-9000-000000000000`

/** The administrator, a reporter, and files there. */
export const [boss, reporter, photo, scan] = [id(1), id(2), id(11), id(12)] as const
const [role, policy, adminPolicy, folder] = [id(3), id(4), id(5), id(10)] as const

/** When rows were made, changed, and contents uploaded. */
export const [made, changed, uploaded] = [
  '2023-02-03T04:05:06.000Z',
  '2023-03-04T05:06:07.000Z',
  '2023-02-10T11:12:13.000Z',
] as const

type Reference = ReturnType<typeof reference>
type Entry = Reference['fields'][number]

/** An entry as the metadata of the project does not know it. */
const bare = (entry: Entry): Entry => ({ ...entry, meta: null })

/** Only the field is unknown: the snapshot has its relation. */
const withBareField = ({ fields, relations }: Reference): Reference => ({
  fields: fields.map((each) => (each['type'] === 'alias' ? each : bare(each))),
  relations,
})

/** The relation is only a foreign key. */
const onlyKey = ({ fields, relations }: Reference): Reference => ({
  fields: fields.map(bare),
  relations: relations.map((each) => ({ ...each, meta: null as never })),
})

/** A relation that the database of the project does not enforce. */
const unenforced = ({ fields, relations }: Reference): Reference => ({
  fields: fields.map((each) =>
    each['schema'] === null
      ? each
      : { ...each, schema: { ...(each['schema'] as object), foreign_key_table: null, foreign_key_column: null } },
  ),
  relations: relations.map((each) => ({ ...each, schema: null as never })),
})

/** One side of a junction, with the field of the other one. */
const junction = (given: Reference, other: string, sort: string | null = null): Reference => ({
  ...given,
  relations: given.relations.map((each) => ({
    ...each,
    meta: { ...each.meta, junction_field: other as never, sort_field: sort as never, one_deselect_action: 'delete' },
  })),
})

const uuid = { type: 'uuid' } as const
const users = 'directus_users'

const references: readonly Reference[] = [
  reference('articles.author', users, { ...uuid, list: 'articles' }),
  reference('articles.user_created', users, { ...uuid, special: 'user-created' }),
  reference('articles.user_updated', users, { ...uuid, special: 'user-updated' }),
  withBareField(reference('articles.reviewer', users, uuid)),
  onlyKey(reference('articles.origin', 'wires')),
  reference('articles.follows', 'articles', { list: 'followed_by' }),
  reference('editions.cover', 'covers', { required: true }),
  reference('covers.edition', 'editions', { required: true }),
  reference('articles.photo', 'directus_files', { ...uuid, special: 'file' }),
  unenforced(reference('articles.desk', 'desks', { list: 'articles' })),
  junction(reference('articles_tags.articles_id', 'articles', { list: 'tags' }), 'tags_code', 'sort'),
  junction(reference('articles_tags.tags_code', 'tags', { type: 'string', list: 'articles' }), 'articles_id'),
  junction(reference('articles_users.articles_id', 'articles', { list: 'readers' }), 'users_id'),
  junction(reference('articles_users.users_id', users, { ...uuid, list: 'reads' }), 'articles_id'),
  junction(reference('articles_files.articles_id', 'articles', { list: 'scans' }), 'files_id'),
  junction(reference('articles_files.files_id', 'directus_files', uuid), 'articles_id'),
  junction(reference('articles_texts.articles_id', 'articles', { list: 'texts' }), 'languages_code'),
  junction(reference('articles_texts.languages_code', 'languages', { type: 'string' }), 'articles_id'),
  junction(reference('articles_blocks.articles_id', 'articles', { list: 'blocks' }), 'item'),
  reference('directus_users.desk', 'desks', { list: 'members' }),
  onlyKey(reference('profiles.user', users, { ...uuid, required: true })),
  reference('bylines.profile', 'profiles', { ...uuid, to: 'user' }),
  reference('site.lead', 'articles'),
]

const blocks = anyReference('articles_blocks.item', ['quotes', users, 'articles'])

const words = { max_length: 255 }

const newFields: readonly Entry[] = [
  ...['articles', 'articles_users', 'articles_files', 'articles_texts', 'articles_blocks'].map(key),
  ...['desks', 'quotes', 'bylines', 'site', 'articles_tags', 'editions', 'covers'].map(key),
  bare(key('wires')),
  bare(key('ledger')),
  field('articles.title', 'string', { ...words, is_nullable: false }),
  bare(field('articles.subtitle', 'string', words)),
  field('articles.notes', 'json', { data_type: 'json' }, ['cast-json']),
  field('articles.made', 'timestamp', { data_type: 'timestamp with time zone' }, ['date-created']),
  field('articles.changed', 'timestamp', { data_type: 'timestamp with time zone' }, ['date-updated']),
  field('articles_tags.sort', 'integer', { data_type: 'integer' }),
  field('tags.code', 'string', { ...words, is_primary_key: true, is_nullable: false }),
  field('languages.code', 'string', { ...words, is_primary_key: true, is_nullable: false }),
  field('articles_texts.title', 'string', words),
  field('desks.name', 'string', { ...words, is_unique: true }),
  field('quotes.text', 'text', { data_type: 'text' }),
  field('ledger.amount', 'decimal', { data_type: 'numeric', numeric_precision: 12, numeric_scale: 2 }),
  bare(field('wires.name', 'string', words)),
  bare(field('wires.contact', 'uuid', { data_type: 'uuid' })),
  field('directus_files.licence', 'string', words),
  bare(field('directus_users.badge', 'string', words)),
]

const isKeyOfProfiles = ({ collection, field: name }: Entry): boolean => collection === 'profiles' && name === 'user'

const fields = [...newFields, ...references.flatMap((each) => each.fields), ...blocks.fields].map((each) =>
  isKeyOfProfiles(each) ? { ...each, schema: { ...(each['schema'] as object), is_primary_key: true } } : each,
)

const file = (key: string, more: object) =>
  fileRow(key, {
    storage: 'local',
    title: null,
    folder,
    uploaded_by: boss,
    created_on: made,
    modified_by: boss,
    modified_on: changed,
    uploaded_on: uploaded,
    focal_point_x: null,
    tags: ['desk'],
    licence: 'free',
    ...more,
  })

const about = { date_created: made, date_updated: changed, user_created: boss, user_updated: boss }

const user = (key: string, email: string, more: object) =>
  userRow(key, email, {
    last_name: 'Family',
    role,
    external_identifier: null,
    auth_data: null,
    theme_light: null,
    desk: null,
    badge: null,
    articles: [],
    ...more,
  })

const article = (number: number, more: object) => ({
  id: number,
  title: `Article ${number}`,
  subtitle: `Below ${number}`,
  notes: { asked: [boss, 'nobody'] },
  made,
  changed,
  author: number % 2 === 0 ? boss : reporter,
  user_created: boss,
  user_updated: boss,
  reviewer: boss,
  origin: 7,
  follows: null,
  photo: null,
  desk: 1,
  ...more,
})

const rows: Project['rows'] = {
  directus_roles: [{ id: role, name: 'Reporters', icon: 'edit', description: null, parent: null }],
  directus_policies: [
    policyRow(policy, 'Reporting', {}),
    policyRow(adminPolicy, 'Everything', { icon: 'verified', admin_access: true }),
  ],
  directus_users: [
    user(boss, 'Admin@example.com', { role: null }),
    user(reporter, 'reporter@example.com', { avatar: photo, desk: 1, badge: 'P-17' }),
  ],
  directus_access: [
    { id: id(6), role, user: null, policy, sort: 1 },
    { id: id(7), role: null, user: boss, policy: adminPolicy, sort: 1 },
  ],
  directus_permissions: [
    permissionRow(1, policy, 'articles', {
      permissions: { _or: [{ author: { _eq: boss } }, { author: { _eq: '$CURRENT_USER' } }] },
      presets: { reviewer: boss },
    }),
  ],
  directus_folders: [{ id: folder, name: 'Pictures', parent: null }],
  directus_files: [file(photo, {}), file(scan, { uploaded_by: reporter, modified_by: null })],
  directus_presets: [
    {
      id: 1,
      bookmark: 'Mine',
      user: boss,
      role: null,
      collection: 'articles',
      search: null,
      filter: { author: { _eq: boss } },
    },
  ],
  directus_dashboards: [{ id: id(20), name: 'Desk', icon: 'star', date_created: made, user_created: boss }],
  directus_panels: [
    panelRow(id(21), id(20), {
      name: 'Of the chief',
      type: 'list',
      options: { collection: 'articles', filter: { author: { _eq: boss } } },
      date_created: made,
      user_created: boss,
    }),
  ],
  directus_translations: [{ id: id(22), key: 'desk', language: 'de-DE', value: 'Ressort' }],
  directus_comments: [
    { id: id(23), collection: 'articles', item: '1', comment: `Ask @${boss}, please`, ...about },
    { id: id(24), collection: users, item: boss, comment: 'On leave', ...about },
  ],
  directus_shares: [
    shareRow(id(25), 'articles', {
      name: 'For print',
      role,
      user_created: boss,
      date_created: made,
      times_used: 0,
      max_uses: null,
    }),
  ],
  directus_versions: [
    {
      id: id(26),
      key: 'draft',
      name: null,
      collection: 'articles',
      item: '1',
      hash: 'theirs',
      delta: { title: 'Article one', reviewer: boss, notes: { asked: [boss] } },
      ...about,
    },
  ],
  directus_settings: [
    {
      $single: true,
      id: 1,
      project_name: 'The newsroom',
      project_logo: photo,
      mcp_enabled: false,
      visual_editor_urls: null,
      accepted_terms: true,
      project_id: id(27),
    },
  ],
  directus_flows: [],
  directus_operations: [],
  directus_activity: [{ id: 1, action: 'login', user: boss, collection: users, item: boss, timestamp: made }],
  directus_notifications: [],
  directus_revisions: [],
  directus_extensions: [],
  articles: Array.from({ length: 300 }, (_, index) => article(index + 1, index === 0 ? { photo, follows: 300 } : {})),
  wires: [{ id: 7, name: 'Agency', contact: boss }],
  ledger: [{ id: 5, amount: '12.50' }],
  desks: [{ id: 1, name: 'Home' }],
  tags: [{ code: 'city' }],
  languages: [{ code: 'fr' }],
  articles_tags: [{ id: 1, articles_id: 1, tags_code: 'city', sort: 4 }],
  articles_users: [{ id: 1, articles_id: 1, users_id: boss }],
  articles_files: [{ id: 1, articles_id: 1, files_id: scan }],
  articles_texts: [{ id: 1, articles_id: 1, languages_code: 'fr', title: 'Un' }],
  articles_blocks: [
    { id: 1, articles_id: 1, collection: 'quotes', item: '3' },
    { id: 2, articles_id: 1, collection: users, item: boss },
  ],
  quotes: [{ id: 3, text: 'Well.' }],
  editions: [{ id: 1, cover: 2 }],
  covers: [{ id: 2, edition: 1 }],
  profiles: [{ user: boss }, { user: reporter }],
  bylines: [{ id: 1, profile: boss }],
  site: [{ $single: true, id: 1, lead: 2 }],
}

const tables = Object.keys(rows).filter((name) => !name.startsWith('directus_') && name !== 'site')

export const newsroom: Project = {
  model: {
    collections: [
      { collection: 'editorial', meta: { collection: 'editorial', icon: 'folder' }, schema: null },
      ...tables.map((name) =>
        name === 'wires'
          ? { collection: name, meta: null, schema: { name } }
          : table(name, name === 'articles' ? { group: 'editorial', versioning: true } : {}),
      ),
      table('site', { singleton: true }),
    ],
    fields: [
      ...fields,
      { collection: 'articles', field: 'line', type: 'alias', meta: { special: ['alias', 'no-data'] }, schema: null },
    ],
    relations: [...references.flatMap((each) => each.relations), ...blocks.relations],
    systemFields: [{ collection: users, field: 'last_name', schema: { is_indexed: true } }],
  },
  rows,
  assets: new Map([
    [photo, 'photo'],
    [scan, 'scans'],
  ]),
}
