/** Snapshots as files, and diffs that do not apply: rejected with a reason and without an effect. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { send } from './send.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const headers: { readonly authorization: string } = { authorization: `Bearer ${world.tokens.admin}` }
beforeEach(() => world.reset('model'))
afterAll(() => world.close())

const read = async (format: string) => {
  const response = await fetch(`${world.url}/schema/snapshot?export=${format}`, { headers })
  return { response, text: await response.text() }
}

test.each([
  ['json', 'application/json; charset=utf-8', '{\n  "version": 1,'],
  ['yaml', 'application/yaml; charset=utf-8', 'version: 1\n'],
  ['xml', 'application/xml; charset=utf-8', "<?xml version='1.0'?>\n<data>"],
  ['csv', 'text/csv; charset=utf-8', 'part,collection,field,related_collection,type,meta,schema\r\ncollection,about,'],
])('the snapshot is saved as %s', async (format, type, begin) => {
  const { response, text } = await read(format)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  expect(response.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="snapshot-.*\\.${format}"`),
  )
  expect(text.startsWith(begin)).toBe(true)
})

const upload = async (...files: readonly File[]) => {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  const response = await fetch(`${world.url}/schema/diff`, { method: 'POST', headers, body: form })
  return { status: response.status, text: await response.text() }
}

test.each(['json', 'yaml'])('a %s snapshot of one server can be compared by another', async (format) => {
  const { text } = await read(format)
  expect(await upload(new File([text], `snapshot.${format}`))).toEqual({ status: 204, text: '' })
  const { status } = await upload(
    new File([text.replaceAll('"red"', '').replace('articles_tags', 'else')], `s.${format}`),
  )
  expect(status).toBe(400)
})

test.each([
  ['no file', [], 400, 'Expected a file but received none'],
  ['two files', [new File(['{}'], 'a.json'), new File(['{}'], 'b.json')], 400, 'Only one file is allowed'],
  ['a picture', [new File(['x'], 'a.png', { type: 'image/png' })], 415, 'image/png'],
  ['broken YAML', [new File(['version: ['], 'a.yaml')], 400, 'Expected YAML'],
  ['an empty file', [new File([''], 'a.yaml')], 400, 'it is empty'],
  ['a reserved key', [new File(['__proto__: {a: 1}'], 'a.yaml')], 400, '__proto__'],
  ['no snapshot', [new File(['version: 1'], 'a.yaml')], 400, 'collections'],
] as const)('%s is refused', async (_name, files, status, reason) => {
  const answer = await upload(...files)
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(reason)])
})

const post = (path: string, body: unknown) => send(world.url, `POST ${path}`, { body, headers })

async function presentHash(): Promise<string> {
  const { text } = await post('/schema/diff?force', {
    version: 1,
    platform: '',
    collections: [],
    fields: [],
    relations: [],
  })
  return (JSON.parse(text) as { readonly data: { readonly hash: string } }).data.hash
}

const newTable = {
  collection: 'extra',
  diff: [{ kind: 'N', rhs: { collection: 'extra', meta: null, schema: { name: 'extra' } } }],
}
const newKey = {
  collection: 'extra',
  field: 'id',
  diff: [{ kind: 'N', rhs: { collection: 'extra', field: 'id', type: 'integer', schema: { is_primary_key: true } } }],
}
const titleTo = (change: object) => ({ fields: [{ collection: 'articles', field: 'title', diff: [change] }] })

test.each([
  [
    'a value that is not there',
    titleTo({ kind: 'E', path: ['schema', 'max_length'], lhs: 99, rhs: 10 }),
    'Expected the present value',
  ],
  [
    'a path of nothing',
    titleTo({ kind: 'E', path: ['meta', 'options', 'a'], lhs: 1, rhs: 2 }),
    'Expected a path that exists',
  ],
  ['no path', titleTo({ kind: 'E', lhs: 1, rhs: 2 }), 'Expected a path'],
  ['the prototype', titleTo({ kind: 'N', path: ['schema', '__proto__'], rhs: {} }), 'Expected another name'],
  ['an unknown key', titleTo({ kind: 'N', path: ['schema', 'sql'], rhs: 'drop' }), 'not known here'],
  [
    'another type of value',
    titleTo({ kind: 'E', path: ['schema', 'is_nullable'], lhs: false, rhs: 'yes' }),
    'must be boolean',
  ],
  ['another name', titleTo({ kind: 'E', path: ['field'], lhs: 'title', rhs: 'name' }), 'names cannot be changed'],
  [
    'an element of no list',
    titleTo({ kind: 'A', path: ['schema'], index: 0, item: { kind: 'N', rhs: 1 } }),
    'Expected a list',
  ],
  ['an entry of another name', { collections: [{ ...newTable, collection: 'other' }] }, 'Expected the entry of'],
  [
    'a table whose part has another name',
    {
      collections: [
        { collection: 'extra', diff: [{ kind: 'N', rhs: { collection: 'extra', schema: { name: 'x' } } }] },
      ],
    },
    'Expected \\"extra\\" for \\"schema.name\\"',
  ],
  [
    'a field whose part has another name',
    titleTo({ kind: 'E', path: ['schema', 'table'], lhs: 'articles', rhs: 'tags' }),
    'Expected \\"articles\\" for \\"schema.table\\"',
  ],
  ['a table without a key', { collections: [newTable] }, 'Expected a primary key'],
  [
    'a new collection that is sorted by no field of its own',
    {
      collections: [
        {
          collection: 'extra',
          diff: [
            { kind: 'N', rhs: { collection: 'extra', meta: { sort_field: 'nowhere' }, schema: { name: 'extra' } } },
          ],
        },
      ],
      fields: [newKey],
    },
    'for \\"sort_field\\" but received \\"nowhere\\"',
  ],
  ['a field of no collection', { fields: [newKey] }, 'where \\"extra\\" is not'],
  [
    'a deletion of something else',
    { collections: [{ collection: 'tags', diff: [{ kind: 'D', lhs: {} }] }] },
    'Expected the present value',
  ],
  [
    'a last step that the database refuses',
    {
      collections: [newTable],
      fields: [
        newKey,
        { collection: 'articles', field: 'body', diff: [{ kind: 'E', path: ['type'], lhs: 'text', rhs: 'integer' }] },
      ],
    },
    'cannot be converted',
  ],
])('%s is refused, and nothing happened', async (_name, diff, reason) => {
  const before = await read('json')
  const answer = await post('/schema/apply', {
    hash: await presentHash(),
    diff: { collections: [], fields: [], relations: [], ...diff },
  })
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)])
  expect((await read('json')).text).toBe(before.text)
})

const apply = async (wanted: object) => {
  const found = await post('/schema/diff', wanted)
  expect(found.status).toBe(200)
  return post('/schema/apply', (JSON.parse(found.text) as { data: object }).data)
}

test.each(['archive_field', 'sort_field'])('%s may name a field that comes with it, and no other', async (setting) => {
  const { text } = await read('json')
  const model = JSON.parse(text) as { collections: { collection: string; meta: object | null }[]; fields: object[] }
  const named = (field: string) =>
    model.collections.map((each) =>
      each.collection === 'tags' ? { ...each, meta: { ...each.meta, [setting]: field } } : each,
    )
  const field = { collection: 'tags', field: 'place', type: 'integer', meta: null, schema: { is_nullable: true } }
  const refused = await apply({ ...model, collections: named('nowhere') })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`for \\"${setting}\\" but received`)])
  const wanted = { ...model, collections: named('place'), fields: [...model.fields, field] }
  expect((await apply(wanted)).status).toBe(204)
  expect((await read('json')).text).toContain(`"${setting}": "place"`)
  expect((await apply(model)).status).toBe(204)
  expect((await read('json')).text).toBe(text)
})

const fieldsOf = (collection: string) => [
  {
    collection,
    field: 'id',
    type: 'integer',
    meta: null,
    schema: { is_primary_key: true, has_auto_increment: true },
  },
  ...Array.from({ length: 14 }, (_, index) => ({
    collection,
    field: `field_${index}`,
    type: 'string',
    meta: { note: 'A note as long as notes are. '.repeat(24) },
    schema: { max_length: 100 },
  })),
]

test('a data model of 1,500 fields can be copied, although the general body limit is smaller', async () => {
  const { url, tokens, close } = await openWorld({ MAX_SCHEMA_SIZE: '4mb' })
  const { text } = await read('json')
  const model = JSON.parse(text) as { collections: object[]; fields: object[] }
  const names = Array.from({ length: 100 }, (_, index) => `large_${index}`)
  model.collections.push(...names.map((collection) => ({ collection, meta: {}, schema: { name: collection } })))
  model.fields.push(...names.flatMap(fieldsOf))
  const own = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' }
  const post = (path: string, body: string) => fetch(`${url}${path}`, { method: 'POST', headers: own, body })
  const body = JSON.stringify(model)
  expect(body.length).toBeGreaterThan(1_100_000)
  expect((await post('/items/tags', body)).status).toBe(413)
  const found = await post('/schema/diff', body)
  expect(found.status).toBe(200)
  const { data } = (await found.json()) as { data: object }
  expect((await post('/schema/apply', JSON.stringify(data))).status).toBe(204)
  expect((await post('/schema/diff', body)).status).toBe(204)
  expect((await post('/schema/diff', JSON.stringify({ ...model, padding: 'x'.repeat(4_000_000) }))).status).toBe(413)
  await close()
})
