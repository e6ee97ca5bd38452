/** A database that the program did not make: all of it is read and written in both generations, as SQL does it. */
import { afterAll, describe, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'
import type { Reply, RequestOptions } from './send.ts'
import { videoShop, type Written, writtenRows } from './video-shop.ts'
import { questions } from './video-shop-questions.ts'

const own = await openOwnDatabase(videoShop)
afterAll(() => own.close())

const dataOf = ({ status, body }: Reply): unknown => {
  expect({ status, body }).toMatchObject({ status: 200 })
  return (body as { readonly data: unknown }).data
}
const ask = async (request: string, options?: RequestOptions): Promise<unknown> =>
  dataOf(await own.ask(request, options))

const relations = `select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
  where nspname in ('public', 'archive') and relkind in ('r', 'p', 'v', 'm') and relname not like 'platform%' order by 1`

describe.each([
  ['current', '/items'],
  ['legacy', '/_/items'],
] as const)('the %s generation', (generation, items) => {
  test('reads every table and view', async () => {
    const names = (await own.rows(relations)).map(({ name }) => String(name))
    expect(names).toHaveLength(20)
    for (const name of names) {
      const [{ rows, columns } = {}] = await own.rows(
        `select count(*)::integer as rows, (select count(*)::integer from pg_attribute where attrelid = '${name}'::regclass
           and attnum > 0 and not attisdropped) as columns from ${name}`,
      )
      const read = (await ask(`GET ${items}/${name}?limit=-1`)) as readonly object[]
      expect([name, read.length]).toEqual([name, rows])
      expect([name, Object.keys(read[0] ?? {}).length]).toEqual([name, columns])
    }
  })

  test.each(questions.filter((question) => question[generation] !== undefined))('answers as SQL: $sql', async (one) => {
    const [{ answer } = {}] = await own.rows(`select coalesce(json_agg(q), '[]') as answer from (${one.sql}) q`)
    expect((answer as readonly unknown[]).length).toBeGreaterThan(0)
    expect(await ask(`GET ${items}/${one[generation]?.replaceAll(' ', '%20')}`)).toEqual(answer)
  })

  test.each(writtenRows.map((each) => [each.collection, each] as const))('writes an item of %s', async (_name, row) => {
    await writeOne(items, row)
  })

  test('writes no view that the database does not write', async () => {
    for (const view of ['movie_list', 'takings_by_genre']) {
      const { status } = await own.ask(`POST ${items}/${view}`, { body: { title: 'a' } })
      expect(status).toBe(422)
    }
  })

  test('adds a row to a table without a key, and changes none', async () => {
    expect((await own.ask(`POST ${items}/visit_log`, { body: { door: 'west' } })).status).toBe(204)
    expect(await own.rows(`delete from visit_log where door = 'west' returning at, door`)).toEqual([
      { at: null, door: 'west' },
    ])
    expect((await own.ask(`PATCH ${items}/visit_log/1`, { body: { door: 'x' } })).status).toBeGreaterThanOrEqual(400)
  })

  test('reports what the database refuses', async () => {
    const early = await own.ask(`POST ${items}/movie`, { body: { title: 'x', tongue_id: 1, made: 1800 } })
    expect(early.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(early.body)).toContain('made')
    const grade = await own.ask(`POST ${items}/movie`, { body: { title: 'x', tongue_id: 1, grade: 'ten' } })
    expect(grade.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(grade.body)).toContain('grade')
    const outside = await own.ask(`POST ${items}/fee`, { body: { customer_id: 1, paid_at: '2031-01-01T00:00:00' } })
    expect(outside.status).toBeGreaterThanOrEqual(400)
    expect(outside.status).toBeLessThan(500)
  })
})

/** Creates, reads, updates and deletes an item, and looks at the row after each step. */
async function writeOne(items: string, row: Written): Promise<void> {
  const { collection, create, update, where } = row
  const stored = () => own.rows(`select *, ${row.key} as "own key" from ${collection} where ${where}`)
  await ask(`POST ${items}/${collection}`, { body: create })
  const [made, ...others] = await stored()
  expect(others).toEqual([])
  const path = `${items}/${collection}/${encodeURIComponent(String(made?.['own key']))}`
  const read = await ask(`GET ${path}`)
  expect(read).toMatchObject(asShown(create, read))
  expect(await ask(`PATCH ${path}`, { body: update })).toMatchObject(asShown(update, read))
  expect(await stored()).not.toEqual([made])
  expect((await own.ask(`DELETE ${path}`)).status).toBe(204)
  expect(await stored()).toEqual([])
}

/** Values that are shown as they are written: all but those that the database writes in its own way. */
function asShown(values: Written['create'], read: unknown): object {
  const shown = Object.entries(values).filter(
    ([name]) => !/_at$|^last_update$|^name$|^rate$|^amount$|^cost$/.test(name),
  )
  return Object.fromEntries(shown.filter(([name]) => name in (read as object)))
}
