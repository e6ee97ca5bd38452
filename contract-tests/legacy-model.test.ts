/** The data model as an older client makes it, and the rows in it as both generations see them. */
import { afterAll, expect, test } from 'vitest'
import { askingAs, key } from './legacy-asking.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
afterAll(() => world.close())

const { ask, dataOf } = askingAs(() => world)
const statuses = {
  published: { name: 'Published', published: true },
  draft: { name: 'Draft' },
  deleted: { name: 'Deleted', soft_delete: true },
}

test('a collection is made with fields of every kind, and shown as it was declared', async () => {
  const fields = [
    key,
    { field: 'title', type: 'string', datatype: 'VARCHAR', length: 120, required: true, interface: 'text-input' },
    { field: 'status', type: 'status', datatype: 'VARCHAR', length: 20, options: { status_mapping: statuses } },
    { field: 'price', type: 'decimal', datatype: 'DECIMAL', length: '10,2' },
    { field: 'tags', type: 'array', datatype: 'VARCHAR', length: 255 },
    { field: 'live', type: 'boolean', datatype: 'TINYINT', length: 1, default_value: true },
    { field: 'place', type: 'sort', datatype: 'INT' },
    { field: 'owner', type: 'owner', datatype: 'INT' },
    { field: 'made', type: 'datetime_created', datatype: 'DATETIME' },
    { field: 'cover', type: 'file', datatype: 'INT' },
    { field: 'extra', type: 'json', datatype: 'TEXT' },
    { field: 'divider', type: 'alias', interface: 'divider' },
  ]
  const made = await dataOf('POST /_/collections', { collection: 'notes', note: 'What was said', fields })
  const { fields: _, ...plain } = { ...(made as object), fields: null }
  expect(plain).toEqual({
    collection: 'notes',
    managed: true,
    hidden: false,
    single: false,
    icon: null,
    note: 'What was said',
    translation: null,
  })
  const shown = (await dataOf('GET /_/collections/notes')) as { fields: { [name: string]: Record<string, unknown> } }
  expect(
    Object.values(shown.fields).map(({ field, type, datatype, length }) => [field, type, datatype, length]),
  ).toEqual([
    ['id', 'integer', 'INT', '10'],
    ['title', 'string', 'VARCHAR', '120'],
    ['status', 'status', 'VARCHAR', '20'],
    ['price', 'decimal', 'DECIMAL', '10,2'],
    ['tags', 'array', 'VARCHAR', '255'],
    ['live', 'boolean', 'TINYINT', '1'],
    ['place', 'sort', 'INT', '10'],
    ['owner', 'owner', 'INT', '10'],
    ['made', 'datetime_created', 'DATETIME', null],
    ['cover', 'file', 'INT', '10'],
    ['extra', 'json', 'TEXT', null],
    ['divider', 'alias', null, null],
  ])
  expect(shown.fields['title']).toMatchObject({ required: true, interface: 'text-input', primary_key: false })
  expect(shown.fields['id']).toMatchObject({ primary_key: true, auto_increment: true })
})

test('rows in it have the forms that were declared, in both generations', async () => {
  const item = { title: 'One', status: 'published', price: 2.5, tags: ['a', 'b'], cover: 905, extra: { a: [1] } }
  const made = (await dataOf('POST /_/items/notes', item)) as { owner: number; made: string }
  expect(made).toMatchObject({ ...item, id: 1, live: true, place: null })
  expect(typeof made.owner).toBe('number')
  expect(await dataOf('GET /items/notes/1?fields=title,status,price,tags,cover,owner.email')).toEqual({
    title: 'One',
    status: 'published',
    price: '2.50',
    tags: ['a', 'b'],
    cover: '00000000-0000-4000-8000-0000000000f5',
    owner: { email: 'admin@example.com' },
  })
  expect(await dataOf('POST /_/items/notes?fields=title', { title: 'Gone', status: 'deleted', place: 1 })).toEqual({
    title: 'Gone',
  })
  expect(await dataOf('GET /_/items/notes?fields=title')).toEqual([{ title: 'One' }])
  expect(await dataOf('GET /_/items/notes?fields=title&status=*')).toEqual([{ title: 'Gone' }, { title: 'One' }])
})

test('a slug mirrors another field, and the fields of the last change are set by the first one too', async () => {
  const words = { type: 'string', datatype: 'VARCHAR', length: 100 }
  const fields = [
    key,
    { field: 'title', ...words, required: true },
    { field: 'slug', ...words, type: 'slug', options: { mirroredField: 'title' } },
    { field: 'code', ...words, type: 'slug', options: { mirroredField: 'title', forceLowercase: false } },
    { field: 'token', ...words, type: 'uuid' },
    { field: 'changed', type: 'datetime_updated', datatype: 'DATETIME' },
    { field: 'changer', type: 'user_updated', datatype: 'INT' },
  ]
  await dataOf('POST /_/collections', { collection: 'pages', fields })
  const made = await dataOf('POST /_/items/pages', { title: ' Crème brûlée & Co. ' })
  const { id } = made as { readonly id: number }
  const [changer, changed] = [expect.any(Number), expect.stringMatching(/^\d{4}-\d\d-\d\d/)]
  const words1 = { slug: 'creme-brulee-co', code: 'Creme-brulee-Co', token: null }
  expect(made).toMatchObject({ ...words1, changer, changed })
  await dataOf(`PATCH /items/pages/${id}`, { title: 'Two' })
  expect(await dataOf(`GET /_/items/pages/${id}`)).toMatchObject({ slug: 'two', code: 'Two' })
  await dataOf(`PATCH /_/items/pages/${id}`, { title: 'Three', slug: 'own' })
  expect(await dataOf(`GET /items/pages/${id}?fields=slug,code`)).toEqual({ slug: 'own', code: 'Three' })
  await dataOf(`PATCH /_/items/pages/${id}`, { token: 'x' })
  expect(await dataOf(`GET /_/items/pages/${id}?fields=slug,token`)).toEqual({ slug: 'own', token: 'x' })
  expect(await ask('POST /_/items/pages', {})).toEqual([400, 4])
  expect(await ask('POST /_/items/pages', { title: null })).toEqual([400, 4])
})

test('lists of the data model are sorted, filtered, counted and cut', async () => {
  const answer = await fetch(
    `${world.url}/_/collections?sort=-collection&filter[managed][eq]=true&limit=2&offset=1&meta=*`,
    {
      headers: { authorization: `Bearer ${world.tokens.admin}` },
    },
  )
  const { data, meta } = (await answer.json()) as { data: { collection: string }[]; meta: { [key: string]: unknown } }
  const all = (await dataOf('GET /_/collections')) as readonly { collection: string; managed: boolean }[]
  const managed = all.filter((each) => each.managed).map(({ collection }) => collection)
  expect(data.map(({ collection }) => collection)).toEqual(managed.toSorted().toReversed().slice(1, 3))
  const counts = { result_count: 2, total_count: all.length, filter_count: managed.length }
  expect(meta).toMatchObject({ collection: 'platform_collections', type: 'collection', ...counts })
  const fields = (await dataOf('GET /_/fields/pages?sort=-field&filter[type]=slug')) as readonly { field: string }[]
  expect(fields.map(({ field }) => field)).toEqual(['slug', 'code'])
  expect(await ask('GET /_/fields/pages?sort=nothing')).toEqual([400, 209])
  const relations = (await dataOf('GET /_/relations?sort=-collection_many&limit=1')) as readonly {
    collection_many: string
  }[]
  const ends = ((await dataOf('GET /_/relations')) as readonly { collection_many: string }[]).map(
    (each) => each.collection_many,
  )
  expect(relations[0]?.collection_many).toBe(ends.toSorted().at(-1))
  expect(await dataOf('GET /_/relations?sort=-collection_many&limit=1&single=1')).toEqual(relations)
})

test('fields are added, changed by patterns and lengths, and dropped', async () => {
  expect(
    await dataOf('POST /_/fields/notes', { field: 'code', type: 'string', datatype: 'VARCHAR', length: 10 }),
  ).toMatchObject({
    field: 'code',
    length: '10',
    validation: null,
  })
  const changed = await dataOf('PATCH /_/fields/notes/code', { validation: '/^[a-z]+$/i', length: 20, note: 'A word' })
  expect(changed).toMatchObject({ validation: '/^[a-z]+$/i', length: '20', note: 'A word', type: 'string' })
  expect(await ask('PATCH /_/items/notes/1', { code: '12' })).toEqual([400, 4])
  expect(await dataOf('PATCH /_/items/notes/1?fields=code', { code: 'Ab' })).toEqual({ code: 'Ab' })
  expect(await ask('PATCH /_/items/notes/1', { code: '' })).toEqual([400, 4])
  expect(await dataOf('PATCH /_/items/notes/1?fields=code', { code: null })).toEqual({ code: null })
  expect(
    await dataOf('PATCH /_/fields/notes', [
      { field: 'code', sort: 7 },
      { field: 'title', sort: 1 },
    ]),
  ).toMatchObject([
    { field: 'code', sort: 7 },
    { field: 'title', sort: 1 },
  ])
  expect((await ask('DELETE /_/fields/notes/code'))[0]).toBe(204)
  expect(await ask('GET /_/fields/notes/code')).toEqual([404, 202])
})

test('relations lead both ways, also to users through a column of integers', async () => {
  await dataOf('POST /_/collections', { collection: 'remarks', fields: [key] })
  await dataOf('POST /_/fields/remarks', { field: 'note', type: 'm2o', datatype: 'INT', length: 10 })
  await dataOf('POST /_/fields/remarks', { field: 'reader', type: 'm2o', datatype: 'INT', length: 10 })
  await dataOf('POST /_/fields/notes', { field: 'remarks', type: 'o2m', interface: 'one-to-many' })
  const relation = { collection_many: 'remarks', field_many: 'note', collection_one: 'notes', field_one: 'remarks' }
  const made = (await dataOf('POST /_/relations', relation)) as { id: number }
  expect(made).toEqual({ ...relation, id: made.id, junction_field: null })
  await dataOf('POST /_/relations', [
    { collection_many: 'remarks', field_many: 'reader', collection_one: 'platform_users' },
  ])
  await dataOf('PATCH /_/items/notes/1', { remarks: [{ reader: 1 }] })
  expect(await dataOf('GET /_/items/notes/1?fields=remarks.reader')).toEqual({ remarks: [{ reader: 1 }] })
  const mine = await dataOf('GET /_/relations?filter[collection_one][eq]=notes&filter[field_many]=note')
  expect(mine).toEqual([made])
  expect((await ask(`DELETE /_/relations/${made.id}`))[0]).toBe(204)
  expect(await ask(`GET /_/relations/${made.id}`)).toEqual([404, 203])
})

test('a junction to files has a relation to them, as the application of version 8 declares it', async () => {
  const file = { field: 'file', type: 'file', datatype: 'INT', length: 10 }
  const note = { field: 'note', type: 'integer', datatype: 'INT', length: 10 }
  await dataOf('POST /_/collections', { collection: 'notes_files', fields: [key, note, file] })
  await dataOf('POST /_/fields/notes', { field: 'gallery', type: 'o2m' })
  const toFiles = {
    collection_many: 'notes_files',
    field_many: 'file',
    collection_one: 'platform_files',
    field_one: null,
    junction_field: 'note',
  }
  const toNotes = {
    ...toFiles,
    field_many: 'note',
    collection_one: 'notes',
    field_one: 'gallery',
    junction_field: 'file',
  }
  const made = await dataOf('POST /_/relations', [toNotes, { ...toFiles, collection_one: 'directus_files' }])
  expect(made).toMatchObject([toNotes, toFiles])
  expect(await dataOf('GET /_/relations?filter[collection_many]=notes_files&sort=field_many')).toMatchObject([
    toFiles,
    toNotes,
  ])
  const title = { title: 'With a picture', gallery: [{ file: 907 }] }
  const paths = 'fields=gallery.file.id,gallery.file.data.thumbnails.key'
  expect(await dataOf(`POST /_/items/notes?${paths}`, title)).toMatchObject({ gallery: [{ file: { id: 907 } }] })
  expect(await dataOf('GET /_/files/907?fields=data.asset_url,data.embed.html')).toEqual({
    data: { asset_url: expect.stringContaining('/_/assets/'), embed: null },
  })
  const ends = (await dataOf('GET /_/relations?fields=field_many,collection_many')) as readonly object[]
  expect(ends).not.toContainEqual({ collection_many: 'platform_roles', field_many: 'parent' })
  expect(await dataOf('GET /_/fields/notes_files?fields=field&sort=field')).toEqual([
    { field: 'file' },
    { field: 'id' },
    { field: 'note' },
  ])
})

test('the length of an enumeration or a set is its list of words', async () => {
  const field = { type: 'string', datatype: 'ENUM', length: "'red','green'" }
  expect(await dataOf('POST /_/fields/notes', { field: 'colour', ...field })).toMatchObject({ length: '5' })
  expect(await dataOf('POST /_/fields/notes', { field: 'tones', ...field, datatype: 'SET' })).toMatchObject({
    length: '9',
  })
  expect(await ask('POST /_/fields/notes', { field: 'word', ...field, datatype: 'VARCHAR' })).toEqual([422, 12])
  for (const name of ['colour', 'tones']) expect((await ask(`DELETE /_/fields/notes/${name}`))[0]).toBe(204)
})

test('what cannot be is told by its code', async () => {
  const string = { field: 'a', type: 'string', datatype: 'VARCHAR', length: 10 }
  expect(await ask('POST /_/collections', { collection: 'notes', fields: [key] })).toEqual([422, 307])
  expect(await ask('POST /_/collections', { collection: 'other', fields: [string] })).toEqual([422, 12])
  expect(await ask('POST /_/fields/notes', { ...string, field: 'title' })).toEqual([422, 308])
  expect(await ask('POST /_/fields/notes', { ...string, type: 'rainbow' })).toEqual([400, 401])
  expect(await ask('POST /_/fields/notes', { field: 'a', type: 'string', datatype: 'VARCHAR' })).toEqual([422, 402])
  expect(await ask('POST /_/fields/notes', { ...string, datatype: 'TEXT' })).toEqual([422, 403])
  expect(await ask('PATCH /_/fields/notes/title', { validation: '/(/' })).toEqual([422, 12])
  expect(await ask('GET /_/collections/nowhere')).toEqual([404, 200])
  expect(await ask('PATCH /_/fields/nowhere/title', { note: 'x' })).toEqual([404, 200])
  expect(await ask('POST /_/fields/nowhere', string)).toEqual([404, 200])
  expect(await ask('DELETE /_/fields/nowhere/title')).toEqual([404, 200])
  expect(await ask('PATCH /_/collections/notes', { note: 'x' }, 'editor')).toEqual([403, 306])
  expect(await ask('DELETE /_/collections/notes', undefined, 'public')).toEqual([401, 3])
  expect(
    await ask('POST /_/relations', {
      collection_many: 'remarks',
      field_many: 'note',
      collection_one: 'platform_fields',
    }),
  ).toEqual([401, 201])
})

test('a table is let go, and taken over again', async () => {
  expect(await dataOf('PATCH /_/collections/remarks', { managed: false })).toMatchObject({ managed: false })
  expect(await ask('PATCH /_/collections/remarks', { note: 'x' })).toEqual([404, 205])
  expect(await ask('PATCH /_/collections/remarks', { note: 'x', managed: false })).toEqual([404, 205])
  expect(await dataOf('POST /_/collections', { collection: 'remarks', fields: [key], note: 'x' })).toMatchObject({
    managed: true,
    note: 'x',
  })
  expect((await ask('DELETE /_/collections/remarks'))[0]).toBe(204)
  expect(await ask('GET /_/items/remarks')).toEqual([404, 200])
})

test('columns that a project adds to system collections are read, written and filtered in both generations', async () => {
  const shoe = { field: 'shoe_size', type: 'integer', meta: {}, schema: {} }
  expect((await ask('POST /fields/platform_users', shoe))[0]).toBe(200)
  const author = { field: 'writer', type: 'uuid', meta: {}, schema: {} }
  expect((await ask('POST /fields/platform_folders', author))[0]).toBe(200)
  const relation = { collection: 'platform_folders', field: 'writer', related_collection: 'platform_users' }
  expect((await ask('POST /relations', { ...relation, meta: { one_field: 'own_folders' } }))[0]).toBe(200)

  const person = { email: 'shod@example.com', password: 'correct-horse-42', shoe_size: 38 }
  const made = (await dataOf('POST /_/users', person)) as { id: number; shoe_size: number }
  expect(made).toMatchObject({ email: 'shod@example.com', shoe_size: 38 })
  expect(await dataOf(`PATCH /_/users/${made.id}`, { shoe_size: 39 })).toMatchObject({ shoe_size: 39 })
  const folder = (await dataOf('POST /_/folders', { name: 'Drafts', writer: made.id })) as { id: number }
  expect(await dataOf(`GET /_/folders/${folder.id}?fields=name,writer.shoe_size`)).toEqual({
    name: 'Drafts',
    writer: { shoe_size: 39 },
  })
  const found = await dataOf('GET /_/users?filter[shoe_size][gt]=38&fields=email,own_folders.name')
  expect(found).toEqual([{ email: 'shod@example.com', own_folders: [{ name: 'Drafts' }] }])
  expect(await dataOf('GET /users?filter[shoe_size][_eq]=39&fields=email')).toEqual([{ email: 'shod@example.com' }])
  expect((await ask('POST /_/users', { ...person, email: 'other@example.com', shoe_colour: 'red' }))[0]).toBe(422)
  expect((await ask('POST /_/users', { ...person, email: 'other@example.com', shoe_size: 'red' }))[0]).toBe(400)
  expect((await ask('GET /_/users?fields=shoe_size', undefined, 'nobody'))[0]).toBe(403)
})

test('translations in a language, where the language is a column of the translation itself', async () => {
  const lang = { field: 'lang', type: 'lang', datatype: 'CHAR', length: 5 }
  await dataOf('POST /_/collections', {
    collection: 'p',
    fields: [key, { field: 'name', type: 'string', datatype: 'VARCHAR', length: 20 }],
  })
  await dataOf('POST /_/collections', {
    collection: 'p_words',
    fields: [
      key,
      { field: 'post', type: 'integer', datatype: 'INT' },
      { ...lang, field: 'tongue' },
      { field: 'lang', type: 'string', datatype: 'VARCHAR', length: 20 },
    ],
  })
  await dataOf('POST /_/fields/p', { field: 'translations', type: 'translation', interface: 'translation' })
  const relation = { collection_many: 'p_words', field_many: 'post', collection_one: 'p', field_one: 'translations' }
  await dataOf('POST /_/relations', { ...relation, junction_field: null })
  await dataOf('POST /_/collections', {
    collection: 'shelf',
    fields: [key, { field: 'p', type: 'm2o', datatype: 'INT' }],
  })
  const toShelf = { collection_many: 'shelf', field_many: 'p', collection_one: 'p', field_one: null }
  await dataOf('POST /_/relations', toShelf)
  const words = ['de', 'en', 'fr'].map((tongue) => ({ tongue, lang: `in ${tongue}` }))
  const made = await dataOf('POST /_/items/p', { name: 'a', translations: words })
  const { id } = made as { readonly id: number }
  await dataOf('POST /_/items/shelf', { p: id })
  const german = [{ lang: 'in de' }]
  expect(await dataOf(`GET /_/items/p/${id}?fields=name,translations.lang&lang=de`)).toEqual({
    name: 'a',
    translations: german,
  })
  expect(await dataOf('GET /_/items/p?fields=translations.lang&lang=de,fr')).toEqual([
    { translations: [...german, { lang: 'in fr' }] },
  ])
  expect(await dataOf('GET /_/items/p?fields=translations.lang&lang=*')).toMatchObject([
    { translations: words.map(({ lang }) => ({ lang })) },
  ])
  const starred = (await dataOf('GET /_/items/p?fields=*.*&lang=en')) as readonly { translations: readonly object[] }[]
  expect(starred[0]?.translations).toMatchObject([{ tongue: 'en' }])
  expect(await dataOf('GET /_/items/shelf?fields=p.translations.lang&lang=de')).toEqual([
    { p: { translations: german } },
  ])
  // Wildcards reach translations through a relation, too.
  expect(await dataOf('GET /_/items/shelf?fields=*.*.*&lang=de')).toMatchObject([
    { p: { name: 'a', translations: [{ lang: 'in de' }] } },
  ])
  const query = '{ shelf(lang: "de") { data { p { translations { lang } } } } }'
  expect(await dataOf('POST /_/gql', { query })).toEqual({ shelf: { data: [{ p: { translations: german } }] } })
  // Without a column of the type, one of the name holds the language; without both the parameter has no field.
  expect((await ask('DELETE /_/fields/p_words/tongue'))[0]).toBe(204)
  expect(await dataOf('GET /_/items/p?fields=translations.lang&lang=in%20de')).toEqual([{ translations: german }])
  expect((await ask('DELETE /_/fields/p_words/lang'))[0]).toBe(204)
  expect(await ask('GET /_/items/p?fields=translations.id&lang=de')).toEqual([404, 202])
})

test('field types by the names of older clients, and codes for what there is not', async () => {
  await dataOf('POST /_/collections', {
    collection: 'stamped',
    fields: [
      key,
      { field: 'maker', type: 'user_created', datatype: 'INT' },
      { field: 'changer', type: 'USER_MODIFIED', datatype: 'INT' },
    ],
  })
  expect(await dataOf('GET /_/fields/stamped/maker,changer')).toMatchObject([
    { type: 'owner' },
    { type: 'user_updated' },
  ])
  const me = (await dataOf('GET /_/users/me?fields=id')) as { readonly id: number }
  expect(await dataOf('POST /_/items/stamped', {})).toMatchObject({ maker: me.id, changer: me.id })
  expect(await ask('GET /_/fields/stamped/never')).toEqual([404, 202])
  expect(await ask('GET /_/fields/nowhere/never')).toEqual([404, 200])
  const comment = { item: 1, comment: 'hi' }
  expect(await ask('POST /_/activity/comment', { ...comment, collection: 'nowhere' })).toEqual([404, 200])
  expect(await ask('POST /_/activity/comment', { ...comment, collection: 'stamped', item: 99 })).toEqual([404, 203])
})

test('the settings of collections have the fields that entries of the list have', async () => {
  const listed = (await dataOf('GET /_/fields/platform_collections')) as readonly { readonly field: string }[]
  const { fields: _, ...settings } = (await dataOf('GET /_/collections/tags')) as { readonly fields: object }
  expect(listed.map(({ field }) => field).toSorted()).toEqual(Object.keys(settings).toSorted())
  expect(listed[1]).toMatchObject({
    collection: 'platform_collections',
    field: 'managed',
    type: 'boolean',
    datatype: 'TINYINT',
    default_value: true,
  })
})
