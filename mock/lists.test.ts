/** Columns that are lists of numbers. */
import { expect, test } from 'vitest'
import { createMock, type Snapshot } from './src/mock.ts'

const column = (field: string, type: string, data_type: string, more: object = {}) => ({
  collection: 'amounts',
  field,
  type,
  schema: { name: field, table: 'amounts', data_type, is_nullable: true, ...more },
  meta: null,
})

const schema = {
  version: 1,
  platform: '1',
  vendor: 'postgres',
  collections: [{ collection: 'amounts', schema: { name: 'amounts' }, meta: null }],
  fields: [
    column('id', 'integer', 'integer', { is_primary_key: true, is_nullable: false }),
    column('l', 'unknown', 'numeric[]'),
    column('w', 'unknown', 'bigint[]'),
    column('g', 'unknown', 'numeric[]'),
    column('t', 'unknown', 'text[]'),
  ],
  relations: [],
} as unknown as Snapshot

const long = '123456789123456789.12345'
const large = '9007199254740993'
const expected = [
  { id: 1, l: [long, '1.5'], w: [large, '1'], g: [[long], ['1.5']], t: ['1'] },
  { id: 2, l: [0.1, 12.5, null], w: [2, 1], g: [], t: null },
  { id: 3, l: null, w: null, g: null, t: null },
]

test('are text where one of the numbers is long, as on the server', async () => {
  const mock = createMock({ schema })
  const ask = async (path: string, body?: string) => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? { headers } : { headers, method: 'POST', body }
    return (await mock.fetch(new Request(`http://localhost:8055${path}`, init))).json()
  }
  const rows = `[{"id":1,"l":[${long},1.5],"w":[${large},1],"g":[[${long}],[1.5]],"t":["1"]},
    {"id":2,"l":[0.1,12.50,null],"w":["2",1],"g":[]},{"id":3}]`
  expect(await ask('/items/amounts', rows)).toEqual({ data: expected })
  expect(await ask('/_/items/amounts')).toEqual({ data: expected })
  const query = '{"query":"{ amounts(sort: [\\"id\\"]) { l w g } }"}'
  const graphql = expected.map(({ l, w, g }) => ({ l, w, g }))
  expect(await ask('/graphql', query)).toEqual({ data: { amounts: graphql } })
})
