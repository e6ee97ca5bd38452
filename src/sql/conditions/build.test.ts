import { describe, expect, test } from 'vitest'
import type { Collection } from '../../domain/schema/schema.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import { postgres } from '../dialects/postgres.ts'
import { worldSchema } from '../testing/test-database.ts'
import { noon, someUser, viewOf } from '../testing/test-query.ts'
import { bind, bindMoment, boundValues, createBuild, openLevel, tableText } from './build.ts'

const schema = await worldSchema()

const start = () => createBuild({ schema, view: viewOf(), dialect: postgres })

test('parameters have the values of their nodes, or of the moment', () => {
  const build = start()
  expect(bind(build, { title: 'x' }, ({ title }) => title)).toBe('$1')
  expect(bindMoment(build, ({ actor, clock }) => [actor.kind, clock()])).toBe('$2')
  expect(boundValues(build, { actor: someUser, clock: noon })).toEqual(['x', ['user', noon()]])
})

test('one statement takes 3000 tables', () => {
  const build = start()
  build.aliases = 2999
  expect(openLevel(build, 'articles').alias).toBe('t2999')
  const reason = 'Expected at most 3000 relations in one query but received more'
  expect(caught(() => openLevel(build, 'articles')).failures).toEqual([
    { kind: 'invalid-query', name: 'query', reason },
  ])
})

function named(table: Collection['table']): string {
  const articles = schema.collections.get('articles') as Collection
  return tableText(start(), { collection: { ...articles, table }, alias: 't0' })
}

describe('a table', () => {
  test('is named with its schema, if it is not on the search path', () => {
    expect(named({ schema: null, name: 'odd "name"' })).toBe('"odd ""name""" t0')
    expect(named({ schema: 'shop', name: 'articles' })).toBe('"shop"."articles" t0')
  })

  test('is missing for a folder', () => {
    expect(() => named(null)).toThrow('Collection articles has no table')
  })
})
