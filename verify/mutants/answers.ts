/** Defects of statuses, values and types. */
import {
  answerWith,
  type Defect,
  isArticles,
  isDrafts,
  isItems,
  isList,
  isMethod,
  isOne,
  onAnswer,
  onAnswered,
  onField,
  onRows,
  type Test,
  without,
} from './defect.ts'

const isWrite: Test = (request) => isItems(request) && request.method !== 'GET'
const isRead: Test = (request) => isList(request) || isOne(request)

export const answerDefects: readonly Defect[] = [
  {
    name: 'a creation answers 201',
    hint: 'createItems',
    tamper: onAnswer(isMethod('POST', isItems), (answer) =>
      answer.status === 200 ? { ...answer, status: 201 } : answer,
    ),
  },
  {
    name: 'a deletion answers 200 with a body',
    hint: 'deleteItem:',
    tamper: onAnswer(isMethod('DELETE', isItems), (answer) =>
      answer.status === 204 ? answerWith(200, { data: null }) : answer,
    ),
  },
  {
    name: 'a missing item answers 200 and null',
    hint: 'missing items',
    tamper: onAnswer(isOne, (answer) => (answer.status === 403 ? answerWith(200, { data: null }) : answer)),
  },
  {
    name: 'an invalid query answers an empty list',
    hint: 'refused with 400',
    tamper: onAnswer(isList, (answer) => (answer.status === 400 ? answerWith(200, { data: [] }) : answer)),
  },
  {
    name: 'an invalid page is a failure of the server',
    hint: 'impossible pages',
    tamper: onAnswer(isList, (answer, { query }) =>
      query.get('page') === 'x'
        ? answerWith(500, { error: { code: 'INTERNAL_SERVER_ERROR', message: 'x' }, errors: [] })
        : answer,
    ),
  },
  {
    name: 'an item lacks a field that was asked for',
    hint: 'values that were written',
    tamper: onRows(isRead, (each) => without('rating', each)),
  },
  {
    name: 'an item has a further field',
    hint: 'fields that are asked for',
    tamper: onRows(isRead, (row) => ({ ...row, internal: true })),
  },
  {
    name: 'integers are written as text',
    hint: 'values that were written',
    tamper: onField(isRead, 'views', String),
  },
  {
    name: 'big integers lose digits',
    hint: 'read back as they were written',
    tamper: onField(isRead, 'big', (value) => String(Number(value))),
  },
  {
    name: 'decimals are rounded',
    hint: 'values that were written',
    tamper: onField(isRead, 'price', (value) => Number(value).toFixed(1)),
  },
  {
    name: 'timestamps are shown in another zone',
    hint: 'values that were written',
    tamper: onField(isRead, 'stamp', (value) => new Date(Date.parse(String(value)) + 3_600_000).toISOString()),
  },
  {
    name: 'JSON is written as text',
    hint: 'values that were written',
    tamper: onField(isRead, 'data', (value) => JSON.stringify(value)),
  },
  {
    name: 'empty texts are shown as null',
    hint: 'values that were written',
    tamper: onField(isArticles, 'label', (value) => (value === '' ? null : value)),
  },
  {
    name: 'the envelope has a further key',
    hint: 'an item is read by its key',
    tamper: onAnswered(isRead, (body) => ({ ...body, took: 3 })),
  },
  {
    name: 'the answer has another content type',
    hint: 'an item is read by its key',
    tamper: onAnswer(isRead, (answer) => {
      const headers = new Headers(answer.headers)
      headers.set('content-type', 'text/html')
      return { ...answer, headers }
    }),
  },
  {
    name: 'an error lacks its list of failures',
    hint: 'refused with 400',
    tamper: onAnswer(isItems, (answer) =>
      answer.status === 400 ? answerWith(400, { error: { code: 'INVALID_QUERY', message: 'No.' } }) : answer,
    ),
  },
  {
    name: 'the answer to a write is not what is stored',
    hint: 'nothing else',
    tamper: onField(
      (request) => isWrite(request) && isDrafts(request),
      'views',
      (value) => Number(value) + 1,
    ),
  },
  {
    name: 'a system record lacks a required property',
    hint: 'spec readPolicies: an administrator',
    tamper: onAnswered(
      ({ path }) => path === '/permissions' || path === '/policies' || path === '/roles',
      (each) => without('data', each),
    ),
  },
]
