/** One caller with many expensive requests does not delay other callers. */
import { afterAll, expect, test } from 'vitest'
import { send } from './send.ts'
import { openWorld, type UserKind } from './world.ts'

afterAll(() => world.close())

const ask = (kind: UserKind, request: string, body?: unknown) =>
  send(world.url, request, { body, token: world.tokens[kind] })

const world = await openWorld({ QUERY_MAX_REPEATS: '50', QUERY_MAX_ROWS: 'false', DB_POOL_SHARE_WAIT: '2m' })
const items = Array.from({ length: 32 }, (_, at) => ({ title: `By Cy ${at}`, author: 3 }))
const created = await ask('admin', 'POST /items/articles?fields=id', items)
expect(created.status).toBe(200)

/** An expensive filter: reads the 32 articles of one author three times for each of them. */
const slow = {
  fields: 'author.articles.author.articles.author.articles.author.articles.id',
  filter: { author: { _eq: 3 } },
  limit: 1,
  deep: JSON.parse(
    `${'{"author":{"articles":'.repeat(4)}{"_filter":{"title":{"_eq":"nothing"}}}${'}}'.repeat(4)}`,
  ) as unknown,
}

test('twelve slow reads of one user do not delay those of another', async () => {
  let answered = 0
  const reads = Array.from({ length: 12 }, async () => {
    const { status } = await ask('admin', 'SEARCH /items/articles', { query: slow })
    answered += 1
    return status
  })
  // By now the twelve requests have arrived.
  expect((await fetch(`${world.url}/server/ping`)).status).toBe(200)
  for (const id of [1, 2, 3]) {
    const path = `/items/articles/${id}?fields=id`
    expect(await ask('editor', `GET ${path}`)).toMatchObject({ status: 200, body: { data: { id } } })
  }
  // The embedded database runs one statement at a time, so each of the three waits for one of the twelve.
  expect(answered).toBeLessThanOrEqual(4)
  expect(await Promise.all(reads)).toEqual(Array.from({ length: 12 }, () => 200))
}, 120_000)
