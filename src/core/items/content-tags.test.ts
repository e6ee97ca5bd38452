import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { createTestDatabase, type TestDatabase } from '../../sql/testing/test-database.ts'
import { readTaggedItem } from '../rows/read-items.ts'
import { changesOf, createTestContext, failuresOf, queryOf } from '../testing/test-context.ts'
import { whileUnchanged } from './content-tags.ts'
import { writeItems } from './items.ts'

let database: TestDatabase
let ctx: Context

beforeAll(async () => {
  const sql = `create table notes (id serial primary key, "1" text, body text, seen json);
    insert into notes ("1", body, seen) values ('first', null, '[1]')`
  database = await createTestDatabase({ sql })
  ctx = createTestContext(database.db, await database.loadSchema())
})
afterAll(() => database.close())

const all = { kind: 'wildcard', aliases: true, except: [], nested: null } as const
const fields = (...names: readonly string[]) =>
  names.map((name) => ({ kind: 'field', key: name, field: name }) as const)

const run = (text: string) => database.db.run({ text, values: [] })
const tagOf = async (...names: readonly string[]) =>
  (await readTaggedItem(ctx, queryOf('notes', { selection: fields(...names) }), 1)).tag

test('the item is shown as without a tag, whatever its columns are called', async () => {
  const whole = await readTaggedItem(ctx, queryOf('notes', { selection: [all] }), 1)
  expect(JSON.parse(whole.json)).toEqual({ id: 1, '1': 'first', body: null, seen: [1] })
  const plain = await readTaggedItem(ctx, queryOf('notes', { selection: fields('id', 'body') }), 1)
  expect(plain.json).toBe('{"id":1,"body":null}')
  expect([whole.tag, plain.tag]).toEqual([plain.tag, { content: expect.stringMatching(/^[0-9a-f]+$/), isWhole: true }])
})

test('values that look alike in another column are other contents', async () => {
  const tags: unknown[] = []
  const contents = [
    [`'x'`, 'null'],
    ['null', `'x'`],
    [`''`, `'x'`],
    [`'x'`, `''`],
    [`'x,'`, 'null'],
  ] as const
  for (const [first, body] of contents) {
    await run(`update notes set "1" = ${first}, body = ${body} where id = 1`)
    tags.push((await tagOf('id'))?.content)
  }
  expect(new Set(tags).size).toBe(5)
  await run(`update notes set "1" = 'x', body = null where id = 1`)
  expect((await tagOf('id'))?.content).toBe(tags[0])
})

test('of concurrent conditional writes one succeeds', async () => {
  const content = (await tagOf('id'))?.content ?? ''
  const target = { kind: 'keys', keys: [1] } as const
  const expected = { collection: 'notes', key: 1, tags: [content] }
  const write = (body: string) =>
    whileUnchanged(ctx, expected, (inner) =>
      writeItems(inner, { kind: 'update', collection: 'notes', target, changes: changesOf({ body }) }),
    )
  const done = await Promise.allSettled([write('a'), write('b'), write('c')])
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await failuresOf(write('d'))).toEqual([{ kind: 'precondition-failed', condition: 'If-Match' }])
  const { rows } = await run('select body from notes')
  expect(['a', 'b', 'c']).toContain((rows[0] as { body: string }).body)
  const { rows: history } = await run(`select id from platform_revisions where collection = 'notes'`)
  expect(history.length).toBeLessThanOrEqual(1)
})
