/**
 * Golden cases: `golden/<name>.json` holds a query and its result in the test world, `golden/<name>.sql` its statement.
 * After a deliberate change run `npx vitest run src/sql/compile/golden.test.ts -u`. The answers are in
 * `golden-answers.test.ts`.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Schema } from '../../domain/schema/schema.ts'
import { prepare } from '../run/prepare.ts'
import { goldenNames, readGolden, statementPath } from '../testing/golden.ts'
import { worldSchema } from '../testing/test-database.ts'
import { layOut, noon, someUser, viewOf } from '../testing/test-query.ts'

let schema: Schema

beforeAll(async () => {
  schema = await worldSchema()
})

describe('a golden query', () => {
  test.each(goldenNames)('%s compiles to its statement', async (name) => {
    const { query, view } = readGolden(name)
    const options = { schema, view, actor: someUser, clock: noon, dialect: 'postgres' }
    const { statement, values } = prepare(query, options)
    await expect(`${layOut(statement.text)}\n-- ${JSON.stringify(values)}\n`).toMatchFileSnapshot(statementPath(name))
  })
})

/**
 * Pages never overlap: limited results are sorted, and the last sort key is the primary key or, for groups, all their
 * keys.
 */
test.each(goldenNames)('%s has one order only', (name) => {
  const { query } = readGolden(name)
  const { statement } = prepare(query, { schema, view: viewOf({}), actor: someUser, clock: noon, dialect: 'postgres' })
  const keys = new Set([...schema.collections.values()].flatMap(({ keyColumns }) => keyColumns))
  const last = new RegExp(`(?:"(?:${[...keys].join('|')})"|\\bk\\d+)(?: desc)?(?: nulls (?:first|last))?$`)
  // A single related row and a single group need no order.
  const pages = statement.text.split(/ limit (?!1\b)\S+/).slice(0, -1)
  for (const page of pages.filter((each) => !/\) t\d+$/.test(each))) expect(page).toMatch(last)
})
