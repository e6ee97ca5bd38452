/** GraphQL answers the same as REST. */
import type { Actor, Exchange } from '../http/exchange.ts'
import { type OperatorName, operatorsOf } from '../model/operators.ts'
import type { Filter, ListQuery } from '../model/select.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat, Mismatch } from '../run/mismatch.ts'
import { createDraft, draftsTitled, expectGone, expectStored, readDraft } from './drafts.ts'
import { fieldsWith, operandsOf } from './filters.ts'
import { articlesPath, expectKeys, keysOf, plainFields, type Row, receivedRow, toQuery } from './listing.ts'
import { noSecret } from './rights.ts'

export type GraphqlAnswer = {
  readonly data?: { readonly [field: string]: unknown } | null
  readonly errors?: readonly unknown[]
}

export type GraphqlOptions = { readonly as?: Actor; readonly variables?: Row; readonly path?: string }

export const graphql = (
  trial: Trial,
  query: string,
  { as = 'admin', variables = {}, path = '/graphql' }: GraphqlOptions = {},
) => trial.ask(`POST ${path}`, { as, body: { query, variables } })

/** The value of a root field; fails for an answer with errors. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function rootOf<T>(exchange: Exchange, field: string): T {
  expectStatus(exchange, 200)
  const { data, errors } = exchange.json as GraphqlAnswer
  if (errors !== undefined || data === undefined || data === null || !(field in data)) {
    throw new Mismatch('The document is refused', {
      exchange,
      expected: `{"data":{"${field}":…}}`,
      received: exchange.text.slice(0, 500),
    })
  }
  return data[field] as T
}

/** Fails unless the answer has errors and no data of the root field `it`. */
function expectErrors(exchange: Exchange): void {
  const { data, errors } = (exchange.json ?? {}) as GraphqlAnswer
  const isRefused = Array.isArray(errors) && errors.length > 0 && (data?.['it'] ?? null) === null
  expectThat(exchange, 'The answer has errors and no data', isRefused)
}

/** Asks for the keys of a list and compares them with the model. */
export async function expectGraphqlList(trial: Trial, query: ListQuery, as: Actor = 'admin'): Promise<void> {
  const { articles } = trial.world.names
  const document = `query ($filter: ${articles}_filter, $sort: [String], $limit: Int, $offset: Int, $page: Int, $search: String) {
  it: ${articles}(filter: $filter, sort: $sort, limit: $limit, offset: $offset, page: $page, search: $search) { id }
}`
  const exchange = await graphql(trial, document, { as, variables: toQuery(query) })
  expectKeys(trial, { exchange, rows: rootOf(exchange, 'it') }, query, as)
}

/** A filter as an input: relations have an object between field and condition in both. */
const filters: readonly Filter[] = [
  { _and: [{ views: { _gt: 2 } }, { live: { _eq: true } }] },
  { _or: [{ views: { _lt: 2 } }, { title: { _starts_with: 'a' } }] },
  { author: { name: { _eq: 'Ann' } } },
  { tags: { tag: { name: { _eq: 'red' } } } },
]

/** Operators that the inputs of GraphQL have for a field. */
async function inputOperators(trial: Trial): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { articles } = trial.world.names
  const exchange = await graphql(
    trial,
    `{ __type(name: "${articles}_filter") { inputFields { name type { inputFields { name } } } } }`,
  )
  type Inputs = readonly {
    readonly name: string
    readonly type: { readonly inputFields: readonly { readonly name: string }[] | null }
  }[]
  const { inputFields } = rootOf<{ readonly inputFields: Inputs }>(exchange, '__type')
  return new Map(
    inputFields.map(({ name, type }) => [name, new Set((type.inputFields ?? []).map((each) => each.name))]),
  )
}

const reading = checksOf('graphql', 'world', [
  statement('readGraphql', 'every operator finds the same items as REST', async (trial) => {
    const inputs = await inputOperators(trial)
    for (const operator of [...new Set(Object.values(operatorsOf).flat())] as readonly OperatorName[]) {
      for (const field of fieldsWith(operator).filter((name) => inputs.get(name)?.has(operator) === true)) {
        const [operand] = operandsOf(trial, field, operator)
        if (operand !== undefined)
          await expectGraphqlList(trial, { filter: { [field]: { [operator]: operand } }, limit: -1 })
      }
    }
  }),
  statement('readGraphql', 'filters, sorts and pages find the same items as REST', async (trial) => {
    for (const filter of filters) await expectGraphqlList(trial, { filter, limit: -1 })
    for (const field of ['title', '-views', 'rating', '-day'])
      await expectGraphqlList(trial, { sort: [field, 'id'], limit: -1 })
    await expectGraphqlList(trial, { limit: 5, offset: 3 })
    await expectGraphqlList(trial, { limit: 5, page: 2 })
    await expectGraphqlList(trial, { search: 'wood', limit: -1 })
  }),
  statement('readGraphql', 'items have the same values as by REST', async (trial) => {
    const { names } = trial.world
    const fields = plainFields.filter((field) => field !== 'id')
    const exchange = await graphql(
      trial,
      `{ it: ${names.articles}(sort: ["id"], limit: -1) { ${fields.join(' ')} author { name } tags(sort: ["id"]) { tag { name } } } }`,
    )
    const rest = await trial.ask(`GET ${articlesPath(trial)}`, {
      query: {
        fields: [...fields, 'author.name', 'tags.tag.name'],
        sort: 'id',
        limit: -1,
        deep: { tags: { _sort: ['id'] } },
      },
    })
    const received = rootOf<readonly Row[]>(exchange, 'it').map(receivedRow)
    expectSame(
      exchange,
      'The values differ from those of REST',
      received,
      dataOf<readonly Row[]>(rest).map(receivedRow),
    )
  }),
  statement('readGraphql', 'an item is read by its key, a missing one is null or refused', async (trial) => {
    const { names, rows } = trial.world
    const [row] = rows.articles
    const exchange = await graphql(trial, `{ it: ${names.articles}_by_id(id: ${row?.id ?? 0}) { title views } }`)
    expectSame(exchange, 'The item has other values', rootOf(exchange, 'it'), {
      title: row?.title,
      views: row?.views,
    })
    const missing = await graphql(trial, `{ it: ${names.articles}_by_id(id: 2000000000) { title } }`)
    expectSame(missing, 'A missing item is shown', (missing.json as GraphqlAnswer).data?.['it'] ?? null, null)
  }),
  statement('readGraphql', 'aggregates are those of REST', async (trial) => {
    const { names } = trial.world
    const filter = { views: { _gt: 1 } }
    const document = `query ($f: ${names.articles}_filter) { it: ${names.articles}_aggregated(filter: $f) { countAll count { views } sum { views } min { views } max { views } countDistinct { views } } }`
    const exchange = await graphql(trial, document, { variables: { f: filter } })
    const [row] = rootOf<readonly Row[]>(exchange, 'it')
    const rest = await trial.ask(`GET ${articlesPath(trial)}`, {
      query: {
        filter,
        ...Object.fromEntries(
          ['count', 'sum', 'min', 'max', 'countDistinct'].map((name) => [`aggregate[${name}]`, 'views']),
        ),
      },
    })
    const [expected] = dataOf<readonly Row[]>(rest)
    for (const name of ['count', 'sum', 'min', 'max', 'countDistinct']) {
      const [ours, theirs] = [row, expected].map((each) => Number((each?.[name] as Row | undefined)?.['views']))
      expectSame(exchange, `${name} differs from that of REST`, ours, theirs)
    }
    expectSame(
      exchange,
      'countAll is another',
      Number(row?.['countAll']),
      Number((expected?.['count'] as Row | undefined)?.['views']),
    )
  }),
])

const rights = checksOf('graphql', 'world', [
  statement('readGraphql', 'a restricted user sees its items and fields and no others', async (trial) => {
    const { names, visible } = trial.world
    await expectGraphqlList(trial, { limit: -1 }, 'reader')
    await expectGraphqlList(trial, { filter: { views: { _gt: 2 } }, sort: ['-views', 'id'], limit: 4 }, 'reader')
    const documents = [
      `{ it: ${names.articles} { id secret } }`,
      `{ it: ${names.articles}(sort: ["secret"]) { id } }`,
      `{ it: ${names.articles}(filter: { secret: { _nnull: true } }) { id } }`,
      `{ it: ${names.articles}_aggregated { max { rating } } }`,
      `{ it: ${names.articles} { author { secret } } }`,
      `{ it: ${names.tags} { id } }`,
    ]
    for (const document of documents) expectErrors(await graphql(trial, document, { as: 'reader' }))
    const hidden = trial.world.rows.articles.find(({ live }) => live !== true)
    const byId = await graphql(trial, `{ it: ${names.articles}_by_id(id: ${hidden?.id ?? 0}) { id title } }`, {
      as: 'reader',
    })
    expectSame(byId, 'A hidden item is shown', (byId.json as GraphqlAnswer).data?.['it'] ?? null, null)
    const all = await graphql(
      trial,
      `{ it: ${names.articles}(limit: -1, sort: ["id"]) { id title views live author { name } } }`,
      { as: 'reader' },
    )
    noSecret(all.text, all)
    expectSame(all, 'Other items are shown', keysOf(rootOf(all, 'it')), keysOf(visible))
  }),
  statement('readGraphql', 'users without a token see nothing', async (trial) => {
    const exchange = await graphql(trial, `{ it: ${trial.world.names.articles} { id } }`, { as: 'public' })
    expectErrors(exchange)
  }),
])

const writing = checksOf('graphql', 'world', [
  statement('writeGraphql', 'what a mutation writes is read by REST', async (trial) => {
    const { drafts } = trial.world.names
    const title = trial.mark()
    const document = `mutation ($data: create_${drafts}_input!) { it: create_${drafts}_item(data: $data) { id title views notes { text } } }`
    const variables = { data: { title, views: 5, notes: [{ text: 'one' }] } }
    const created = await graphql(trial, document, { variables })
    const { id, ...rest } = rootOf<Row & { readonly id: unknown }>(created, 'it')
    expectSame(created, 'The answer is another', rest, { title, views: 5, notes: [{ text: 'one' }] })
    await expectStored(trial, id, { title, views: 5 }, created)
    const update = `mutation ($data: update_${drafts}_input!) { it: update_${drafts}_item(id: ${String(id)}, data: $data) { views } }`
    const updated = await graphql(trial, update, { variables: { data: { views: 6 } } })
    expectSame(updated, 'The answer is another', rootOf(updated, 'it'), { views: 6 })
    await expectStored(trial, id, { title, views: 6 }, updated)
    const removed = await graphql(trial, `mutation { it: delete_${drafts}_item(id: ${String(id)}) { id } }`)
    rootOf(removed, 'it')
    await expectGone(trial, id)
  }),
  statement('writeGraphql', 'a refused mutation writes nothing', async (trial) => {
    const { drafts } = trial.world.names
    const title = trial.mark()
    const document = `mutation ($data: [create_${drafts}_input!]) { it: create_${drafts}_items(data: $data) { id } }`
    const refused = await graphql(trial, document, {
      variables: { data: [{ title }, { title, author: { id: 1, name: 5 } }] },
    })
    expectErrors(refused)
    expectSame(refused, 'A part of a refused mutation was written', await draftsTitled(trial, title), [])
    const draft = await createDraft(trial, { title: trial.mark(), live: true, views: 1 })
    const update = `mutation { it: update_${drafts}_item(id: ${draft.id}, data: { views: 9 }) { id } }`
    expectErrors(await graphql(trial, update, { as: 'reader' }))
    expectErrors(
      await graphql(trial, `mutation { it: delete_${drafts}_item(id: ${draft.id}) { id } }`, { as: 'reader' }),
    )
    expectSame(null, 'A refused mutation has changed an item', await readDraft(trial, draft.id), draft)
  }),
  statement('readGraphql', 'invalid documents are answered with errors', async (trial) => {
    const { articles } = trial.world.names
    for (const document of [
      '{',
      `{ it: ${articles} { nothing } }`,
      `{ it: ${articles}(limit: "x") { id } }`,
      '{ it: nothing { id } }',
    ]) {
      expectErrors(await graphql(trial, document))
    }
  }),
])

export const graphqlChecks: readonly Check[] = [...reading, ...rights, ...writing]
