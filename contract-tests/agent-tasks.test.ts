/** Everyday tasks in plain words: an agent finds the operation by them, reads its description, and does the task. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const tables = `
  create type state as enum ('draft', 'published', 'archived');
  create table authors (id serial primary key, name text not null);
  create table articles (id serial primary key, title text not null, status state, body text, price numeric(10,2),
    author integer references authors, cover uuid references platform_files, position integer);
  create table events (id serial primary key, kind text);
  create table customers (id serial primary key, name text, email text);
  create table invoices (id serial primary key, number text, total numeric(10,2), customer integer references customers,
    paid boolean, due date);
  insert into platform_collections (collection, archive_field, archive_value, unarchive_value, versioning, sort_field)
    values ('articles', 'status', 'archived', 'draft', true, 'position'), ('authors', null, null, null, false, null),
    ('events', null, null, null, false, null);
  insert into platform_fields (collection, field, special) values ('articles', 'author', 'm2o');
  insert into authors (name) values ('Ada'), ('Mary');
  insert into events (kind) values ('test'), ('test'), ('real')`
const own = await openOwnDatabase(tables)
await own.ask('POST /items/articles', {
  body: [
    { title: 'All about whales', status: 'draft', price: '5', author: 1, position: 1 },
    { title: 'Ships', status: 'published', price: '7', author: 2, position: 2 },
  ],
})
const client = new Client({ name: 'assistant', version: '1.0' })
const requestInit = { headers: { authorization: `Bearer ${own.adminToken}` } }
await client.connect(new StreamableHTTPClientTransport(new URL(`${own.url}/mcp`), { requestInit }))
afterAll(async () => {
  await client.close()
  await own.close()
})

async function call(name: string, input: { [key: string]: unknown }): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: input })
  const [{ text }] = content as unknown as readonly [{ readonly text: string }]
  return /^[[{]/.test(text) ? JSON.parse(text) : text
}

const found = async (words: string): Promise<readonly string[]> =>
  ((await call('search_operations', { words })) as readonly { readonly operation: string }[]).map(
    ({ operation }) => operation,
  )

/** `best`: the operation is among the first ones of the search, else it is among all that are shown. */
const tasks: readonly (readonly [words: string, operation: string, best: number])[] = [
  ['publish the draft about whales', 'updateItems_articles', 8],
  ['who may edit articles?', 'readPermissions', 15],
  ['upload a picture and set it as cover', 'importFile', 3],
  ['undo what I did', 'revertActivity', 2],
  ['add a new article', 'createItems_articles', 1],
  ['which articles did Ada write', 'readItems_articles', 1],
  ['change the price of an artcile', 'updateItem_articles', 3],
  ['pubish artcles', 'updateItems_articles', 3],
  ['how many events are there', 'readItems_events', 2],
  ['delete all events of kind test', 'deleteItems_events', 2],
  ['add a column to authors', 'createFields', 6],
  ['make a table for recipes', 'createCollections', 3],
  ['link articles to authors', 'createRelation', 8],
  ['invite a colleague as an editor', 'createUsers', 3],
  ['give the editors the right to delete comments', 'createPermissions', 5],
  ['why can Mary not see the article', 'explainPermissions', 5],
  ['what happened yesterday', 'readActivities', 5],
  ['show older versions of article 3', 'readVersions', 6],
  ['restore the article to yesterday', 'revertItem', 5],
  ['rename the folder Pictures', 'updateFolder', 8],
  ['share the article with a customer by a link', 'createShares', 5],
  ['comment on the article', 'createComments', 5],
  ['change the name of the project', 'updateSettings', 3],
  ['call our service when an article changes', 'createWebhooks', 3],
  ['move the article to the top of the list', 'sortItems', 5],
  ['change several articles at once or not at all', 'runBatch', 5],
  ['who am I', 'readMe', 6],
  ['deactivate the account of a user', 'updateUser', 5],
  ['translate a word to german', 'createTranslations', 5],
  ['who changed this article yesterday', 'readRevisions', 3],
  ['give the editor role read access to invoices', 'createPermissions', 3],
  ['undo what the agent did', 'revertActivity', 2],
  ['which invoices are overdue', 'readItems_invoices', 2],
  ['mark the invoice as paid', 'updateItem_invoices', 3],
  ['total of all unpaid invoices per customer', 'readItems_invoices', 2],
  ['take away the right of editors to delete articles', 'deletePermission', 8],
  ['what may this user do', 'readPermissions', 5],
  ['remove a user', 'deleteUser', 3],
  ['list the fields of customers', 'readFields', 5],
  ['rename a column', 'updateField', 3],
  ['drop the table events', 'deleteCollection', 5],
  ['compare two versions of an article', 'compareVersion', 2],
  ['put the draft version live', 'promoteVersion', 2],
  ['who commented on the article', 'readComments', 3],
  ['delete my comment', 'deleteComment', 2],
  ['which webhooks failed', 'readWebhookDeliveries', 3],
  ['which api keys are there', 'readKeys', 3],
  ['when was the price of the invoice changed', 'readRevisions', 4],
  ['which apps use the field price', 'readUsage', 3],
  ['is the server healthy', 'readServerInfo', 2],
  ['show the largest files', 'readFiles', 2],
  ['move files into another folder', 'updateFiles', 3],
  ['export the articles as csv', 'readItems_articles', 3],
  ['import customers from a csv', 'createItems_customers', 10],
  ['count the articles of each author', 'readItems_articles', 2],
  ['assign the policy to a role', 'updateRole', 6],
  ['what did Ann delete last week', 'readActivities', 3],
  ['duplicate the article', 'createItems_articles', 4],
  ['notify Ann about the article', 'createNotifications', 4],
  ['who deleted the customer', 'readRevisions', 4],
  ['find customers without an email', 'readItems_customers', 2],
  ['make a new policy for accountants', 'createPolicies', 2],
  ['add a language for texts', 'createTranslations', 3],
]

test.each(tasks)('"%s" finds %s', async (words, operation, best) => {
  const names = await found(words)
  expect([names.slice(0, best), names.includes(operation)]).toEqual([expect.arrayContaining([operation]), true])
})

type Answered = { readonly status: number; readonly body: { readonly data: never } }
const execute = (operation: string, more: object = {}) =>
  call('execute_operation', { operation, ...more }) as Promise<Answered>

/** Search, description and execution: the operation is found, its parameters are described, and it answers without error. */
async function perform(words: string, operation: string, more: object = {}): Promise<Answered> {
  expect(await found(words)).toContain(operation)
  const description = (await call('describe_operation', { operation })) as { readonly parameters: readonly object[] }
  const { parameters = {} } = more as { readonly parameters?: object }
  for (const name of Object.keys(parameters))
    expect([operation, description.parameters]).toEqual([
      operation,
      expect.arrayContaining([expect.objectContaining({ name })]),
    ])
  const answer = await execute(operation, more)
  expect([words, answer]).toMatchObject([words, { status: expect.toBeOneOf([200, 204]) as number }])
  return answer
}

test('a draft is found, published, and what was done is undone as one', async () => {
  const filter = { title: { _icontains: 'whales' }, status: { _eq: 'draft' } }
  const { body } = await perform('find the draft of the articles about whales', 'readItems_articles', {
    parameters: { filter, fields: 'id,title' },
  })
  expect(body.data).toEqual([{ id: 1, title: 'All about whales' }])
  const published = { parameters: { id: 1 }, body: { status: 'published' } }
  await perform('publish the article', 'updateItem_articles', { ...published, dry_run: true })
  expect(await own.rows('select status::text from articles where id = 1')).toEqual([{ status: 'draft' }])
  await perform('publish the article', 'updateItem_articles', published)
  await perform('comment on the article', 'createComments', {
    body: { collection: 'articles', item: '1', comment: 'Published.' },
  })
  expect(await own.rows('select status::text from articles where id = 1')).toEqual([{ status: 'published' }])
  const agent = { user_agent: { _eq: 'mcp assistant/1.0' } }
  const log = await perform('what happened yesterday', 'readActivities', {
    parameters: { filter: agent, fields: ['id', 'action', 'collection'], sort: 'id' },
  })
  const entries = log.body.data as readonly { readonly id: number; readonly action: string }[]
  expect(entries.map(({ action }) => action)).toEqual(['update', 'create'])
  await perform('undo what I did', 'revertActivity', { body: { activity: entries.map(({ id }) => id) } })
  expect(await own.rows('select status::text from articles where id = 1')).toEqual([{ status: 'draft' }])
  expect(await own.rows('select comment from platform_comments')).toEqual([])
})

test('rights are given, read and explained', async () => {
  const policy = (await execute('createPolicies', { body: { name: 'Editors' } })).body.data as { readonly id: string }
  const rule = { policy: policy.id, collection: 'articles', action: 'update', fields: ['title'] }
  await perform('give the editors the right to edit articles', 'createPermissions', { body: rule })
  const { body } = await perform('who may edit articles?', 'readPermissions', {
    parameters: {
      filter: { collection: { _eq: 'articles' }, action: { _eq: 'update' } },
      fields: 'policy.name,fields',
    },
  })
  expect(body.data).toEqual([{ policy: { name: 'Editors' }, fields: ['title'] }])
  const user = await perform('invite a colleague as an editor', 'createUsers', {
    body: { email: 'mary@example.com', policies: [{ policy: policy.id }] },
  })
  const { id } = user.body.data as { readonly id: string }
  const why = await perform('why can mary not see the article', 'explainPermissions', {
    parameters: { user: id, collection: 'articles', action: 'read' },
  })
  expect(why.body.data).toMatchObject({ actions: [{ action: 'read', granted: false }] })
})

test('the data model, counts, order and deletions', async () => {
  const counted = await perform('how many events are there', 'readItems_events', {
    parameters: { aggregate: { count: '*' }, groupBy: ['kind'] },
  })
  expect(counted.body.data).toEqual(
    expect.arrayContaining([
      { kind: 'test', count: '2' },
      { kind: 'real', count: '1' },
    ]),
  )
  await perform('delete all events of kind test', 'deleteItems_events', {
    body: { query: { filter: { kind: { _eq: 'test' } } } },
  })
  expect(await own.rows('select kind from events')).toEqual([{ kind: 'real' }])
  await perform('add a column to authors', 'createFields', {
    parameters: { collection: 'authors' },
    body: { field: 'born', type: 'integer' },
  })
  await perform('change the author', 'updateItem_authors', { parameters: { id: 1 }, body: { born: 1815 } })
  expect(await own.rows('select name, born from authors where id = 1')).toEqual([{ name: 'Ada', born: 1815 }])
  await perform('move the article to the top of the list', 'sortItems', {
    parameters: { collection: 'articles' },
    body: { item: 2, to: 1 },
  })
  expect(await own.rows('select id from articles order by position')).toEqual([{ id: 2 }, { id: 1 }])
})

test('a name that is none, and a parameter that is none, lead to the right one', async () => {
  expect(await execute('updateArticle')).toMatch(/similar ones: .*updateItems?_articles/)
  expect(await call('describe_operation', { operation: 'readItem_artcles' })).toContain('readItem_articles')
  expect(await execute('updateItem_articles', { parameters: { key: 1 }, body: {} })).toMatch(
    /^Expected a parameter of updateItem_articles \(id, .*fields.*\) but received "key"$/,
  )
  expect(await execute('updateItem_articles', { body: { title: 'x' } })).toMatchObject({ status: 400 })
})
