/** GraphQL and REST requests with the same meaning produce the same `Query`. */
import { getOperationAST, parse } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { rootNodes, type SelectedField, toSelectedField } from '../../graphql/selected-field.ts'
import { openGraphqlWorld } from '../testing/test-graphql.ts'
import { servedSchema } from '../views/graphql-schemas.ts'
import { graphqlView } from '../views/graphql-view.ts'
import { parseQuery } from '../wire/query.ts'
import { toGroupsQuery } from './groups.ts'
import { toItemQuery, toListQuery } from './query.ts'

const world = await openGraphqlWorld()
const { schema, view, limits } = world.current
const scope = { schema, view: graphqlView(view, schema), limits }

afterAll(() => world.close())

/** The parsed first field of the document. */
function ask(document: string): SelectedField {
  const { schema } = servedSchema({ ...world.current, view: scope.view }, 'items')
  const type = schema.getQueryType()
  const operation = getOperationAST(parse(document))
  if (type == null || operation == null) throw new Error('Expected a query')
  const asking = { schema, fragments: new Map(), variables: {} }
  const [root] = rootNodes(asking, type, operation.selectionSet)
  if (root === undefined) throw new Error('Expected a field')
  return toSelectedField(asking, type, root)
}

const twins: readonly (readonly [parameters: object, document: string])[] = [
  [{ fields: ['id', 'title'], limit: 3, sort: ['-id'] }, '{ articles(limit: 3, sort: ["-id"]) { id title } }'],
  [{ fields: ['id'], search: 'ice', page: 2, limit: 5 }, '{ articles(search: "ice", page: 2, limit: 5) { id } }'],
  [{ fields: ['x'], alias: { x: 'title' } }, '{ articles { x: title } }'],
  [{ fields: ['author.region.name'] }, '{ articles { author { region { name } } } }'],
  [
    { fields: ['comments.body'], deep: { comments: { _limit: 2, _filter: { approved: { _eq: true } } } } },
    '{ articles { comments(limit: 2, filter: { approved: { _eq: true } }) { body } } }',
  ],
  [
    { fields: ['id'], filter: { author: { name: { _in: ['Ann', 'Bob'] } } } },
    '{ articles(filter: { author: { name: { _in: ["Ann", "Bob"] } } }) { id } }',
  ],
  [
    { fields: ['id'], filter: { 'year(published_on)': { _gt: 2000 }, 'count(comments)': { _eq: 1 } } },
    '{ articles(filter: { published_on_func: { year: { _gt: 2000 } }, comments_func: { count: { _eq: 1 } } }) { id } }',
  ],
  [
    { fields: ['id'], filter: { _or: [{ author: { _null: true } }, { comments: { _none: { id: { _gt: 3 } } } }] } },
    '{ articles(filter: { _or: [{ author: { id: { _null: true } } }, { comments: { _none: { id: { _gt: 3 } } } }] }) { id } }',
  ],
]

test.each(twins)('%j', (parameters, document) => {
  expect(toListQuery(ask(document), 'articles', scope)).toEqual(
    parseQuery(parameters as { readonly [name: string]: unknown }, 'articles', scope),
  )
})

test('a many-to-any is selected by the types of its union', () => {
  const document = '{ pages_blocks { item { ... on headings { text } ... on paragraphs { id } } } }'
  const parameters = { fields: ['item:headings.text', 'item:paragraphs.id'] }
  expect(toListQuery(ask(document), 'pages_blocks', scope)).toEqual(parseQuery(parameters, 'pages_blocks', scope))
})

test('one item has the query of a list', () => {
  expect(toItemQuery(ask('{ articles_by_id(id: 1) { title } }'), 'articles', scope)).toEqual(
    parseQuery({ fields: ['title'] }, 'articles', scope),
  )
})

test('groups differ from REST only in their form', () => {
  const document =
    '{ articles_aggregated(groupBy: ["status", "year(published_on)"], limit: 5) { sum { views } countAll } }'
  const parameters = {
    aggregate: { sum: ['views'], countAll: '*' },
    groupBy: ['status', 'year(published_on)'],
    limit: 5,
  }
  const query = toGroupsQuery(ask(document), 'articles', scope)
  const { layout, ...aggregation } = query.aggregation ?? {}
  expect({ ...query, aggregation }).toEqual(parseQuery(parameters, 'articles', scope))
  expect(layout).toEqual([
    { kind: 'object', key: 'sum', entries: [{ kind: 'value', key: 'views', value: 0 }] },
    { kind: 'value', key: 'countAll', value: 1 },
  ])
})
