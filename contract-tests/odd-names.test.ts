/** Names that other people give to tables and columns. */
import { afterAll, describe, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const odd = [
  'a/b',
  'Two Words',
  'dot.ted',
  'quo"te',
  'per%cent',
  'plus+',
  'ümlaut',
  'back\\slash',
  'a;b',
  '?query#hash',
]
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const sql = `
${odd.map((name) => `create table ${quoted(name)} (id serial primary key, "first.name" text, "back\\slash" text, parent int references ${quoted(name)});`).join('\n')}
${odd.map((name) => `insert into ${quoted(name)} values (1, 'Ann', 'x', null), (2, 'Bo', 'y', 1);`).join('\n')}`

/** Fields whose names have characters that separate names, and how parameters have them. */
const fields: readonly (readonly [name: string, escaped: string])[] = [
  ['com,ma', String.raw`com\,ma`],
  ['co:lon', String.raw`co\:lon`],
  ['-minus', String.raw`\-minus`],
  ['-all,of.it:now', String.raw`\-all\,of\.it\:now`],
]
const fieldsSql = `
create table fields_of_all (id serial primary key, ${fields.map(([name]) => `${quoted(name)} text`).join(', ')},
  "up,per" int references fields_of_all);
insert into fields_of_all values (1, 'b', 'b', 'b', 'b', null), (2, 'a', 'a', 'a', 'a', 1), (3, 'a', 'a', 'a', 'a', 1)`
const own = await openOwnDatabase(`${sql};${fieldsSql}`)
afterAll(() => own.close())

const dataOf = async (request: string, body?: object): Promise<unknown> =>
  ((await own.ask(request, body === undefined ? {} : { body })).body as { readonly data: unknown }).data

test.each(odd.flatMap((name) => ['/items/', '/_/items/'].map((prefix) => [name, prefix] as const)))(
  'the rows of %j are reached by %s',
  async (name, prefix) => {
    const path = `${prefix}${encodeURIComponent(name)}`
    const named = encodeURIComponent(String.raw`first\.name`)
    expect(await dataOf(`GET ${path}?fields=${named}&sort=-${named}`)).toEqual([
      { 'first.name': 'Bo' },
      { 'first.name': 'Ann' },
    ])
    expect(await dataOf(`GET ${path}/2?fields=parent.${named}`)).toEqual({ parent: { 'first.name': 'Ann' } })
    expect(await dataOf(`GET ${path}/2?fields=${encodeURIComponent('back\\\\slash')}`)).toEqual({ 'back\\slash': 'y' })
    expect(await dataOf(`PATCH ${path}/2?fields=${named}`, { 'first.name': 'Bob' })).toEqual({ 'first.name': 'Bob' })
    await own.rows(`update ${quoted(name)} set "first.name" = 'Bo' where id = 2`)
  },
)

test('filters and aliases name such fields too', async () => {
  const path = `/items/${encodeURIComponent('dot.ted')}`
  const filter = encodeURIComponent(JSON.stringify({ parent: { 'first.name': { _eq: 'Ann' } } }))
  expect(await dataOf(`GET ${path}?fields=id&filter=${filter}`)).toEqual([{ id: 2 }])
  const alias = encodeURIComponent(JSON.stringify({ name: String.raw`first\.name` }))
  expect(await dataOf(`GET ${path}/1?fields=name&alias=${alias}`)).toEqual({ name: 'Ann' })
  const legacy = encodeURIComponent(String.raw`filter[parent.first\.name]`)
  expect(await dataOf(`GET /_/items/dot.ted?fields=id&${legacy}=Ann`)).toEqual([{ id: 2 }])
})

const filterOf = (filter: object): string => encodeURIComponent(JSON.stringify(filter))

test.each(fields)('filters name the field %j as it is, also below a relation', async (name) => {
  const path = '/items/fields_of_all?fields=id&filter='
  expect(await dataOf(`GET ${path}${filterOf({ [name]: { _eq: 'b' } })}`)).toEqual([{ id: 1 }])
  expect(await dataOf(`GET ${path}${filterOf({ 'up,per': { [name]: { _eq: 'b' } } })}`)).toEqual([{ id: 2 }, { id: 3 }])
})

describe.each(['/items', '/_/items'])('%s', (prefix) => {
  const path = `${prefix}/fields_of_all`
  const raw = encodeURIComponent

  test.each(fields)('the field %j is named in fields and sort', async (name, escaped) => {
    const [named, upper] = [raw(escaped), raw(String.raw`up\,per`)]
    const rows = ['b', 'a', 'a'].map((value, at) => ({ id: at + 1, [name]: value }))
    expect(await dataOf(`GET ${path}?fields=id,${named}&sort=-${named},id`)).toEqual(rows)
    expect(await dataOf(`GET ${path}?fields=${named}&sort=${named},-id&limit=1`)).toEqual([{ [name]: 'a' }])
    expect(await dataOf(`GET ${path}/2?fields=${upper}.${named}`)).toEqual({ 'up,per': { [name]: 'b' } })
    expect(await dataOf(`GET ${path}?fields=id&sort=${upper}.${named},id&limit=1`)).toEqual([{ id: 2 }])
  })
})

test.each(fields)('the field %j is written', async (name) => {
  for (const prefix of ['', '/_'])
    expect(await dataOf(`PATCH ${prefix}/items/fields_of_all/1`, { [name]: 'b' })).toMatchObject({ [name]: 'b' })
})

test('groups and aggregates name such fields too', async () => {
  for (const [name, escaped] of fields) {
    const named = encodeURIComponent(escaped)
    expect(await dataOf(`GET /items/fields_of_all?groupBy=${named}&aggregate[count]=${named}&sort=${named}`)).toEqual([
      { [name]: 'a', count: { [name]: '2' } },
      { [name]: 'b', count: { [name]: '1' } },
    ])
    expect(await dataOf(`GET /_/items/fields_of_all?fields=${named}&groups=${named}&sort=${named}`)).toEqual([
      { [name]: 'a' },
      { [name]: 'b' },
    ])
  }
})

test('a minus without a backslash leaves a field out in the legacy generation', async () => {
  expect(await dataOf('GET /_/items/fields_of_all/1?fields=*,-id,--minus')).toEqual({
    'com,ma': 'b',
    'co:lon': 'b',
    '-all,of.it:now': 'b',
    'up,per': null,
  })
})
