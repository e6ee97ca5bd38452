/** Inputs of related items: what may be created and what may be changed are different fields for the same caller. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { userWith } from '../../core/testing/test-context.ts'
import { openGraphqlWorld } from '../testing/test-graphql.ts'

const world = await openGraphqlWorld()
beforeEach(() => world.rowsOf("delete from articles where title = 'Theirs'"))
afterAll(() => world.close())

const actor = userWith(
  [
    { action: 'read' },
    { action: 'create', fields: ['title', 'author'] },
    { action: 'update', fields: ['status', 'author'] },
    { collection: 'authors', action: 'read' },
    { collection: 'authors', action: 'create', fields: ['name', 'articles'] },
    { collection: 'authors', action: 'update', fields: ['age', 'articles'] },
  ],
  { fingerprint: 'related inputs' },
)

test('an update creates related items, with the fields that only a create may set', async () => {
  const query = 'mutation ($data: update_authors_input!) { update_authors_item(id: 1, data: $data) { age } }'
  const data = { age: 7, articles: [{ title: 'Theirs' }, { id: 1, status: 'archived' }] }
  expect(await world.ask(query, { actor, variables: { data } })).toEqual({ data: { update_authors_item: { age: 7 } } })
  expect(
    await world.rowsOf("select author, status from articles where title = 'Theirs' or id = 1 order by id"),
  ).toEqual([
    { author: 1, status: 'archived' },
    { author: 1, status: expect.anything() },
  ])
})

test('a create changes related items, with the fields that only an update may set', async () => {
  const query = 'mutation ($data: create_articles_input!) { create_articles_item(data: $data) { title } }'
  const data = { title: 'Theirs', author: { id: 2, age: 9 } }
  const created = await world.ask(query, { actor, variables: { data } })
  expect(created).toEqual({ data: { create_articles_item: { title: 'Theirs' } } })
  expect(await world.rowsOf('select age from authors where id = 2')).toEqual([{ age: 9 }])
})

test('the item itself is written by its own right', async () => {
  const create = await world.ask(
    'mutation { create_articles_item(data: { title: "Theirs", status: "draft" }) { title } }',
    {
      actor,
    },
  )
  expect(create.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  const change = await world.ask('mutation { update_articles_item(id: 1, data: { title: "Theirs" }) { title } }', {
    actor,
  })
  expect(change.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  expect(await world.rowsOf("select count(*)::int as n from articles where title = 'Theirs'")).toEqual([{ n: 0 }])
})
