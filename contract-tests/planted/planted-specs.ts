/** Planted changes of an OpenAPI document and of a GraphQL schema, with the verdict that each should get. */
import { at, drop, type Edit, type Json, type Planted, row, set } from './planted-edits.ts'

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const ofJson = (schema: object) => ({ 'application/json': { schema } })
const ok = (schema: object) => ({ description: 'Found.', content: ofJson(schema) })
const envelope = (data: object) => ({ type: 'object', required: ['data'], properties: { data } })

/** A document of a collection of articles, with their authors. */
export const document = (): Json =>
  structuredClone({
    openapi: '3.1.0',
    security: [{ bearer: [] }, { cookie: [] }],
    paths: {
      '/items/articles': {
        get: {
          operationId: 'readItemsArticles',
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100, default: 10 } },
            { name: 'sort', in: 'query', style: 'form', schema: { enum: ['title', 'price'] } },
          ],
          responses: {
            200: {
              ...ok(envelope({ type: 'array', items: reference('Article') })),
              headers: {
                'X-Total': { required: true, schema: { type: 'integer' } },
                ETag: { schema: { type: 'string' } },
              },
            },
            404: { description: 'None.' },
          },
        },
        post: {
          operationId: 'createItemsArticles',
          requestBody: { content: { ...ofJson(reference('NewArticle')), 'text/csv': { schema: { type: 'string' } } } },
          responses: { 200: ok(envelope(reference('Article'))), 204: { description: 'Created.' } },
        },
      },
      '/items/articles/{id}': {
        delete: {
          operationId: 'deleteItemArticles',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 204: { description: 'Deleted.' } },
        },
      },
    },
    components: {
      schemas: {
        Article: {
          type: 'object',
          required: ['id', 'title'],
          properties: {
            id: { type: 'integer' },
            title: { type: 'string', maxLength: 100 },
            status: { enum: ['draft', 'live'] },
            author: { oneOf: [{ type: 'integer' }, reference('Author')] },
            price: { type: 'number', minimum: 0 },
          },
        },
        Author: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, email: { type: 'string' } },
        },
        NewArticle: {
          type: 'object',
          required: ['title'],
          properties: {
            title: { type: 'string', maxLength: 100 },
            status: { enum: ['draft', 'live'] },
            subtitle: { type: ['string', 'null'] },
            tags: { type: 'array', items: { type: 'string' } },
          },
        },
        Unused: { type: 'object' },
      },
    },
  })

const list = 'paths  /items/articles  get'
const create = 'paths  /items/articles  post'
const article = 'components  schemas  Article'
const given = 'components  schemas  NewArticle'
const shown = `${article}  properties`
const sent = `${given}  properties`
const readers = ['dashboard', 'shop']
const everybody = ['dashboard', 'editor', 'shop']

/** Adds a parameter to the list. */
const ask =
  (parameter: object): Edit =>
  (root) =>
    void (at(root, list)['parameters'] as object[]).push({ schema: {}, ...parameter })

/** Edits of the document. */
export const plantedInOpenapi: readonly Planted<Edit>[] = [
  row('an operation is removed', 'breaking', readers, drop('paths  /items/articles', 'get')),
  row('a path is removed', 'breaking', ['cleaner'], drop('paths', '/items/articles/{id}')),
  row('an operation is added', 'safe', [], set('paths  /items/articles', { patch: { responses: {} } })),
  row('an operation is deprecated', 'safe', [], set(list, { deprecated: true })),
  row('an operationId changes', 'breaking', readers, set(list, { operationId: 'listArticles' })),
  row('a new header is required', 'breaking', readers, ask({ name: 'X-Shop', in: 'header', required: true })),
  row('a new parameter is optional', 'safe', [], ask({ name: 'page', in: 'query', schema: { type: 'integer' } })),
  row('a parameter is removed', 'breaking', readers, (root) => void (at(root, list)['parameters'] as object[]).pop()),
  row('a parameter becomes required', 'breaking', readers, set(`${list}  parameters  0`, { required: true })),
  row('the bound of a parameter is lower', 'breaking', readers, set(`${list}  parameters  0  schema`, { maximum: 50 })),
  row('the bound of a parameter is higher', 'safe', [], set(`${list}  parameters  0  schema`, { maximum: 500 })),
  row('the default of a parameter changes', 'perhaps', readers, set(`${list}  parameters  0  schema`, { default: 25 })),
  row('a parameter loses a value', 'breaking', readers, set(`${list}  parameters  1  schema`, { enum: ['title'] })),
  row(
    'a parameter is written in another style',
    'breaking',
    readers,
    set(`${list}  parameters  1`, { style: 'spaceDelimited' }),
  ),
  row('a body becomes required', 'breaking', ['editor'], set(`${create}  requestBody`, { required: true })),
  row('a body loses a media type', 'breaking', ['editor'], drop(`${create}  requestBody  content`, 'text/csv')),
  row('a property of a body becomes required', 'breaking', ['editor'], set(given, { required: ['title', 'status'] })),
  row('a new property of a body is required', 'breaking', ['editor'], (root) => {
    Object.assign(at(root, sent), { slug: { type: 'string' } })
    at(root, given)['required'] = ['title', 'slug']
  }),
  row('a new property of a body is optional', 'safe', [], set(sent, { slug: { type: 'string' } })),
  row('a property of a body is not null any more', 'breaking', [], set(`${sent}  subtitle`, { type: 'string' })),
  row('a property of a body gets a pattern', 'breaking', ['editor'], set(`${sent}  title`, { pattern: '^[A-Z]' })),
  row('a list of a body has a least length', 'breaking', [], set(`${sent}  tags`, { minItems: 1 })),
  row('a body takes no other properties', 'breaking', ['editor'], set(given, { additionalProperties: false })),
  row('a property of an answer is removed', 'breaking', everybody, drop(shown, 'title')),
  row(
    'a property of a related answer is removed',
    'breaking',
    readers,
    drop('components  schemas  Author  properties', 'name'),
  ),
  row('a property of an answer nobody reads is removed', 'breaking', ['dashboard'], drop(shown, 'price')),
  row(
    'a property of an answer may be null',
    'breaking',
    everybody,
    set(`${shown}  title`, { type: ['string', 'null'] }),
  ),
  row(
    'an answer has a new value',
    'perhaps',
    ['dashboard'],
    set(`${shown}  status`, { enum: ['draft', 'live', 'old'] }),
  ),
  row('an answer has longer texts', 'perhaps', everybody, set(`${shown}  title`, { maxLength: 200 })),
  row('an answer may be without a property', 'breaking', everybody, set(article, { required: ['id'] })),
  row('a new property of an answer', 'safe', [], set(shown, { slug: { type: 'string' } })),
  row('a status of success is removed', 'breaking', ['editor'], drop(`${create}  responses`, '204')),
  row('a status of an error is removed', 'perhaps', readers, drop(`${list}  responses`, '404')),
  row(
    'a required header of an answer is removed',
    'breaking',
    readers,
    drop(`${list}  responses  200  headers`, 'X-Total'),
  ),
  row(
    'an optional header of an answer is removed',
    'perhaps',
    readers,
    drop(`${list}  responses  200  headers`, 'ETag'),
  ),
  row('a way of authentication ends', 'breaking', readers, set(list, { security: [{ bearer: [] }] })),
  row(
    'authentication needs a scope',
    'breaking',
    readers,
    set(list, { security: [{ bearer: ['articles'] }, { cookie: ['articles'] }] }),
  ),
  row('an unused component is removed', 'safe', [], drop('components  schemas', 'Unused')),
]

/** The schema that the edits of SDL begin with. */
export const sdl = `
directive @cached(seconds: Int) on FIELD
type Query { articles(limit: Int, sort: Order = TITLE): [articles!]! authors: [authors!] found: [Found] }
type Mutation { create_articles_item(data: create_articles_input!): articles }
enum Order { TITLE PRICE }
enum Status { DRAFT LIVE }
interface Named { name: String }
type articles { id: ID! title: String! price: Float author: authors status: Status }
type authors implements Named { id: ID! name: String email: String }
union Found = articles | authors
input create_articles_input { title: String! price: Float = 1 status: Status }
`

const swap =
  (before: string, after: string) =>
  (text: string): string => {
    if (!text.includes(before)) throw new Error(`Expected ${before}`)
    return text.replace(before, after)
  }

/** Edits of the schema. */
export const plantedInSdl: readonly Planted<(text: string) => string>[] = [
  row('a field is removed', 'breaking', ['site'], swap(' title: String! price: Float author', ' price: Float author')),
  row(
    'a field of a related type is removed',
    'breaking',
    ['site'],
    swap('type authors implements Named { id: ID! name: String email', 'type authors { id: ID! email'),
  ),
  row('a field nobody reads is removed', 'breaking', [], swap(' email: String }', ' }')),
  row('a field is added', 'safe', [], swap(' email: String }', ' email: String age: Int }')),
  row(
    'a field may be null',
    'breaking',
    ['site'],
    swap('title: String! price: Float author', 'title: String price: Float author'),
  ),
  row('a field is never null', 'safe', [], swap('price: Float author', 'price: Float! author')),
  row('a field is deprecated', 'safe', [], swap('price: Float author', 'price: Float @deprecated author')),
  row(
    'a field has another type',
    'breaking',
    ['site'],
    swap('title: String! price: Float author', 'title: Int! price: Float author'),
  ),
  row('a query is removed', 'breaking', [], swap(' authors: [authors!] found', ' found')),
  row('an argument is required', 'breaking', ['site'], swap('limit: Int,', 'limit: Int!,')),
  row('an argument is removed', 'breaking', ['site'], swap('limit: Int, ', '')),
  row('an argument has another default', 'perhaps', ['site'], swap('Order = TITLE', 'Order = PRICE')),
  row('an input field is required', 'breaking', ['site'], swap('price: Float = 1', 'price: Float!')),
  row('an input field has another default', 'perhaps', ['site'], swap('Float = 1', 'Float = 2')),
  row('an enum loses a value', 'breaking', [], swap('TITLE PRICE', 'TITLE')),
  row('an enum loses the default of an argument', 'breaking', ['site'], (text) =>
    swap('= TITLE', '= PRICE')(swap('TITLE PRICE', 'PRICE')(text)),
  ),
  row('an enum loses a value of an input field', 'breaking', ['site'], swap('DRAFT LIVE', 'LIVE')),
  row('an enum has a new value', 'perhaps', [], swap('TITLE PRICE', 'TITLE PRICE DATE')),
  row('an enum of an answer has a new value', 'perhaps', ['board'], swap('DRAFT LIVE', 'DRAFT LIVE OLD')),
  row(
    'a union has a new type',
    'perhaps',
    [],
    swap('input create', 'type tags { id: ID }\nextend union Found = tags\ninput create'),
  ),
  row(
    'mutations end',
    'breaking',
    ['site'],
    swap('type Mutation { create_articles_item(data: create_articles_input!): articles }', ''),
  ),
]

const time = '2026-09-14T09:26:53Z'
const use = (client: string, operation: string, access: string, path: string) => ({
  client,
  generation: 'current',
  operation,
  access,
  path,
  lastCall: time,
})

export const uses = [
  use('shop', 'readItems', 'call', ''),
  ...['articles', 'articles.title', 'articles.author', 'articles.author.name'].map((path) =>
    use('shop', 'readItems', 'read', path),
  ),
  use('dashboard', 'readItems', 'call', ''),
  ...['articles', 'articles.*', 'articles.*.*'].map((path) => use('dashboard', 'readItems', 'read', path)),
  use('editor', 'createItems', 'call', ''),
  ...['articles', 'articles.title', 'articles.status'].map((path) => use('editor', 'createItems', 'create', path)),
  ...['articles', 'articles.title'].map((path) => use('editor', 'createItems', 'read', path)),
  use('cleaner', 'deleteItem', 'call', ''),
  use('cleaner', 'deleteItem', 'delete', 'articles'),
  use('site', 'runGraphql', 'call', ''),
  ...['articles', 'articles.title', 'articles.author', 'articles.author.name'].map((path) =>
    use('site', 'runGraphql', 'read', path),
  ),
  ...['articles', 'articles.price', 'articles.status'].map((path) => use('site', 'runGraphql', 'create', path)),
  use('board', 'runGraphql', 'read', 'articles.status'),
]
