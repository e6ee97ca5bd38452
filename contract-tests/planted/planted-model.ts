/** Planted changes of a data model and of rights, with the verdict that each should get. */
import { at, drop, type Edit, of, type Row, row, set } from './planted-edits.ts'

const fields = 'collections  articles  fields'
const field = (path: string, values: object) => set(`${fields}  ${path}`, values)
type Fields = { readonly [name: string]: { readonly relation?: { readonly to?: string | null } } }

/** Deletes the collection, and the fields that refer to it. */
const dropCollection =
  (name: string): Edit =>
  (root) => {
    const collections = root['collections'] as { [name: string]: { fields?: Fields } }
    delete collections[name]
    for (const each of Object.values(collections))
      each.fields = Object.fromEntries(
        Object.entries(each.fields ?? {}).filter(([, { relation }]) => relation?.to !== name),
      )
  }

const right = (position: number): string => `collections  articles  rights  Edit texts  ${position}`

const all = ['dashboard', 'editor', 'shop']

/** Edits of collections, fields and relations. */
const inModel: readonly Row[] = [
  row('a collection is deleted', 'breaking', ['cleaner', ...all], dropCollection('articles')),
  row(
    'a related collection is deleted',
    'breaking',
    ['board', 'dashboard', 'desk', 'editor', 'mover', 'shop'],
    dropCollection('authors'),
  ),
  row('a field is deleted', 'breaking', all, drop(fields, 'title')),
  row('a field nobody names is deleted', 'breaking', ['dashboard'], drop(fields, 'address')),
  row('a field of related items is renamed', 'breaking', ['desk', 'shop'], (root) => {
    const { name, ...rest } = at(root, 'collections  authors  fields')
    Object.assign(at(root, 'collections  authors'), {
      fields: { ...rest, full_name: { ...(name as object), renamed_from: 'name' } },
    })
  }),
  row('a field has another type', 'breaking', all, field('title', { type: 'json', column: {} })),
  row('a text gets shorter', 'breaking', ['editor'], field('title  column', { max_length: 50 })),
  row('a text gets longer', 'safe', [], field('title  column', { max_length: 400 })),
  row('a field may be null', 'perhaps', ['dashboard', 'shop'], drop(`${fields}  title  column`, 'is_nullable')),
  row('a field has to be different in all items', 'perhaps', ['editor'], field('title  column', { is_unique: true })),
  row('a new field is optional', 'safe', [], set(fields, { slug: { type: 'string', display: {} } })),
  row(
    'a new field is required',
    'breaking',
    ['editor'],
    set(fields, { slug: { type: 'string', display: { required: true } } }),
  ),
  row('a field is required from now on', 'breaking', ['editor'], field('body  display', { required: true })),
  row(
    'a field is validated',
    'perhaps',
    ['editor'],
    field('title  display', { validation: { title: { _nempty: true } } }),
  ),
  row(
    'a field is hidden from answers',
    'breaking',
    all.filter((each) => each !== 'editor'),
    field('title  display', { special: ['conceal'] }),
  ),
  row(
    'a choice is added',
    'perhaps',
    ['dashboard'],
    field('status  display  options  status_mapping', { old: { name: 'Old' } }),
  ),
  row('an icon changes', 'safe', [], set('collections  articles  display', { icon: 'article' })),
  row(
    'a collection holds one item from now on',
    'breaking',
    ['cleaner', ...all],
    set('collections  articles  display', { singleton: true }),
  ),
  row(
    'a new collection',
    'safe',
    [],
    set('collections', {
      tags_of_shop: { fields: { id: { type: 'integer', column: { is_primary_key: true, has_auto_increment: true } } } },
    }),
  ),
]

/** Edits of roles, policies, rights and levels. */
const inRights: readonly Row[] = [
  row(
    'a right to read is lost',
    'breaking',
    ['dashboard', 'shop'],
    (root) => void (at(root, 'collections  articles  rights')['Edit texts'] as unknown[]).splice(1, 1),
  ),
  row(
    'a right to create is lost',
    'breaking',
    ['editor'],
    (root) => void (at(root, 'collections  articles  rights')['Edit texts'] as unknown[]).splice(0, 1),
  ),
  row(
    'a right to delete is lost',
    'breaking',
    ['cleaner'],
    (root) => void (at(root, 'collections  articles  rights')['Edit texts'] as unknown[]).splice(3, 1),
  ),
  row('a field is no longer readable', 'breaking', ['dashboard', 'shop'], set(right(1), { fields: ['id', 'author'] })),
  row(
    'a field nobody names is no longer readable',
    'breaking',
    ['dashboard'],
    set(right(1), { fields: ['id', 'title', 'author'] }),
  ),
  row('a field is no longer writable', 'breaking', ['editor'], set(right(2), { fields: ['body'] })),
  row('further fields are readable', 'safe', [], set(right(1), { fields: ['*'] })),
  row(
    'fewer items are readable',
    'perhaps',
    ['dashboard', 'shop'],
    set(right(1), { permissions: { status: { _eq: 'published' } } }),
  ),
  row('values are validated', 'perhaps', ['editor'], set(right(0), { validation: { title: { _nnull: true } } })),
  row(
    'a new right',
    'safe',
    [],
    set('collections  authors', { rights: { 'Edit texts': [{ action: 'read', fields: ['*'] }] } }),
  ),
  row('a role is deleted', 'breaking', ['back-office', 'cleaner', ...all], drop('roles', 'Editor')),
  row('a role loses a policy', 'breaking', ['back-office', 'cleaner', ...all], drop('roles  Editor', 'policies')),
  row(
    'a policy takes fewer addresses',
    'perhaps',
    ['back-office', 'cleaner', ...all],
    set('policies  Edit texts', { ip_access: ['10.0.0.0/8'] }),
  ),
  row('a policy loses the application', 'breaking', ['back-office'], drop('policies  Edit texts', 'app_access')),
  row('a text is changed', 'safe', [], set('translations', { 'de-DE': { hello: 'Hallo' } })),
  row('a setting is changed', 'safe', [], set('settings', { project_name: 'Shop' })),
]

export const plantedInModel: readonly Row[] = [...inModel, ...inRights]

export const rights = {
  roles: { Editor: { policies: ['Edit texts'] } },
  policies: { 'Edit texts': { app_access: true } },
  articles: {
    'Edit texts': [
      { action: 'create', fields: ['*'] },
      { action: 'read', fields: ['id', 'title', 'author', 'views'] },
      { action: 'update', fields: ['title', 'body'] },
      { action: 'delete', fields: ['*'] },
    ],
  },
}

export const usesOfModel = [
  ...of('shop', 'readItems', 'read', 'articles', 'articles.title', 'articles.author', 'articles.author.name'),
  ...of('dashboard', 'readItems', 'read', 'articles', 'articles.*'),
  ...of('editor', 'createItems', 'create', 'articles', 'articles.title', 'articles.author'),
  ...of('editor', 'updateItem', 'update', 'articles', 'articles.title'),
  ...of('cleaner', 'deleteItems', 'delete', 'articles'),
]
