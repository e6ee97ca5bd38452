/** Rows of a folder, written by their natural keys. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createDatabase, run } from '../test-program.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))

const database = await createDatabase({ isMigrated: true })
expect(await run(database.settings, 'init', folder)).toMatchObject({ code: 0 })
expect(await run(database.settings, 'push', folder, '--yes')).toMatchObject({ code: 0 })

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.remove()
})

const seed = () => run(database.settings, 'seed', join(folder, 'seed'))

const stored = () =>
  database.onDatabase(async (db) => {
    const text = 'select slug, title, status, name from articles a left join authors p on p.id = a.author order by slug'
    return (await db.run({ text, values: [] })).rows
  })

test('rows are created with their references, then updated by their keys', async () => {
  expect((await seed()).out).toBe(
    'authors: 2 created, 0 updated, 0 unchanged\narticles: 2 created, 0 updated, 0 unchanged\n',
  )
  expect((await seed()).out).toBe(
    'authors: 0 created, 0 updated, 2 unchanged\narticles: 0 created, 0 updated, 2 unchanged\n',
  )
  expect(await stored()).toEqual([
    { slug: 'one-saddle', title: 'One saddle', status: 'draft', name: 'Bo' },
    { slug: 'riding-in-two', title: 'Riding in two', status: 'published', name: 'Ann' },
  ])
  writeFileSync(join(folder, 'seed/articles.csv'), 'slug,title,status,author.name\none-saddle,No saddle,draft,Ann\n')
  expect((await seed()).out).toContain('articles: 0 created, 1 updated, 0 unchanged')
  expect((await stored())[0]).toEqual({ slug: 'one-saddle', title: 'No saddle', status: 'draft', name: 'Ann' })
})

/** Those of rows are in `mock/seed.test.ts`, which needs no database. */
const faults: readonly (readonly [file: string, text: string, message: string])[] = [
  [
    'articles.csv',
    'slug,title,author.name\nx,X,Nobody\n',
    'articles.csv: row 1: Expected one row of "authors" for "author" but found none with {"name":"Nobody"}',
  ],
  ['authors.csv', 'name\nX\n', 'authors.json: expected one file for "authors", got authors.csv too'],
  ['articles.csv', 'slug,title\nx,"X\n', 'articles.csv: row 1: Expected a closing quote'],
]

test.each(faults)('%s is refused, and nothing is written: %j', async (file, text, message) => {
  const before = await stored()
  const path = join(folder, 'seed', file)
  rmSync(join(folder, 'seed/articles.csv'), { force: true })
  writeFileSync(join(folder, 'seed/authors.json'), '[{"name":"Left out"}]')
  writeFileSync(path, text)
  const { code, error } = await seed()
  rmSync(path)
  expect(code).toBe(1)
  expect(error).toContain(message)
  expect(await stored()).toEqual(before)
  const left = await database.onDatabase((db) =>
    db.run({ text: `select 1 from authors where name = 'Left out'`, values: [] }),
  )
  expect(left.rows).toEqual([])
})
