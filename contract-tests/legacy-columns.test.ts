/** Columns that an older client makes: their widths, names and dates, and which of them a status requires. */
import { afterAll, expect, test } from 'vitest'
import { dataTypeOf } from '../src/sql/testing/test-vendors.ts'
import { askingAs, key } from './legacy-asking.ts'
import { send } from './send.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
afterAll(() => world.close())

const { ask, dataOf } = askingAs(() => world)

test('columns have the widths of their datatypes, and both generations give back what they were given', async () => {
  const fields = [
    key,
    { field: 'exact', type: 'decimal', datatype: 'DOUBLE' },
    { field: 'real', type: 'decimal', datatype: 'real', length: '10,2' },
    { field: 'short', type: 'decimal', datatype: 'FLOAT' },
    { field: 'money', type: 'decimal', datatype: 'DECIMAL', length: '30,10' },
    { field: 'tiny', type: 'integer', datatype: 'TINYINT', length: 4 },
    { field: 'small', type: 'integer', datatype: 'SMALLINT' },
    { field: 'unsigned', type: 'integer', datatype: 'SMALLINT', signed: false },
    { field: 'medium', type: 'integer', datatype: 'MEDIUMINT' },
    { field: 'big', type: 'integer', datatype: 'BIGINT' },
    { field: 'letter', type: 'string', datatype: 'CHAR', length: 3 },
    { field: 'long', type: 'string', datatype: 'LONGTEXT' },
  ]
  await dataOf('POST /_/collections', { collection: 'widths', fields })
  const shown = (await dataOf('GET /_/fields/widths')) as readonly Record<string, unknown>[]
  expect(Object.fromEntries(shown.map(({ field, datatype }) => [field, datatype]))).toEqual({
    id: 'INT',
    exact: 'DOUBLE',
    real: 'DOUBLE',
    short: 'FLOAT',
    money: 'DECIMAL',
    tiny: 'SMALLINT',
    small: 'SMALLINT',
    unsigned: 'INT',
    medium: 'INT',
    big: 'BIGINT',
    letter: 'VARCHAR',
    long: 'TEXT',
  })
  const types = (await dataOf('GET /fields/widths')) as readonly { field: string; schema: { data_type: string } }[]
  expect(Object.fromEntries(types.map(({ field, schema }) => [field, schema.data_type]))).toMatchObject({
    exact: dataTypeOf('double precision'),
    short: dataTypeOf('real'),
    small: 'smallint',
    medium: dataTypeOf('integer'),
    big: 'bigint',
  })
  const long = 'x'.repeat(70_000)
  const numbers = { exact: 2.7142857142857144, real: 2.7142857142857144, tiny: -128, small: 32_767, unsigned: 65_535 }
  const row = { ...numbers, medium: 8_388_607, big: '9007199254740993', letter: 'äb ', long }
  expect(await dataOf('POST /_/items/widths', { ...row, money: '12345678901234567890.0123456789' })).toMatchObject(row)
  expect(await dataOf('GET /items/widths/1')).toMatchObject({ ...row, money: '12345678901234567890.0123456789' })
  expect(await dataOf('GET /_/items/widths?filter[exact][eq]=2.7142857142857144&fields=exact')).toEqual([
    { exact: 2.7142857142857144 },
  ])
  expect((await ask('POST /_/items/widths', { small: 32_768 }))[0]).toBe(422)
  expect((await ask('POST /items/widths', { small: 32_768 }))[0]).toBe(400)
})

test('a changed datatype changes the width of the column, and any other change leaves it', async () => {
  expect(await dataOf('PATCH /_/fields/widths/short', { datatype: 'DOUBLE' })).toMatchObject({ datatype: 'DOUBLE' })
  expect(await dataOf('PATCH /_/fields/widths/short', { note: 'Whole' })).toMatchObject({ datatype: 'DOUBLE' })
  expect(await dataOf('PATCH /_/items/widths/1?fields=short', { short: 0.1234567890123 })).toEqual({
    short: 0.1234567890123,
  })
  const wide = await dataOf('PATCH /_/fields/widths/tiny', { type: 'integer', datatype: 'INT' })
  expect(wide).toMatchObject({ datatype: 'INT' })
  expect(await dataOf('PATCH /_/items/widths/1?fields=tiny', { tiny: 2_147_483_647 })).toEqual({ tiny: 2_147_483_647 })
  const field = { type: 'float', schema: { data_type: 'real' } }
  expect(await dataOf('PATCH /fields/widths/exact', field)).toMatchObject({
    schema: { data_type: dataTypeOf('real') },
  })
  const double = { field: 'double', type: 'float', schema: { data_type: 'double precision' } }
  expect(await dataOf('POST /fields/widths', double)).toMatchObject({
    schema: { data_type: dataTypeOf('double precision') },
  })
  expect(await dataOf('PATCH /_/fields/widths/letter', { datatype: 'VARCHAR', length: 9 })).toMatchObject({
    length: '9',
  })
  expect(await ask('PATCH /_/fields/widths/letter', { datatype: 'NOTHING' })).toEqual([400, 401])
})

test('a changed type without a datatype leaves the column that suits it', async () => {
  const word = { field: 'word', type: 'string', datatype: 'VARCHAR', length: 40 }
  const number = { field: 'number', type: 'integer', datatype: 'INT' }
  await dataOf('POST /_/collections', { collection: 'retyped', fields: [key, word, number] })
  const retype = (field: string, type: string) => dataOf(`PATCH /_/fields/retyped/${field}`, { type })
  expect(await retype('word', 'slug')).toMatchObject({ type: 'slug', datatype: 'VARCHAR', length: '40' })
  expect(await retype('word', 'status')).toMatchObject({ type: 'status', datatype: 'VARCHAR', length: '40' })
  expect(await retype('number', 'sort')).toMatchObject({ type: 'sort', datatype: 'INT' })
  expect(await retype('number', 'm2o')).toMatchObject({ type: 'm2o', datatype: 'INT' })
  // A number cannot stand in a text, so the column needs a datatype, too.
  expect(await ask('PATCH /_/fields/retyped/word', { type: 'integer' })).toEqual([422, 12])
  expect(await ask('PATCH /_/fields/retyped/number', { type: 'slug' })).toEqual([422, 12])
  // Without a column a field stays so.
  await dataOf('POST /_/fields/retyped', { field: 'line', type: 'alias', interface: 'divider' })
  expect(await retype('line', 'group')).toMatchObject({ type: 'group', datatype: null })
})

test('names of fields may have spaces and hyphens, and both generations read, write, filter and sort by them', async () => {
  const words = { type: 'string', datatype: 'VARCHAR', length: 100 }
  const fields = [key, { ...words, field: 'e-mail address', required: true, validation: '$email' }]
  await dataOf('POST /_/collections', { collection: 'guests', fields })
  expect(await dataOf('POST /_/fields/guests', { ...words, field: 'first name', unique: true })).toMatchObject({
    field: 'first name',
    unique: true,
  })
  expect(await dataOf('PATCH /_/fields/guests/first%20name', { length: 50 })).toMatchObject({ length: '50' })
  expect(await dataOf('POST /fields/guests', { field: 'is-vip', type: 'boolean' })).toMatchObject({ field: 'is-vip' })
  const [ann, bo] = [
    { 'e-mail address': 'ann@x.org', 'first name': 'Ann' },
    { 'e-mail address': 'bo@x.org', 'first name': 'Bo' },
  ]
  expect(await dataOf('POST /_/items/guests', ann)).toEqual({ id: 1, ...ann, 'is-vip': false })
  expect(await dataOf('POST /items/guests', { ...bo, 'is-vip': true })).toEqual({ id: 2, ...bo, 'is-vip': true })
  expect(await ask('POST /_/items/guests', { 'e-mail address': 'x' })).toEqual([400, 4])
  const named = 'fields=e-mail%20address,first%20name'
  expect(await dataOf(`GET /_/items/guests?${named}&sort=-e-mail%20address`)).toEqual([bo, ann])
  expect(await dataOf(`GET /items/guests?${named}&sort=-first%20name`)).toEqual([bo, ann])
  expect(await dataOf(`GET /_/items/guests?${named}&filter[e-mail%20address][contains]=ANN`)).toEqual([ann])
  expect(await dataOf(`GET /items/guests?${named}&filter[e-mail%20address][_starts_with]=bo`)).toEqual([bo])
  expect(await dataOf('PATCH /_/items/guests/1?fields=is-vip', { 'is-vip': true })).toEqual({ 'is-vip': true })
  expect(await dataOf('POST /_/gql', { query: '{ guests { data { id } } }' })).toEqual({
    guests: { data: [{ id: 1 }, { id: 2 }] },
  })
  expect(await ask('POST /_/fields/guests', { ...words, field: 'ends ' })).toEqual([400, 4])
  expect((await ask('DELETE /_/fields/guests/first%20name'))[0]).toBe(204)
  expect(Object.keys(await dataOf('GET /items/guests/1'))).toEqual(['id', 'e-mail address', 'is-vip'])
})

test('only statuses with required_fields ask for them, in both generations', async () => {
  const status_mapping = {
    published: { name: 'Published', published: true, required_fields: true },
    draft: { name: 'Draft', required_fields: false },
  }
  const status = { field: 'status', type: 'status', datatype: 'VARCHAR', length: 20, default_value: 'draft' }
  const title = { field: 'title', type: 'string', datatype: 'VARCHAR', length: 120, required: true }
  const count = { field: 'count', type: 'integer', datatype: 'INT', required: true }
  const fields = [key, title, { ...status, options: { status_mapping } }]
  await dataOf('POST /_/collections', { collection: 'columns', fields })
  await dataOf('POST /_/fields/columns', count)

  expect(await dataOf('POST /_/items/columns?fields=id,title,count', {})).toEqual({ id: 1, title: null, count: null })
  expect(await ask('POST /_/items/columns', { status: 'published', title: 'One' })).toEqual([400, 4])
  expect(await ask('POST /_/items/columns', { status: 'published', title: '', count: 1 })).toEqual([400, 4])
  expect(await ask('PATCH /_/items/columns/1', { status: 'published' })).toEqual([400, 4])
  expect((await ask('POST /items/columns', { status: 'published', count: 1 }))[0]).toBe(400)
  expect((await ask('PATCH /items/columns/1', { status: 'published' }))[0]).toBe(400)
  expect(await dataOf('GET /_/items/columns?fields=id,status')).toEqual([{ id: 1, status: 'draft' }])

  const whole = { status: 'published', title: 'One', count: 0 }
  expect(await dataOf('PATCH /_/items/columns/1?fields=status,title,count', whole)).toEqual(whole)
  expect(await ask('PATCH /_/items/columns/1', { title: null })).toEqual([400, 4])
  expect(await dataOf('PATCH /items/columns/1?fields=status,title', { status: 'draft', title: null })).toEqual({
    status: 'draft',
    title: null,
  })
})

test('a status field that comes later opens the columns of required fields', async () => {
  const title = { field: 'title', type: 'string', datatype: 'VARCHAR', length: 120, required: true }
  await dataOf('POST /_/collections', { collection: 'letters', fields: [key, title] })
  expect((await ask('POST /_/items/letters', {}))[0]).toBe(400)
  const status_mapping = { sent: { name: 'Sent', required_fields: true }, draft: { name: 'Draft' } }
  const status = { field: 'status', type: 'status', datatype: 'VARCHAR', length: 20, options: { status_mapping } }
  await dataOf('POST /_/fields/letters', status)
  expect(await dataOf('POST /_/items/letters?fields=title', { status: 'draft' })).toEqual({ title: null })
  expect(await ask('POST /_/items/letters', { status: 'sent' })).toEqual([400, 4])
})

test('statuses choose items, and are counted, where none of them means deletion', async () => {
  const mapping = { 1: { name: 'Published' }, 2: { name: 'Draft', soft_delete: false } }
  const status = { field: 'state', type: 'status', datatype: 'INT', options: { status_mapping: mapping } }
  await dataOf('POST /_/collections', { collection: 'kept', fields: [key, status] })
  await dataOf('POST /_/items/kept', [{ state: 1 }, { state: 2 }, { state: 2 }, { state: 7 }])
  const states = (query: string) => dataOf(`GET /_/items/kept?fields=state&sort=id${query}`)
  const all = [{ state: 1 }, { state: 2 }, { state: 2 }, { state: 7 }]
  expect(await states('')).toEqual(all)
  expect(await states('&status=*')).toEqual(all)
  expect(await states('&status=2')).toEqual([{ state: 2 }, { state: 2 }])
  expect(await states('&status=1,7')).toEqual([{ state: 1 }, { state: 7 }])
  expect(await states('&status=2&filter[state][gt]=1&filter[id][gt]=0&filter[id][logical]=or')).toHaveLength(2)
  const { body } = await send(world.url, 'GET /_/items/kept?fields=id&limit=1&meta=status_count&status=1', {
    token: world.tokens.admin,
  })
  expect(body).toMatchObject({ meta: { status_count: { 1: 1, 2: 2, 7: 1 } }, data: [expect.any(Object)] })
  const hook = { url: 'https://example.com/hook', collection: 'kept', directus_action: 'item.create:after' }
  await dataOf('POST /_/webhooks', { ...hook, status: 'inactive' })
  expect(await dataOf('GET /_/webhooks?fields=status&status=active&filter[collection]=kept')).toEqual([])
  expect(await dataOf('GET /_/webhooks?fields=status&status=inactive&filter[collection]=kept')).toHaveLength(1)
})

test('dates that the platform sets tell their zone in both generations, and other dates are as they were given', async () => {
  const fields = [
    key,
    { field: 'made', type: 'datetime_created', datatype: 'DATETIME' },
    { field: 'changed', type: 'datetime_updated', datatype: 'DATETIME' },
    { field: 'planned', type: 'datetime', datatype: 'DATETIME' },
  ]
  await dataOf('POST /_/collections', { collection: 'cars', fields })
  await dataOf('POST /_/items/cars', { planned: '2026-01-02 03:04:05' })
  const [car] = (await dataOf('GET /_/items/cars?fields=made,changed,planned&sort=id')) as readonly {
    readonly [field: string]: string
  }[]
  const zoned = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  expect(car).toEqual({ made: zoned, changed: zoned, planned: '2026-01-02 03:04:05' })
  const made = car?.['made'] ?? ''
  expect(await dataOf('GET /items/cars/1?fields=made')).toEqual({ made: expect.stringContaining(made.slice(0, 19)) })
  expect(Date.now() - Date.parse(made)).toBeLessThan(600_000)
})

test('a negative offset skips no item', async () => {
  const fields = [key, { field: 'name', type: 'string', datatype: 'VARCHAR', length: 20 }]
  await dataOf('POST /_/collections', { collection: 'stairs', fields })
  await dataOf('POST /_/items/stairs', [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  const names = 'GET /_/items/stairs?fields=name&sort=id'
  expect(await dataOf(`${names}&limit=2&offset=-2`)).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(await dataOf(`${names}&limit=2&offset=1`)).toEqual([{ name: 'b' }, { name: 'c' }])
})
