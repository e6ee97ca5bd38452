/** Defects of writes and conditions. */
import {
  another,
  answerWith,
  type Defect,
  isDrafts,
  isItems,
  isMethod,
  isOne,
  jsonOf,
  onAnswer,
  onData,
  onRequest,
  onSent,
  type ProxyRequest,
  type Row,
  type Tamper,
  withJson,
  without,
  withoutHeader,
} from './defect.ts'

const isPatch = isMethod('PATCH', isDrafts)
const isPost = isMethod('POST', isDrafts)
const idOf = ({ path }: ProxyRequest): number => Number(/\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)

/** Writes the items of a list one by one, up to the first failure. */
const oneByOne: Tamper = async (request, forward) => {
  const list = jsonOf(request)
  if (!isPost(request) || !Array.isArray(list)) return forward(request)
  const created: unknown[] = []
  for (const item of list as Row[]) {
    const answer = await forward(another(request, 'POST', request.path, item))
    if (answer.status !== 200) return answer
    created.push((JSON.parse(answer.body.toString()) as { readonly data: unknown }).data)
  }
  return answerWith(200, { data: created })
}

const keysOneByOne: Tamper = async (request, forward) => {
  const body = jsonOf(request) as { readonly keys?: readonly unknown[]; readonly data?: unknown } | null
  if (!isPatch(request) || !Array.isArray(body?.keys)) return forward(request)
  for (const key of body.keys as readonly unknown[])
    await forward(another(request, 'PATCH', `${request.path}/${String(key)}`, body.data))
  return forward(request)
}

const deletesOneByOne: Tamper = async (request, forward) => {
  const keys = jsonOf(request)
  if (!isMethod('DELETE', isDrafts)(request) || !Array.isArray(keys)) return forward(request)
  for (const key of keys as readonly unknown[]) {
    const answer = await forward(another(request, 'DELETE', `${request.path}/${String(key)}`))
    if (answer.status !== 204) return answer
  }
  return answerWith(204)
}

/** Answers as if the item had been updated. */
const lostUpdate: Tamper = async (request, forward) => {
  const changes = jsonOf(request)
  if (!isPatch(request) || Number.isNaN(idOf(request)) || !Object.keys(changes ?? {}).includes('level'))
    return forward(request)
  const answer = await forward(another(request, 'GET', request.path))
  return onData(answer, (data) => ({ ...(data as Row), ...(changes as Row) }))
}

const writesNeighbour: Tamper = async (request, forward) => {
  const changes = jsonOf(request) as Row | null
  if (isPatch(request) && changes?.['views'] === 12)
    await forward(another(request, 'PATCH', request.path.replace(/\d+$/, String(idOf(request) + 1)), { views: 12 }))
  return forward(request)
}

/** Creates the author before the item, in another transaction. */
const splitWrite: Tamper = async (request, forward) => {
  const body = jsonOf(request) as Row | null
  const author = body?.['author']
  if (!isPost(request) || typeof author !== 'object' || author === null) return forward(request)
  const authors = request.path.replace(/_drafts$/, '_authors')
  const made = JSON.parse((await forward(another(request, 'POST', authors, author))).body.toString()) as {
    readonly data?: { readonly id: number }
  }
  return forward(withJson(request, () => ({ ...body, author: made.data?.id ?? null })))
}

export const writeDefects: readonly Defect[] = [
  { name: 'an update is lost', hint: 'updates in turn', tamper: lostUpdate },
  {
    name: 'an update clears another field',
    hint: 'nothing else',
    tamper: onSent(isPatch, (body, request) => (Number.isNaN(idOf(request)) ? body : { rating: null, ...body })),
  },
  { name: 'an update changes the next item too', hint: 'nothing else', tamper: writesNeighbour },
  { name: 'a list is written in parts', hint: 'creates none', tamper: oneByOne },
  { name: 'a batch update is written in parts', hint: 'changes nothing', tamper: keysOneByOne },
  { name: 'a batch deletion is done in parts', hint: 'refuses the whole deletion', tamper: deletesOneByOne },
  {
    name: 'a nested write is swallowed',
    hint: 'related items are created',
    tamper: onSent(isPost, (each) => without('notes', each)),
  },
  {
    name: 'a nested deletion is swallowed',
    hint: 'create, update and delete',
    tamper: onSent(isPatch, (body) =>
      typeof body['notes'] === 'object' && body['notes'] !== null && 'delete' in body['notes']
        ? { ...body, notes: { ...body['notes'], delete: [] } }
        : body,
    ),
  },
  {
    name: 'a nested list adds and does not replace',
    hint: 'replaces the related',
    tamper: onSent(isPatch, (body) =>
      Array.isArray(body['notes'])
        ? {
            ...body,
            notes: {
              create: (body['notes'] as Row[]).filter((note) => !('id' in note)),
              update: (body['notes'] as Row[]).filter((note) => 'id' in note),
              delete: [],
            },
          }
        : body,
    ),
  },
  { name: 'a nested write is not in one transaction', hint: 'refuses the whole item', tamper: splitWrite },
  {
    name: 'a default is ignored',
    hint: 'get their default',
    tamper: onSent(isPost, (body) => (Array.isArray(body) ? body : { level: null, ...body })),
  },
  {
    name: 'texts that are too long are cut',
    hint: 'createItems: impossible values',
    tamper: onSent(isPost, (body) =>
      typeof body['title'] === 'string' ? { ...body, title: body['title'].slice(0, 60) } : body,
    ),
  },
  {
    name: 'impossible values are stored as null',
    hint: 'updateItem: impossible values',
    tamper: onSent(isPatch, (body) => (body['views'] === 'many' ? { ...body, views: null } : body)),
  },
  {
    name: 'a duplicate is answered as if it were stored',
    hint: 'createItems: impossible values',
    tamper: onAnswer(isPost, (answer) =>
      answer.body.includes('RECORD_NOT_UNIQUE') ? answerWith(200, { data: { id: 1 } }) : answer,
    ),
  },
  {
    name: 'texts are stored without accents',
    hint: 'every kind',
    tamper: onSent(isPost, (body) =>
      typeof body['label'] === 'string'
        ? { ...body, label: body['label'].normalize('NFD').replaceAll(/\p{M}/gu, '') }
        : body,
    ),
  },
  {
    name: 'a deletion is swallowed',
    hint: 'is gone',
    tamper: async (request, forward) =>
      isMethod('DELETE', isDrafts)(request) && !Number.isNaN(idOf(request)) ? answerWith(204) : forward(request),
  },
  {
    name: 'the update of a singleton is swallowed',
    hint: 'singleton',
    tamper: onSent(
      (request) => request.method === 'PATCH' && request.path.endsWith('_settings'),
      (each) => without('count', each),
    ),
  },
  {
    name: 'the ETag does not change',
    hint: 'changed one is not',
    tamper: onAnswer(isOne, (answer) => {
      const headers = new Headers(answer.headers)
      headers.set('etag', '"same"')
      return { ...answer, headers }
    }),
  },
  {
    name: 'an old ETag is confirmed',
    hint: 'changed one is not',
    tamper: async (request, forward) =>
      isOne(request) && request.headers.has('if-none-match') ? answerWith(304) : forward(request),
  },
  {
    name: 'If-None-Match is ignored',
    hint: 'answered with 304',
    tamper: onRequest(isItems, withoutHeader('if-none-match')),
  },
  { name: 'If-Match is ignored', hint: 'conditional update', tamper: onRequest(isItems, withoutHeader('if-match')) },
]
