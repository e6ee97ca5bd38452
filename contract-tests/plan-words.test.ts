/** Words of a plan for tables that have no metadata yet. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const own = await openOwnDatabase('create table shelves (id serial primary key, name varchar(20))')
afterAll(() => own.close())

type Configuration = { collections: { shelves: { fields: { name: object } } } }

test('metadata that a field gets are listed, without what is usual in it', async () => {
  const { body } = await own.ask('GET /configuration')
  const configuration = structuredClone((body as { data: Configuration }).data)
  const { fields } = configuration.collections.shelves
  fields.name = { ...fields.name, display: { interface: 'input', required: true, note: null, hidden: false } }
  const planned = await own.ask('POST /configuration/plan', { body: { configuration } })
  expect(planned.body).toMatchObject({
    data: {
      changes: [
        {
          words: 'Change field "shelves.name": metadata: not set → {"interface":"input","required":true}',
          severity: 'breaking',
        },
      ],
    },
  })
})
