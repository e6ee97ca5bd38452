import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Field } from '../../domain/schema/schema.ts'
import { dataTypeOf, perVendor, testOnPostgres } from '../../sql/testing/test-vendors.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, failuresOf, userWith } from '../testing/test-context.ts'
import { openTestModel, tableOf } from '../testing/test-model.ts'
import { updateFields } from './change-fields.ts'
import { createCollections } from './collections.ts'
import { createFields, deleteFields } from './fields.ts'

let count = 0
let name = ''

const model = await openTestModel()
afterAll(() => model.close())
beforeEach(async () => {
  name = `things_${(count += 1)}`
  await model.change((inner) => createCollections(inner, [tableOf(name)]))
})

const fieldNamed = (field: string): Field | undefined => model.ctx().schema.collections.get(name)?.fields.get(field)

const values: readonly (readonly [type: string, value: unknown, dataType: string, read?: string])[] = [
  ['string', 'a text', 'character varying'],
  ['text', 'a\nlong text', 'text'],
  ['boolean', true, 'boolean'],
  ['integer', 2_147_483_647, 'integer'],
  ['bigInteger', '9007199254740993', 'bigint'],
  ['float', 0.5, 'real'],
  ['decimal', '12345.67891', 'numeric'],
  ['dateTime', '2026-01-31T10:00:00', 'timestamp without time zone'],
  ['timestamp', '2026-01-31T10:00:00.000Z', 'timestamp with time zone'],
  ['date', '2026-01-31', 'date'],
  ['time', '10:00:00', 'time without time zone'],
  ['json', { a: [1, null] }, 'json'],
  ['csv', ['a', 'b'], 'text'],
  ['uuid', '11111111-1111-4111-8111-111111111111', 'uuid'],
  ['hash', 'a secret', 'character varying', '**********'],
  ['binary', 'AAEC', 'bytea'],
]

test.for(values)('a field of type %s holds its values', async ([type, value, dataType, read]) => {
  await model.change((inner) => createFields(inner, name, [{ name: 'value', type }]))
  expect(fieldNamed('value')).toMatchObject({
    type,
    column: { dataType: dataTypeOf(dataType), nullable: true },
  })
  expect(await model.roundTrip(name, { value })).toMatchObject({ value: read ?? value })
})

testOnPostgres('MariaDB has no extension that it could lack')('a geometry needs a database that knows it', async () => {
  const work = model.change((inner) => createFields(inner, name, [{ name: 'place', type: 'geometry.Point' }]))
  const reason = '"place": Geometry fields need the PostGIS extension of the database'
  expect(await failuresOf(work)).toEqual([{ kind: 'invalid-payload', name: 'place', reason }])
  const made = model.change((inner) =>
    createCollections(inner, [tableOf('places', [{ name: 'at', type: 'geometry' }])]),
  )
  expect(await failuresOf(made)).toMatchObject([{ kind: 'invalid-payload', name: 'places' }])
  await model.change((inner) => createFields(inner, name, [{ name: 'number', type: 'integer' }]))
  const changed = model.change((inner) => updateFields(inner, name, [{ name: 'number', type: 'geometry' }]))
  expect(await failuresOf(changed)).toMatchObject([{ kind: 'invalid-payload', name: 'number' }])
})

const defaults: readonly (readonly [type: string, value: unknown, read: unknown])[] = [
  ['string', "it's", "it's"],
  ['string', String.raw`\'; --`, String.raw`\'; --`],
  ['integer', 7, 7],
  ['bigInteger', '-8', '-8'],
  ['decimal', '1.5', '1.50000'],
  ['boolean', false, false],
  ['json', { a: 1 }, { a: 1 }],
  ['csv', ['a', 'b'], ['a', 'b']],
  ['date', '2026-01-31', '2026-01-31'],
  ['timestamp', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  ['uuid', '11111111-1111-4111-8111-111111111111', '11111111-1111-4111-8111-111111111111'],
]

test.each(defaults)('the default of a %s is what new items get', async (type, defaultValue, read) => {
  await model.change((inner) => createFields(inner, name, [{ name: 'value', type, column: { defaultValue } }]))
  expect(await model.roundTrip(name, {})).toMatchObject({ value: read })
})

test('the time of the change and a random uuid are defaults that the database makes', async () => {
  const drafts = [
    { name: 'at', type: 'timestamp', column: { defaultValue: 'CURRENT_TIMESTAMP' } },
    { name: 'day', type: 'date', column: { defaultValue: 'now()' } },
    { name: 'code', type: 'uuid', column: { defaultValue: 'gen_random_uuid()' } },
    { name: 'word', type: 'string', column: { defaultValue: 'now()' } },
  ]
  await model.change((inner) => createFields(inner, name, drafts))
  expect(fieldNamed('at')?.column).toMatchObject({
    defaultValue: null,
    defaultExpression: perVendor({ postgres: 'CURRENT_TIMESTAMP', mariadb: 'now()' }),
  })
  expect(fieldNamed('code')?.column).toMatchObject({ defaultValue: null, defaultExpression: 'gen_random_uuid()' })
  expect(fieldNamed('word')?.column).toMatchObject({ defaultValue: 'now()', defaultExpression: null })
  for (const word of ['one', 'two']) await model.roundTrip(name, { word })
  const column = { defaultValue: 'gen_random_uuid()', nullable: false }
  await model.change((inner) => createFields(inner, name, [{ name: 'other', type: 'uuid', column }]))
  const rows = await model.rowsOf(`select distinct other from ${name} where other is not null`)
  expect(rows).toHaveLength(2)
})

test('sizes, uniqueness, index and comment are those of the draft', async () => {
  const drafts = [
    { name: 'short', type: 'string', column: { length: 5, nullable: false, unique: true, comment: "It's short" } },
    { name: 'exact', type: 'decimal', column: { precision: 8, scale: 3, indexed: true } },
  ]
  await model.change((inner) => createFields(inner, name, drafts))
  const comment = "It's short"
  expect(fieldNamed('short')?.column).toMatchObject({ maxLength: 5, nullable: false, unique: true, comment })
  expect(fieldNamed('exact')?.column).toMatchObject({ precision: 8, scale: 3, indexed: true, unique: false })
})

test('a column changes as it is told and keeps its values', async () => {
  const column = { defaultValue: '1', comment: 'Number as text' }
  await model.change((inner) => createFields(inner, name, [{ name: 'amount', type: 'string', column }]))
  await model.roundTrip(name, { amount: '42' })
  const change = { indexed: true, unique: true, nullable: false, defaultValue: 5, comment: null }
  await model.change((inner) => updateFields(inner, name, [{ name: 'amount', type: 'integer', column: change }]))
  const changed = { nullable: false, unique: true, indexed: true, defaultValue: 5, comment: null }
  expect(fieldNamed('amount')).toMatchObject({ type: 'integer', column: changed })
  expect(await model.rowsOf(`select amount from ${name}`)).toEqual([{ amount: 42 }])
  const back = { indexed: false, unique: false, nullable: true, defaultValue: null }
  await model.change((inner) => updateFields(inner, name, [{ name: 'amount', column: back }]))
  const unset = { nullable: true, unique: false, indexed: false, defaultValue: null, hasDefault: false }
  expect(fieldNamed('amount')?.column).toMatchObject(unset)
})

test('a type that the database cannot make of another is refused, with the field and both types', async () => {
  await model.change((inner) =>
    createFields(inner, name, [
      { name: 'done', type: 'boolean' },
      { name: 'word', type: 'string' },
    ]),
  )
  await model.roundTrip(name, { done: true, word: 'one' })
  const retype = (drafts: Parameters<typeof updateFields>[2]) =>
    failuresOf(model.change((inner) => updateFields(inner, name, drafts)))
  const noWay = perVendor({
    postgres: `The database has no conversion from "boolean" to "timestamp", which "${name}.done" should become`,
    // There every value is tried.
    mariadb: `The values or the default of "${name}.done" cannot be converted from "boolean" to "timestamp"`,
  })
  const unfit = `The values or the default of "${name}.word" cannot be converted from "string" to "integer"`
  expect(await retype([{ name: 'done', type: 'timestamp' }])).toEqual([
    { kind: 'invalid-payload', name: 'type', reason: noWay },
  ])
  expect(
    await retype([
      { name: 'done', column: { comment: 'x' } },
      { name: 'word', type: 'integer' },
    ]),
  ).toEqual([{ kind: 'invalid-payload', name: 'type', reason: unfit }])
  expect(
    await retype([
      { name: 'word', type: 'text' },
      { name: 'done', type: 'timestamp' },
    ]),
  ).toMatchObject([{ reason: noWay }])
  expect(fieldNamed('word')).toMatchObject({ type: 'string', column: { comment: null } })
})

test('many fields of a table are changed by one statement', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`)
  await model.change((inner) =>
    createFields(
      inner,
      name,
      names.map((field) => ({ name: field, type: 'integer' })),
    ),
  )
  const texts: string[] = []
  await model.change((inner) => {
    const run: typeof inner.db.run = (statement) => {
      texts.push(statement.text)
      return inner.db.run(statement)
    }
    const db: typeof inner.db = {
      ...inner.db,
      run,
      transaction: (work) => inner.db.transaction((within) => work({ ...within, run })),
    }
    const change = { type: 'string', column: { nullable: false, defaultValue: 'x', length: 9 }, meta: { note: 'n' } }
    return updateFields(
      { ...inner, db },
      name,
      names.map((field) => ({ name: field, ...change })),
    )
  })
  expect(texts.filter((text) => text.startsWith('alter table')).length).toBe(1)
  expect(texts.filter((text) => text.includes('platform_fields')).length).toBe(2)
  for (const field of names) {
    expect(fieldNamed(field)).toMatchObject({
      type: 'string',
      column: { nullable: false, defaultValue: 'x', maxLength: 9 },
      meta: { note: 'n' },
    })
  }
})

test('a type brings its flag and takes it away', async () => {
  await model.change((inner) => createFields(inner, name, [{ name: 'words', type: 'csv' }]))
  await model.change((inner) => updateFields(inner, name, [{ name: 'words', meta: { note: 'Some words' } }]))
  expect(fieldNamed('words')).toMatchObject({ type: 'csv', meta: { special: 'cast-csv', note: 'Some words' } })
  await model.change((inner) => updateFields(inner, name, [{ name: 'words', type: 'text' }]))
  expect(fieldNamed('words')).toMatchObject({ type: 'text', meta: { special: null, note: 'Some words' } })
})

const refusals: readonly (readonly [what: string, draft: object, part: string])[] = [
  ['a type that nobody knows', { name: 'a', type: 'varchar(1); drop table b' }, 'type'],
  ['no type', { name: 'a' }, 'type'],
  ['a default of another type', { name: 'a', type: 'integer', column: { defaultValue: 'many' } }, 'a'],
  ['an expression as a default', { name: 'a', type: 'integer', column: { defaultValue: 'random()' } }, 'a'],
  ['a default that is too long', { name: 'a', type: 'string', column: { length: 1, defaultValue: 'ab' } }, 'a'],
  ['a length that no text has', { name: 'a', type: 'string', column: { length: 0 } }, 'max_length'],
  [
    'digits that no number has',
    { name: 'a', type: 'decimal', column: { precision: 5, scale: 9 } },
    'numeric_precision',
  ],
  ['a second primary key', { name: 'a', type: 'integer', column: { primaryKey: true } }, 'is_primary_key'],
  ['a text that counts up', { name: 'a', type: 'string', column: { autoIncrement: true } }, 'has_auto_increment'],
  ['a column for an alias', { name: 'a', type: 'alias', column: { unique: true } }, 'schema'],
  ['flags of an alias on a column', { name: 'a', type: 'string', meta: { special: ['o2m'] } }, 'special'],
  ['a comment that ends a statement', { name: 'a', type: 'string', column: { comment: "a'\0b" } }, 'comment'],
  ['half a character', { name: 'a', type: 'string', column: { comment: '\uD800' } }, 'comment'],
  ['a default that ends a statement', { name: 'a', type: 'string', column: { defaultValue: "a'\0b" } }, 'a'],
  ['a name that exists', { name: 'id', type: 'integer' }, 'field'],
  ['a hostile name', { name: '__proto__', type: 'integer' }, 'field'],
  ['a name of SQL', { name: 'a"; drop table b; --', type: 'integer' }, 'field'],
]

test.each(refusals)('%s is refused by name', async (_what, draft, part) => {
  const work = model.change((inner) => createFields(inner, name, [draft as { name: string }]))
  const [failure] = await failuresOf(work)
  expect([Reflect.get(failure ?? {}, 'name') ?? Reflect.get(failure ?? {}, 'field')]).toEqual([part])
  expect([...(model.ctx().schema.collections.get(name)?.fields.keys() ?? [])]).toEqual(['id'])
})

test('a default that does not fit is no value of a collection', async () => {
  const drafts = [{ name: 'a', type: 'string', column: { length: 1, defaultValue: 'ab' } }]
  const failures = await failuresOf(model.change((inner) => createFields(inner, name, drafts)))
  expect(failures).toEqual([{ kind: 'value-too-long', collection: null, field: 'a' }])
})

testOnPostgres('on MariaDB, changes of tables are no part of a transaction')(
  'of several fields all are created or none',
  async () => {
    const drafts = [
      { name: 'first', type: 'string' },
      { name: 'second', type: 'json', column: { unique: true } },
    ]
    expect(await failuresOf(model.change((inner) => createFields(inner, name, drafts)))).toMatchObject([
      { kind: 'invalid-payload', name: 'second' },
    ])
    expect(await model.rowsOf(`select * from platform_fields where collection = '${name}' and field <> 'id'`)).toEqual(
      [],
    )
    expect([...((await model.ctx().schemas.load(model.ctx().db)).collections.get(name)?.fields.keys() ?? [])]).toEqual([
      'id',
    ])
  },
)

test('values in the way are told and stay', async () => {
  const draft = { name: 'word', type: 'string', column: { length: 10 } }
  await model.change((inner) => createFields(inner, name, [draft]))
  const write = (word: string | null) =>
    writeItems(model.ctx(), { kind: 'create', collection: name, items: [changesOf({ word })] })
  await write('same word')
  await write('same word')
  await write(null)
  const attempts: readonly (readonly [object, object])[] = [
    [{ column: { nullable: false } }, { kind: 'contains-null-values', collection: name, field: 'word' }],
    [{ column: { unique: true } }, { kind: 'not-unique', collection: name, field: 'word' }],
    [{ column: { length: 4 } }, { kind: 'value-too-long', collection: name, field: 'word' }],
    [{ type: 'integer' }, { kind: 'invalid-payload', name: 'type' }],
    [{ type: 'alias' }, { kind: 'invalid-payload', name: 'type' }],
  ]
  for (const [change, failure] of attempts) {
    const work = model.change((inner) => updateFields(inner, name, [{ name: 'word', ...change }]))
    expect(await failuresOf(work)).toMatchObject([failure])
  }
  expect(fieldNamed('word')?.column).toMatchObject({ nullable: true, unique: false, maxLength: 10 })
  expect(await model.rowsOf(`select word from ${name} where word is not null`)).toEqual([
    { word: 'same word' },
    { word: 'same word' },
  ])
})

test('a primary key keeps its place', async () => {
  for (const column of [{ primaryKey: false }, { autoIncrement: false }, { nullable: true }]) {
    const work = model.change((inner) => updateFields(inner, name, [{ name: 'id', column }]))
    expect(await failuresOf(work)).toMatchObject([{ kind: 'invalid-payload' }])
  }
  expect(await failuresOf(model.change((inner) => deleteFields(inner, name, ['id'])))).toMatchObject([
    { kind: 'invalid-payload', name: 'field' },
  ])
  await model.change((inner) => updateFields(inner, name, [{ name: 'id', type: 'bigInteger' }]))
  expect(await model.roundTrip(name, {})).toEqual({ id: '1' })
})

test('a field goes with its grants and with what named it', async () => {
  const drafts = [
    { name: 'title', type: 'string' },
    { name: 'place', type: 'integer' },
    { name: 'inside', type: 'string', meta: { group: 'place' } },
  ]
  await model.change((inner) => createFields(inner, name, drafts))
  await model.rowsOf(`
    update platform_collections set sort_field = 'place', archive_field = 'place' where collection = '${name}';
    ${[
      `'read', 'title,place,id', null`,
      `'create', 'place', null`,
      `'update', '*', '{"place":1,"title":"a"}'`,
      `'delete', null, null`,
    ]
      .map(
        (values) => `insert into platform_permissions (policy, collection, action, fields, presets)
          select id, '${name}', ${values} from platform_policies where name = 'Public'`,
      )
      .join(';')}`)
  await model.change((inner) => deleteFields(inner, name, ['place']))
  const of = `where collection = '${name}'`
  expect(await model.rowsOf(`select action, fields, presets from platform_permissions ${of} order by id`)).toEqual([
    { action: 'read', fields: 'title,id', presets: null },
    { action: 'update', fields: '*', presets: { title: 'a' } },
    { action: 'delete', fields: null, presets: null },
  ])
  expect(await model.rowsOf(`select sort_field, archive_field from platform_collections ${of}`)).toEqual([
    { sort_field: null, archive_field: null },
  ])
  expect(await model.rowsOf(`select field, "group" from platform_fields ${of} and field = 'inside'`)).toEqual([
    { field: 'inside', group: null },
  ])
})

test('fields of the system stay; further ones come and go', async () => {
  const users = 'platform_users'
  const works: readonly Parameters<typeof model.change>[0][] = [
    (inner) => updateFields(inner, users, [{ name: 'email', meta: { note: 'mine' } }]),
    (inner) => updateFields(inner, users, [{ name: 'password', meta: { special: null } }]),
    (inner) => deleteFields(inner, users, ['token']),
  ]
  for (const work of works) {
    expect(await failuresOf(model.change(work))).toMatchObject([{ kind: 'field-not-found', collection: users }])
  }
  await model.change((inner) => createFields(inner, users, [{ name: 'nickname', type: 'string' }]))
  expect(model.ctx().schema.collections.get(users)?.fields.get('nickname')).toMatchObject({ type: 'string' })
  await model.change((inner) => deleteFields(inner, users, ['nickname']))
  expect(model.ctx().schema.collections.get(users)?.fields.has('nickname')).toBe(false)
})

test('only administrators change the model', async () => {
  const actor = userWith([{ collection: 'platform_fields', action: 'create' }])
  const work = model.change((inner) => createFields(inner, name, [{ name: 'a', type: 'string' }]), { actor })
  expect(await failuresOf(work)).toEqual([{ kind: 'forbidden' }])
})

const aged = (validation: object) => ({ name: 'age', type: 'integer', meta: { validation } })

const integer = (field: string) => ({ name: field, type: 'integer' })

test('several fields change in one go, each once', async () => {
  await model.change((inner) => createFields(inner, name, [integer('left'), integer('right')]))
  const order = ['right', 'left'].map((field, index) => ({ name: field, meta: { sort: index + 1 } }))
  await model.change((inner) => updateFields(inner, name, order))
  expect([fieldNamed('left')?.meta?.['sort'], fieldNamed('right')?.meta?.['sort']]).toEqual([2, 1])
  const twice = model.change((inner) => updateFields(inner, name, [...order, ...order]))
  expect(await failuresOf(twice)).toMatchObject([{ kind: 'invalid-payload', name: 'field' }])
})

test('the declared type of a field ends with its column type', async () => {
  await model.change((inner) => createFields(inner, name, [{ name: 'words', type: 'text' }]))
  await model.rowsOf(`insert into platform_fields (collection, field, type) values ('${name}', 'words', 'array')`)
  await model.change(() => Promise.resolve())
  expect(fieldNamed('words')?.type).toBe('csv')
  await model.change((inner) => updateFields(inner, name, [{ name: 'words', type: 'text' }]))
  expect(fieldNamed('words')).toMatchObject({ type: 'text', meta: { type: null } })
})

test('conditions that cannot be read are refused, others are met by what is written', async () => {
  for (const validation of [{ age: { _no_such: 1 } }, { nothing: { _eq: 1 } }]) {
    const work = model.change((inner) => createFields(inner, name, [aged(validation)]))
    expect(await failuresOf(work)).toMatchObject([{ kind: 'invalid-payload', name: 'validation' }])
  }
  await model.change((inner) => createFields(inner, name, [aged({ age: { _gte: 18 } })]))
  expect(await failuresOf(model.roundTrip(name, { age: 17 }))).toMatchObject([
    { kind: 'failed-validation', field: 'age' },
  ])
  expect(await model.roundTrip(name, { age: 18 })).toMatchObject({ age: 18 })
})

test('where the model and the rights are kept, nothing can be added', async () => {
  for (const table of ['platform_fields', 'platform_permissions', 'platform_sessions']) {
    const work = model.change((inner) => createFields(inner, table, [{ name: 'system', type: 'boolean' }]))
    expect(await failuresOf(work)).toEqual([{ kind: 'collection-not-found', collection: table }])
  }
})
