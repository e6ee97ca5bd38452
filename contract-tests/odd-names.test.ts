/** Names that other people give to tables and columns. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

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

let own: OwnDatabase
beforeAll(async () => {
  own = await openOwnDatabase(sql)
})
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
