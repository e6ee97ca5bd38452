import { afterAll, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { runQuery } from '../run/read.ts'
import { goldenNames, readGolden } from '../testing/golden.ts'
import { createTestDatabase, schemaText, worldSchema } from '../testing/test-database.ts'
import { noon, someUser } from '../testing/test-query.ts'
import { perVendor } from '../testing/test-vendors.ts'
import { worldSql } from '../testing/test-world.ts'

const database = await createTestDatabase({ sql: worldSql })
const schema = await database.loadSchema()
afterAll(() => database.close())

/** MariaDB writes averages with 16 digits after the point, Postgres that of zeros with 20. */
const withAverages = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/"(0\.0{16})0{4}"/g, '"$1"'))

test.each(goldenNames)('the golden query %s gives its answer', async (name) => {
  const { query, view, answer, counts } = readGolden(name)
  const result = await runQuery({ db: database.db, schema, view, actor: someUser, clock: noon }, query)
  expect(JSON.parse(jsonOf(result))).toEqual(perVendor({ postgres: answer, mariadb: withAverages(answer) }))
  expect(result.rowCount).toBe(answer.length)
  expect(result.counts).toEqual(counts)
})

test('the kept schema is that of the database', async () => {
  expect(schemaText(await worldSchema())).toBe(schemaText(schema))
})
