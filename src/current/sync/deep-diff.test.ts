import { expect, test } from 'vitest'
import { deepDiff } from './deep-diff.ts'

const rows: readonly (readonly [string, unknown, unknown, readonly unknown[]])[] = [
  ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ['an edit', { a: 1, b: 2 }, { a: 1, b: '2' }, [{ kind: 'E', path: ['b'], lhs: 2, rhs: '2' }]],
  ['null and an object', { a: null }, { a: {} }, [{ kind: 'E', path: ['a'], lhs: null, rhs: {} }]],
  ['an array and an object', { a: [] }, { a: {} }, [{ kind: 'E', path: ['a'], lhs: [], rhs: {} }]],
  ['a new name that is empty', {}, { '': 1 }, [{ kind: 'N', path: [''], rhs: 1 }]],
  ['names of prototypes', {}, { constructor: 1 }, [{ kind: 'N', path: ['constructor'], rhs: 1 }]],
  [
    'deleted names first, in order',
    { c: 1, a: { x: 1 } },
    { a: { y: 2 } },
    [
      { kind: 'D', path: ['c'], lhs: 1 },
      { kind: 'D', path: ['a', 'x'], lhs: 1 },
      { kind: 'N', path: ['a', 'y'], rhs: 2 },
    ],
  ],
  [
    'a longer array, from its end',
    { a: [1] },
    { a: [2, 3, 4] },
    [
      { kind: 'A', path: ['a'], index: 2, item: { kind: 'N', rhs: 4 } },
      { kind: 'A', path: ['a'], index: 1, item: { kind: 'N', rhs: 3 } },
      { kind: 'E', path: ['a', 0], lhs: 1, rhs: 2 },
    ],
  ],
  ['a shorter array', ['x', 'y'], ['x'], [{ kind: 'A', index: 1, item: { kind: 'D', lhs: 'y' } }]],
  ['values themselves', 1, 2, [{ kind: 'E', lhs: 1, rhs: 2 }]],
]

test.each(rows)('%s', (_, lhs, rhs, differences) => {
  expect(deepDiff(lhs, rhs)).toEqual(differences)
})
