/** Operations that no batch runs, and what is said about those that fail. */
import { perVendor } from '../src/sql/testing/test-vendors.ts'

export type Operation = { readonly [key: string]: unknown }

export const create = (body: unknown, collection = 'books'): Operation => ({
  operation: 'createItems',
  parameters: { collection },
  body,
})

/** Triggers that take longer than a batch may. */
export const dawdle = perVendor({
  postgres: `create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(5); return new; end $$;
    create trigger dawdle before insert on shelves for each row execute function dawdle()`,
  mariadb: 'create trigger dawdle before insert on shelves for each row do sleep(5)',
})

/** Of a broken reference: the operation and its value. MariaDB has no references that only the commit looks at. */
export const [atCommit, broken] = perVendor({
  postgres: [undefined, 'Invalid foreign key for field "shelf" in collection "books".'],
  mariadb: [0, 'Invalid foreign key "99" for field "shelf" in collection "books".'],
})

const cannotUndo = (position: number, operation: string): string =>
  `Expected an operation that a transaction can undo for "operations.${position}" but received ${operation}`
const notOfThisApi = (name: string, received: string): string =>
  `Expected an operation of this API for "operations.0.${name}" but received "${received}"`
const notEarlier = (place: string, position: number): string =>
  `Expected the position of an earlier operation for "operations.${place}" but received ${position}`
const noReference = (place: string): string =>
  `Expected the position of an operation and a path in its answer, such as "0.data.id", for "operations.${place}"`

export const unservable: readonly (readonly [name: string, operations: readonly Operation[], reason: string])[] = [
  ['a login', [{ operation: 'login', body: { email: 'a@example.com', password: 'b' } }], cannotUndo(0, 'login')],
  ['a batch', [{ method: 'POST', path: '/batch', body: { operations: [] } }], cannotUndo(0, 'runBatch')],
  [
    'a change of the data model',
    [create({ title: 'One' }), { operation: 'createCollections', body: { collection: 'x' } }],
    cannotUndo(1, 'createCollections'),
  ],
  ['an upload', [{ operation: 'createFiles', body: {} }], cannotUndo(0, 'createFiles')],
  ['a mail', [{ operation: 'inviteUsers', body: { email: 'a@example.com', role: 'x' } }], cannotUndo(0, 'inviteUsers')],
  ['GraphQL', [{ operation: 'runGraphql', body: { query: '{ books { id } }' } }], cannotUndo(0, 'runGraphql')],
  [
    'an operation of the other generation',
    [{ method: 'POST', path: '/_/items/books', body: {} }],
    notOfThisApi('path', 'POST /_/items/books'),
  ],
  ['an unknown operation', [{ operation: 'dropEverything' }], notOfThisApi('operation', 'dropEverything')],
  ['a name that every object has', [{ operation: 'constructor' }], notOfThisApi('operation', 'constructor')],
  ['no name', [{ body: {} }], 'Expected either "operation" or both "method" and "path" for "operations.0"'],
  [
    'two names',
    [{ operation: 'createItems', method: 'POST', path: '/items/books', body: {} }],
    'Expected either "operation" or both "method" and "path" for "operations.0"',
  ],
  ['half a name', [{ method: 'POST' }], 'Expected both "method" and "path" for "operations.0"'],
  [
    'a missing parameter',
    [{ operation: 'createItems', body: {} }],
    'Expected a value for "collection" in "operations.0.parameters"',
  ],
  [
    'a surplus parameter',
    [{ operation: 'createItems', parameters: { collection: 'books', id: 1 }, body: {} }],
    'Expected no value for "id" in "operations.0.parameters"',
  ],
  [
    'no body',
    [{ operation: 'createItems', parameters: { collection: 'books' } }],
    'Expected a body for createItems but received nothing',
  ],
  ['a surplus body', [{ method: 'DELETE', path: '/items/books/1', body: {} }], 'Expected no body for deleteItem'],
  [
    'a condition without a meaning',
    [{ ...create({ title: 'One' }), if_match: '*' }],
    'Expected no "if_match" for createItems',
  ],
  [
    'a reference to a later operation',
    [create({ title: { $ref: '1.data.id' } }), create({ title: 'One' })],
    notEarlier('0.body.title', 1),
  ],
  ['a reference to itself', [create([{ title: { $ref: '0.data.id' } }])], notEarlier('0.body.0.title', 0)],
  [
    'a reference that is none',
    [create({ title: 'One' }), create({ title: { $ref: 'data.id' } })],
    noReference('1.body.title'),
  ],
  [
    'a reference without a text',
    [create({ title: 'One' }), create({ title: { $ref: 0 } })],
    noReference('1.body.title'),
  ],
  [
    'a reference in a path',
    [{ operation: 'deleteItem', parameters: { collection: 'books', id: { $ref: '5.data.id' } } }],
    notEarlier('0.parameters.id', 5),
  ],
  [
    'a reference in a query to itself',
    [{ ...create({ title: 'One' }), query: { fields: ['id', { $ref: '0.data.title' }] } }],
    notEarlier('0.query.fields.1', 0),
  ],
  [
    'a reference in a query that is none',
    [
      create({ title: 'One' }),
      { ...create({ title: 'Two' }), query: { filter: { id: { _eq: { $ref: 'data.id' } } } } },
    ],
    noReference('1.query.filter.id._eq'),
  ],
]
