/** A newsroom for people to edit: every kind of field, an editor with rights on some of it, and an administrator. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { browserOptions } from '../browser.ts'
import { type OwnDatabase, openOwnDatabase } from '../own-database.ts'

const tables = `
  create table authors (id serial primary key, name text not null, email text);
  create table tags (id serial primary key, name text not null);
  create table languages (code text primary key, name text not null);
  create table articles (
    id serial primary key,
    title varchar(120) not null,
    status text not null default 'draft',
    sort integer,
    body text,
    published timestamptz,
    day date,
    views integer not null default 0,
    price numeric(10, 2),
    featured boolean not null default false,
    section text,
    keywords json,
    settings json,
    links json,
    color text,
    internal_note text,
    cover uuid references platform_files (id),
    author integer references authors (id)
  );
  create table articles_tags (id serial primary key, article integer references articles (id) on delete cascade, tag integer references tags (id));
  create table articles_translations (id serial primary key, article integer references articles (id) on delete cascade, language text references languages (code), headline text, summary text);
  create table comments_of_readers (id serial primary key, article integer references articles (id) on delete cascade, text text not null, sort integer);
  create table about (id integer primary key, slogan text, founded date);
  insert into about (id, slogan) values (1, 'Riding in two');
  insert into authors (name) values ('Ann'), ('Bob'), ('Cid');
  insert into tags (name) values ('horses'), ('gear'), ('travel');
  insert into languages values ('en', 'English'), ('de', 'Deutsch'), ('fr', 'Français');
  insert into articles (title, status, sort, body, published, author, views, section) values
    ('Riding in two', 'published', 1, 'Two saddles.', '2026-05-01T10:00:00Z', 1, 12, 'sport'),
    ('One saddle', 'draft', 2, 'One saddle.', null, 1, 3, 'sport'),
    ('A very long title that goes on and on, to see what a list does with it in a narrow window', 'draft', 3, null, null, 2, 0, 'travel'),
    ('Old hay', 'archived', 4, null, null, 3, 1, 'travel');
  insert into articles_tags (article, tag) values (1, 1), (1, 2);
  insert into articles_translations (article, language, headline) values (1, 'en', 'Riding in two'), (1, 'de', 'Zu zweit reiten');
  insert into comments_of_readers (article, text, sort) values (1, 'Nice', 1), (1, 'More please', 2)
`

const choices = (words: readonly string[]) =>
  words.map((value) => ({ text: value[0]?.toUpperCase() + value.slice(1), value }))

/** `collection.field` → its metadata. */
const fields: { readonly [path: string]: object } = {
  'articles.title': { interface: 'input', required: true, sort: 1, note: 'As it is printed' },
  'articles.status': {
    interface: 'select-dropdown',
    options: { choices: choices(['draft', 'published', 'archived']) },
    sort: 2,
    width: 'half',
  },
  'articles.section': {
    interface: 'select-radio',
    options: { choices: choices(['sport', 'travel']) },
    sort: 3,
    width: 'half',
  },
  'articles.author': { interface: 'select-dropdown-m2o', sort: 4, width: 'half' },
  'articles.cover': { interface: 'file-image', sort: 5, width: 'half' },
  'articles.body': { interface: 'input-rich-text-md', sort: 6 },
  'articles.keywords': { interface: 'tags', special: ['cast-json'], sort: 7 },
  'articles.color': { interface: 'select-color', sort: 8, width: 'half' },
  'articles.settings': { interface: 'input-code', sort: 9 },
  'articles.links': {
    interface: 'list',
    sort: 10,
    options: {
      fields: [
        { field: 'label', type: 'string', meta: { interface: 'input' } },
        { field: 'url', type: 'string', meta: { interface: 'input' } },
      ],
    },
  },
  'articles.internal_note': {
    interface: 'input-multiline',
    sort: 11,
    hidden: true,
    conditions: [{ name: 'drafts', rule: { _and: [{ status: { _eq: 'draft' } }] }, hidden: false }],
  },
}

type Relation = { readonly collection: string; readonly field: string; readonly related: string; readonly meta: object }

const relations: readonly Relation[] = [
  {
    collection: 'articles_tags',
    field: 'article',
    related: 'articles',
    meta: { one_field: 'tags', junction_field: 'tag', one_deselect_action: 'delete' },
  },
  { collection: 'articles_tags', field: 'tag', related: 'tags', meta: { junction_field: 'article' } },
  {
    collection: 'articles_translations',
    field: 'article',
    related: 'articles',
    meta: { one_field: 'translations', junction_field: 'language' },
  },
  { collection: 'articles_translations', field: 'language', related: 'languages', meta: { junction_field: 'article' } },
  {
    collection: 'comments_of_readers',
    field: 'article',
    related: 'articles',
    meta: { one_field: 'reader_comments', sort_field: 'sort' },
  },
]

export const password = 'correct-horse-42'

export type Newsroom = OwnDatabase & {
  readonly browser: Browser
  /** The answer of the API, as the administrator; fails unless it succeeds. */
  readonly api: (request: string, body?: unknown) => Promise<unknown>
  /** The mails that the server has sent. */
  readonly mails: () => readonly string[]
}

/** Receivers are on this host; a delivery that fails is given up at once. */
const webhooks = { WEBHOOKS_IP_ALLOW_LIST: '127.0.0.1', WEBHOOKS_ATTEMPTS: '1' }

/** `more` overrides settings of the server. */
export async function openNewsroom(more: { readonly [name: string]: string } = {}): Promise<Newsroom> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-newsroom-'))
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  const uploads = { TUS_ENABLED: 'true', TUS_CHUNK_SIZE: '1mb' }
  const settings = { HASH_MEMORY_COST: '8', HASH_PARALLELISM: '1', DATA_DIR: folder, ...webhooks, ...uploads, ...more }
  const server = await openOwnDatabase(tables, settings)
  const mails = () => readdirSync(mail).map((name) => decode(readFileSync(join(mail, name), 'utf8')))
  const browser = await chromium.launch(browserOptions())
  const close = async (): Promise<void> => {
    await browser.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const api = async (request: string, body?: unknown): Promise<unknown> => {
    const answer = await server.ask(request, body === undefined ? {} : { body })
    if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return (answer.body as { data?: unknown } | null)?.data
  }
  await describe(api)
  await addPeople(server, api)
  return { ...server, browser, api, mails, close }
}

/** The text of a mail, as it was before it was made fit for old servers. */
const decode = (mail: string): string =>
  mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

type Api = Newsroom['api']

async function describe(api: Api): Promise<void> {
  for (const { collection, field, related, meta } of relations) {
    await api(`PATCH /relations/${collection}/${field}`, { related_collection: related, meta })
  }
  for (const [path, meta] of Object.entries(fields)) await api(`PATCH /fields/${path.replace('.', '/')}`, { meta })
  await api('PATCH /fields/articles/translations', {
    meta: { interface: 'translations', special: ['translations'], sort: 12 },
  })
  await api('PATCH /fields/articles/tags', { meta: { interface: 'list-m2m', special: ['m2m'], sort: 13 } })
  await api('PATCH /fields/articles/reader_comments', { meta: { interface: 'list-o2m', special: ['o2m'], sort: 14 } })
  const archive = { archive_field: 'status', archive_value: 'archived', unarchive_value: 'draft', sort_field: 'sort' }
  await api('PATCH /collections/articles', { meta: { ...archive, note: 'What we print' } })
  await api('PATCH /collections/about', { meta: { singleton: true } })
  for (const name of ['articles_tags', 'articles_translations', 'comments_of_readers']) {
    await api(`PATCH /collections/${name}`, { meta: { hidden: true } })
  }
}

/** What the editor may do: everything in content, but not the price; of the platform files, comments, lists and history. */
async function addPeople(server: OwnDatabase, api: Api): Promise<void> {
  const content = [
    'authors',
    'tags',
    'languages',
    'articles_tags',
    'articles_translations',
    'comments_of_readers',
    'about',
  ]
  const actions = ['create', 'read', 'update', 'delete']
  const everything = [
    ...content,
    'platform_files',
    'platform_folders',
    'platform_comments',
    'platform_presets',
  ].flatMap((collection) => actions.map((action) => ({ collection, action, fields: ['*'] })))
  const { data } = (await server.ask('GET /fields/articles')).body as { data: readonly { field: string }[] }
  const names = data.map(({ field }) => field)
  const articles = actions.map((action) => ({
    collection: 'articles',
    action,
    fields: action === 'read' || action === 'delete' ? ['*'] : names.filter((name) => name !== 'price'),
  }))
  const history = ['platform_revisions', 'platform_activity', 'platform_users'].map((collection) => ({
    collection,
    action: 'read',
    fields: ['*'],
  }))
  const policy = { name: 'Editors', app_access: true, permissions: [...everything, ...articles, ...history] }
  const role = { name: 'Editor', policies: [{ policy }] }
  const { id } = (await api('POST /roles', role)) as { id: string }
  await api('POST /users', { email: 'ed@example.com', first_name: 'Ed', password, role: id })
  const [chief] = await server.rows('select id from platform_roles where name = $1', ['Administrator'])
  await api('POST /users', { email: 'ann@example.com', first_name: 'Ann', password, role: chief?.['id'] })
}
