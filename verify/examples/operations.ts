/** Changes of operations and of authentication. */
import { day, flows, operation, type Row, scheme } from './document.ts'

export const operationExamples: readonly Row[] = [
  ['a path is gone', [{}, { paths: {} }], 'breaking'],
  ['an operation is gone', [{}, { paths: { '/things': {} } }], 'breaking'],
  [
    'an operation is gone before its announced end',
    [operation({ deprecated: true, 'x-sunset': day(2900) }), { paths: {} }],
    'breaking',
  ],
  [
    'an operation is gone after its announced end',
    [operation({ deprecated: true, 'x-sunset': day(2000) }), { paths: {} }],
    'perhaps',
  ],
  ['an operation is deprecated', [{}, operation({ deprecated: true })], 'safe'],
  [
    'an operation ends earlier',
    [operation({ 'x-sunset': day(2900) }), operation({ 'x-sunset': day(2800) })],
    'perhaps',
  ],
  ['an operation no longer says when it ends', [operation({ 'x-sunset': day(2900) }), {}], 'perhaps'],
  ['an end that is no day', [operation({ 'x-sunset': day(2900) }), operation({ 'x-sunset': 'soon' })], 'perhaps'],
  ['an end that was no day', [operation({ 'x-sunset': 'soon' }), operation({ 'x-sunset': day(2900) })], 'perhaps'],
  ['an operation has another id', [{}, operation({ operationId: 'makeThing' })], 'breaking'],
  ['another tag', [operation({ tags: ['a'] }), operation({ tags: ['b'] })], 'none'],
  ['other servers', [{}, { root: { servers: [{ url: 'https://b.example' }] } }], 'none'],
  ['another comment and extension', [{}, operation({ description: 'New.', 'x-note': 1 })], 'none'],
  ['nothing changes', [{}, {}], 'none'],
  [
    'a path has another name for its parameter',
    [
      { paths: { '/a/{id}': { get: { operationId: 'a', responses: {} } } } },
      { paths: { '/a/{key}': { get: { operationId: 'a', responses: {} } } } },
    ],
    'none',
  ],
  [
    'a path has a new parameter',
    [
      { paths: { '/a': { get: { operationId: 'a', responses: {} } } } },
      { paths: { '/a/{id}': { get: { operationId: 'a', responses: {} } } } },
    ],
    'breaking',
  ],

  ['authentication is demanded', [{}, scheme({})], 'breaking'],
  ['authentication is no longer demanded', [scheme({}), {}], 'safe'],
  ['another way of authentication', [scheme({}), scheme({}, [{ key: [] }, { other: [] }])], 'safe'],
  ['a further scope is demanded', [scheme({}, [{ key: ['a'] }]), scheme({}, [{ key: ['a', 'b'] }])], 'breaking'],
  ['a key is sent elsewhere', [scheme({}), scheme({ in: 'query' })], 'breaking'],
  ['another type of authentication', [scheme({}), scheme({ type: 'http', scheme: 'bearer' })], 'breaking'],
  ['another address of tokens', [flows({}), flows({ tokenUrl: 'https://b.example' })], 'perhaps'],
  ['a new scope', [flows({}), flows({ scopes: { write: 'Write.' } })], 'perhaps'],
]
