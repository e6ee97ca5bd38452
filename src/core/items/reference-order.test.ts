import { expect, test } from 'vitest'
import type { Collection } from '../../domain/schema/schema.ts'
import { inReferenceOrder, type Referring } from './reference-order.ts'

const table = (name: string, ...references: Referring['references']): Referring => ({
  collection: { name } as Collection,
  references,
})
const needs = (...to: readonly string[]) => ({ to, isNullable: false })
const mayHave = (...to: readonly string[]) => ({ to, isNullable: true })

const namesOf = (tables: readonly Referring[], next: string | null = null) =>
  inReferenceOrder(tables, (waiting) => {
    const chosen = waiting.find(({ collection }) => collection.name === next)
    if (chosen === undefined) throw new Error('A circle')
    return chosen
  }).map(({ collection }) => collection.name)

test('a collection comes after those that it refers to, and otherwise as given', () => {
  const tables = [
    table('d'),
    table('a', needs('c'), mayHave('b')),
    table('c', needs('c')),
    table('b', needs('elsewhere')),
  ]
  expect(namesOf(tables)).toEqual(['d', 'c', 'b', 'a'])
})

test('in a circle, references that may be null wait', () => {
  expect(namesOf([table('a', needs('b')), table('b', mayHave('a'))])).toEqual(['b', 'a'])
})

test('the caller breaks a circle of references that may not be null', () => {
  const tables = [table('a', needs('b')), table('b', needs('a')), table('c', needs('a'))]
  expect(namesOf(tables, 'b')).toEqual(['b', 'a', 'c'])
  expect(() => namesOf(tables)).toThrow('A circle')
})
