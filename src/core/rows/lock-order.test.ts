import { expect, test } from 'vitest'
import type { Database, Statement } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, openTestWorld } from '../testing/test-context.ts'

/** The database, with every statement noted, those within transactions too. */
const noting = (db: Database, statements: Statement[]): Database => ({
  ...db,
  run: (statement) => {
    statements.push(statement)
    return db.run(statement)
  },
  transaction: (work) => db.transaction((inner) => work(noting(inner, statements))),
})

test('writers that name the same rows in opposite orders reach them in one order', async () => {
  const opened = await openTestWorld()
  const items: readonly { readonly key: Key; readonly changes: Changes }[] = [
    { key: 'sea', changes: changesOf({ color: 'teal' }) },
    { key: 'ice', changes: changesOf({ color: 'white' }) },
    { key: 'unused', changes: changesOf({ color: 'grey' }) },
  ]
  const reachedBy = async (asked: typeof items): Promise<readonly string[]> => {
    const statements: Statement[] = []
    const db = noting(opened.ctx.db, statements)
    expect(await writeItems({ ...opened.ctx, db }, { kind: 'update-each', collection: 'tags', items: asked })).toEqual(
      asked.map(({ key }) => key),
    )
    const texts = statements.map(({ values }) => JSON.stringify(values)).filter((text) => text.includes('sea'))
    expect(texts.length).toBeGreaterThan(0)
    return texts.map((text) => [...text.matchAll(/sea|ice|unused/g)].join(' '))
  }
  const [first = ''] = await reachedBy(items)
  expect(first).toMatch(/^ice sea unused/)
  expect((await reachedBy(items.toReversed()))[0]).toBe(first)
  await opened.close()
})
