/** Defects of GraphQL, the legacy API and system resources. */
import {
  answerWith,
  asAdmin,
  type Defect,
  isGraphql,
  isLegacy,
  isMethod,
  isReader,
  onAnswer,
  onAnswered,
  onData,
  onParameter,
  onRequest,
  onSent,
  type Row,
  type Test,
  type Tokens,
  without,
  withoutParameter,
} from './defect.ts'

/** The same change of each row of the root field `it`. */
const onIt = (change: (row: Row) => Row) =>
  onAnswered(isGraphql, (body) => {
    const data = body['data'] as { readonly it?: unknown } | null | undefined
    if (data?.it === undefined || data.it === null) return body
    return { ...body, data: { it: Array.isArray(data.it) ? (data.it as Row[]).map(change) : change(data.it as Row) } }
  })

const onVariables = (change: (variables: Row) => Row) =>
  onSent(isGraphql, (body) => ({ ...body, variables: change((body['variables'] ?? {}) as Row) }))

const isMutation: Test = (request) => isGraphql(request) && request.body?.toString().includes('mutation') === true
const isArticlesQuery: Test = (request) =>
  isGraphql(request) &&
  !isMutation(request) &&
  request.body?.toString().includes('secret') === false &&
  !request.body.toString().includes('_tags')

export const otherDefects = (tokens: Tokens): readonly Defect[] => [
  {
    name: 'GraphQL ignores the filter',
    hint: 'every operator finds',
    tamper: onVariables((each) => without('filter', each)),
  },
  {
    name: 'GraphQL ignores the sort',
    hint: 'filters, sorts and pages find',
    tamper: onVariables((each) => without('sort', each)),
  },
  {
    name: 'GraphQL ignores the page',
    hint: 'filters, sorts and pages find',
    tamper: onVariables((each) => without('page', each)),
  },
  {
    name: 'GraphQL shows other values than REST',
    hint: 'same values as by REST',
    tamper: onIt((row) => (typeof row['rating'] === 'number' ? { ...row, rating: Math.round(row['rating']) } : row)),
  },
  {
    name: 'GraphQL counts otherwise than REST',
    hint: 'aggregates are those of REST',
    tamper: onIt((row) =>
      'countAll' in row
        ? { ...row, count: { views: row['countAll'] === null ? 0 : Number(row['countAll']) + 1 } }
        : row,
    ),
  },
  {
    name: 'GraphQL shows hidden rows',
    hint: 'graphql readGraphql: a restricted',
    tamper: onRequest(isReader(tokens, isArticlesQuery), (request) => asAdmin(tokens, request)),
  },
  {
    name: 'GraphQL does not check mutations',
    hint: 'refused mutation',
    tamper: onRequest(isReader(tokens, isMutation), (request) => asAdmin(tokens, request)),
  },
  {
    name: 'GraphQL hides errors',
    hint: 'invalid documents',
    tamper: onAnswered(isGraphql, (body) => ('errors' in body ? { data: { it: null } } : body)),
  },
  {
    name: 'the legacy API ignores the filter',
    hint: 'legacy readItems: filters',
    tamper: onRequest(isLegacy, (request) =>
      [...request.query.keys()]
        .filter((name) => name.startsWith('filter'))
        .reduce((changed, name) => withoutParameter(name)(changed), request),
    ),
  },
  {
    name: 'the legacy API sorts otherwise',
    hint: 'legacy readItems: sorts',
    tamper: onParameter(isLegacy, 'sort', (text) => text.replace(/^-/, '')),
  },
  {
    name: 'the legacy API shows hidden rows',
    hint: 'legacy readItems: a restricted',
    tamper: onRequest(isReader(tokens, isLegacy), (request) => asAdmin(tokens, request)),
  },
  {
    name: 'the legacy API counts wrong',
    hint: 'legacy readItems: counts',
    tamper: onAnswered(isLegacy, (body) =>
      'meta' in body ? { ...body, meta: { ...(body['meta'] as Row), filter_count: 0 } } : body,
    ),
  },
  {
    name: 'the legacy API shows a missing item',
    hint: 'legacy readItem:',
    tamper: onAnswer(isLegacy, (answer) => (answer.status === 404 ? answerWith(200, { data: {} }) : answer)),
  },
  {
    name: 'the legacy API swallows updates',
    hint: 'what one API writes',
    tamper: async (request, forward) =>
      request.method === 'PATCH' && request.path.startsWith('/_/items/')
        ? forward({ ...request, method: 'GET', body: null })
        : forward(request),
  },
  {
    name: 'a user is shown with its token',
    hint: 'without their secrets',
    tamper: onAnswer(
      ({ path }) => path.startsWith('/users/'),
      (answer) => onData(answer, (data) => ('token' in (data as Row) ? { ...(data as Row), token: 'tv_plain' } : data)),
    ),
  },
  {
    name: 'a wrong password is accepted',
    hint: 'system login',
    tamper: async (request, forward) => {
      const answer = await forward(request)
      return request.path === '/auth/login' && answer.status === 401
        ? answerWith(200, { data: { access_token: 'x', refresh_token: 'y', expires: 900_000 } })
        : answer
    },
  },
  {
    name: 'a logout does not end the session',
    hint: 'system login',
    tamper: async (request, forward) => (request.path === '/auth/logout' ? answerWith(204) : forward(request)),
  },
  {
    name: 'a file lacks its last byte',
    hint: 'uploadFiles',
    tamper: onAnswer(
      ({ path }) => path.startsWith('/assets/'),
      (answer) => (answer.status === 200 ? { ...answer, body: answer.body.subarray(0, -1) } : answer),
    ),
  },
  {
    name: 'a field is missing in the data model',
    hint: 'data model is',
    tamper: onAnswer(
      isMethod('GET', ({ path }) => path.startsWith('/fields/')),
      (answer) => onData(answer, (data) => (Array.isArray(data) ? (data as Row[]).slice(0, -1) : data)),
    ),
  },
  {
    name: 'an update leaves no revision',
    hint: 'system readRevisions',
    tamper: onAnswer(
      ({ path }) => path === '/revisions',
      (answer) => onData(answer, () => []),
    ),
  },
]
