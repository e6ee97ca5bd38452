import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { codecs } from './postgres-codecs.ts'

const database = await createTestDatabase()
afterAll(() => database.close())

const instants = [
  ['2020-01-01T10:00:00Z', '2020-01-01T10:00:00.000Z'],
  ['2020-01-01T10:00:00.123Z', '2020-01-01T10:00:00.123Z'],
  ['2020-01-01T10:00:00.123456Z', '2020-01-01T10:00:00.123456Z'],
  ['2020-01-01T10:00:00.9996Z', '2020-01-01T10:00:00.999600Z'],
  ['12020-01-01T10:00:00.5Z', '12020-01-01T10:00:00.500Z'],
  ['294276-12-31 23:59:59.999999Z', '294276-12-31T23:59:59.999999Z'],
  ['0001-01-01Z', '0001-01-01T00:00:00.000Z'],
  ['0001-12-31 23:59:59.999999Z BC', '0001-12-31T23:59:59.999999Z BC'],
  ['0044-03-15 12:00Z BC', '0044-03-15T12:00:00.000Z BC'],
  ['infinity', 'infinity'],
  ['-infinity', '-infinity'],
] as const

test.each(['timestamp with time zone', 'timestamp without time zone'])('instants of %s', async (dataType) => {
  const moment = dataType.includes('without') ? `(v::timestamptz at time zone 'UTC')` : 'v::timestamptz'
  const { sql } = codecs({ kind: 'iso-instant' }, 'c', { type: 'timestamp', dataType })
  const text = `select ${sql} as shown from (select ${moment} as c, n from unnest($1::text[]) with ordinality u (v, n)) m order by n`
  const { rows } = await database.db.transaction(async (session) => {
    // What the zone of the session is makes no difference.
    await session.run({ text: `set local timezone = 'America/New_York'`, values: [] })
    return session.run({ text, values: [instants.map(([given]) => given)] })
  })
  expect(rows).toEqual(instants.map(([, shown]) => ({ shown })))
})
