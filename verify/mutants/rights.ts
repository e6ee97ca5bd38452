/** Defects of rights and caches. */
import {
  another,
  answerWith,
  asAdmin,
  type Defect,
  type Forward,
  isArticles,
  isDrafts,
  isItems,
  isList,
  isMethod,
  isOne,
  isReader,
  onBody,
  onData,
  onRequest,
  type ProxyAnswer,
  type ProxyRequest,
  type Row,
  rowsOf,
  type Tamper,
  type Test,
  type Tokens,
  withoutHeader,
  withQuery,
} from './defect.ts'

const readable = 'id,title,views,live,author'

/** The restricted user is answered like the administrator. */
const raised = (
  tokens: Tokens,
  test: Test,
  change: (request: ProxyRequest) => ProxyRequest = (request) => request,
): Tamper => onRequest(isReader(tokens, test), (request) => asAdmin(tokens, change(request)))

const withFields = (request: ProxyRequest): ProxyRequest =>
  withQuery(request, (query) => {
    if (!query.has('fields') && ![...query.keys()].some((name) => name.startsWith('aggregate')))
      query.set('fields', readable)
  })

/** Whether a parameter names the field that the restricted user may not read. */
const names =
  (parameter: string): Test =>
  (request) =>
    isArticles(request) && request.query.get(parameter)?.includes('secret') === true

/** Asks as the administrator, within the rows of the rule. */
const within = (request: ProxyRequest): ProxyRequest =>
  withQuery(request, (query) => {
    const filter = query.get('filter')
    const rule = { live: { _eq: true } }
    query.set('filter', JSON.stringify(filter === null ? rule : { _and: [rule, JSON.parse(filter)] }))
    if (!query.has('fields')) query.set('fields', readable)
  })

const cacheKey = ({ method, path, query }: ProxyRequest): string => `${method} ${path}?${query.toString()}`

/** Keeps successful reads by a key. */
const cached =
  (key: (request: ProxyRequest) => string): Tamper =>
  async (request, forward, kept) => {
    if (!isList(request) && !isOne(request)) return forward(request)
    const recorded = kept.get(key(request))
    const answer = recorded ?? (await forward(withoutHeader('if-none-match')(request)))
    if (answer.status === 200) kept.set(key(request), answer)
    return answer
  }

const hidesBadly: (tokens: Tokens) => Tamper = (tokens) => async (request, forward) => {
  const answer = await forward(request)
  if (!isReader(tokens, isOne)(request) || answer.status !== 403) return answer
  const exists = (await forward(asAdmin(tokens, another(request, 'GET', request.path)))).status === 200
  if (!exists) return answer
  const message = 'You may not read this item.'
  return {
    ...answerWith(403, {
      error: { code: 'FORBIDDEN', message },
      errors: [{ message, extensions: { code: 'FORBIDDEN' } }],
    }),
  }
}

const showsSecret: (tokens: Tokens) => Tamper = (tokens) => async (request, forward) => {
  const answer = await forward(request)
  if (!isReader(tokens, isArticles)(request) || request.query.has('fields') || answer.status !== 200) return answer
  const all = rowsOf(
    await forward(
      asAdmin(
        tokens,
        withQuery(another(request, 'GET', request.path), (query) => query.set('fields', 'id,secret')),
      ),
    ),
  )
  const secretOf = new Map(all.map((row) => [row['id'], row['secret']]))
  return onData(answer, (data) =>
    (data as Row[]).map((row) => ('id' in row ? { ...row, secret: secretOf.get(row['id']) } : row)),
  )
}

const countsAll: (tokens: Tokens) => Tamper = (tokens) => async (request, forward) => {
  const answer = await forward(request)
  if (!isReader(tokens, isArticles)(request) || !request.query.has('meta')) return answer
  const all = await forward(asAdmin(tokens, request))
  const { meta } = JSON.parse(all.body.toString()) as { readonly meta: unknown }
  return onBody(answer, (body) => ({ ...body, meta }))
}

const keepsPermission: (tokens: Tokens) => Tamper = (tokens) => async (request, forward, kept) => {
  const isTags = isReader(tokens, ({ path, method }) => path.endsWith('_tags') && method === 'GET')(request)
  const answer = await forward(request)
  if (isTags && answer.status === 200) kept.set('tags', answer)
  return isTags && answer.status === 403 ? (kept.get('tags') ?? answer) : answer
}

const answersAll: (tokens: Tokens) => Tamper = (tokens) => async (request, forward) => {
  const answer = await forward(request)
  const isWrite = isReader(tokens, (each) => isDrafts(each) && each.method === 'PATCH')(request)
  if (!isWrite || answer.status !== 200) return answer
  return forward(asAdmin(tokens, another(request, 'GET', request.path)))
}

const borrowed: (tokens: Tokens) => Tamper =
  (tokens) =>
  async (request: ProxyRequest, forward: Forward): Promise<ProxyAnswer> => {
    const isAsset = request.path.startsWith('/assets/') && !request.headers.has('authorization')
    return forward(isAsset ? asAdmin(tokens, request) : request)
  }

export const rightsDefects = (tokens: Tokens): readonly Defect[] => [
  {
    name: 'a list shows rows that the rule hides',
    hint: 'items of its rule',
    tamper: raised(tokens, isArticles, withFields),
  },
  { name: 'a hidden row is read by its key', hint: 'hidden item', tamper: raised(tokens, isOne, withFields) },
  { name: 'a list shows a field that the rule hides', hint: 'items of its rule', tamper: showsSecret(tokens) },
  { name: 'a hidden field is sorted by', hint: 'by sort', tamper: raised(tokens, names('sort'), within) },
  { name: 'a hidden field is filtered by', hint: 'by filter', tamper: raised(tokens, names('filter'), within) },
  { name: 'a hidden field is aggregated', hint: 'by aggregate', tamper: raised(tokens, names('aggregate[min]')) },
  { name: 'a hidden field is grouped by', hint: 'by groupBy', tamper: raised(tokens, names('groupBy')) },
  { name: 'a hidden field is shown under an alias', hint: 'by alias', tamper: raised(tokens, names('alias'), within) },
  {
    name: 'a hidden field of a related item is shown',
    hint: 'by related field',
    tamper: raised(
      tokens,
      (request) => isArticles(request) && request.query.get('fields') === 'id,author.secret',
      within,
    ),
  },
  {
    name: 'search looks into hidden fields',
    hint: 'search looks',
    tamper: raised(tokens, (request) => isArticles(request) && request.query.has('search'), within),
  },
  {
    name: 'related items are not restricted',
    hint: 'related items are those',
    tamper: raised(
      tokens,
      (request) => request.path.endsWith('_authors'),
      (request) =>
        withQuery(request, (query) =>
          query.set(
            'fields',
            `id,name,${readable
              .split(',')
              .map((name) => `articles.${name}`)
              .join(',')}`,
          ),
        ),
    ),
  },
  { name: 'counts include hidden rows', hint: 'counts of a restricted', tamper: countsAll(tokens) },
  {
    name: 'aggregates include hidden rows',
    hint: 'aggregates of a restricted',
    tamper: raised(tokens, (request) => isArticles(request) && request.query.get('aggregate[sum]') === 'views'),
  },
  { name: 'an error tells that a hidden item exists', hint: 'hidden item', tamper: hidesBadly(tokens) },
  { name: 'updates are not checked', hint: 'permitted fields', tamper: raised(tokens, isMethod('PATCH', isDrafts)) },
  {
    name: 'deletions are not checked',
    hint: 'deletions without',
    tamper: raised(tokens, isMethod('DELETE', isDrafts)),
  },
  {
    name: 'creations are not checked',
    hint: 'permitted fields only',
    tamper: raised(tokens, isMethod('POST', isDrafts)),
  },
  { name: 'the answer to a write shows all fields', hint: 'permitted fields of', tamper: answersAll(tokens) },
  {
    name: 'an unknown token is that of the administrator',
    hint: 'without a token',
    tamper: onRequest(
      (request) => isItems(request) && request.headers.get('authorization') === 'Bearer nobody-has-this-token',
      (request) => asAdmin(tokens, request),
    ),
  },
  {
    name: 'users without a token may read',
    hint: 'without a token',
    tamper: onRequest(
      (request) => isItems(request) && !request.headers.has('authorization'),
      (request) => asAdmin(tokens, request),
    ),
  },
  { name: 'files are public', hint: 'uploadFiles', tamper: borrowed(tokens) },
  { name: 'a deleted permission still holds', hint: 'rights deletePermission', tamper: keepsPermission(tokens) },
  { name: 'the cache is shared between users', hint: 'not shared', tamper: cached(cacheKey) },
  {
    name: 'the cache is not cleared by writes',
    hint: 'disappears from lists',
    tamper: cached((request) => `${request.headers.get('authorization') ?? ''} ${cacheKey(request)}`),
  },
]
