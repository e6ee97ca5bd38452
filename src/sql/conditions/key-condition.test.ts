import { expect, test } from 'vitest'
import type { Key } from '../../domain/query/key.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { postgres } from '../dialects/postgres.ts'
import { worldSchema } from '../testing/test-database.ts'
import { keyCondition } from './key-condition.ts'

const world = await worldSchema()

const single = ['tag']
const several = ['article', 'tag']

type Case = {
  readonly keyColumns: readonly string[]
  readonly keys: readonly Key[]
  readonly condition: string
  readonly values: readonly unknown[]
}

test.each<[what: string, asked: Case]>([
  ['one key', { keyColumns: single, keys: ['a;b'], condition: `t0."tag" = $1::text`, values: [['a;b']] }],
  [
    'many keys',
    {
      keyColumns: single,
      keys: ['ice', 'sea'],
      condition: `t0."tag" = any($1::text[])`,
      values: [['ice', 'sea']],
    },
  ],
  [
    'one key of several columns',
    {
      keyColumns: several,
      keys: ['1;a%3Bb'],
      condition: `t0."article" = $1::bigint and t0."tag" = $2::text`,
      values: [['1'], ['a;b']],
    },
  ],
  [
    'many keys of several columns',
    {
      keyColumns: several,
      keys: ['1;ice', '2;sea'],
      condition: `(t0."article", t0."tag") in (select * from unnest($1::bigint[], $2::text[]))`,
      values: [
        ['1', '2'],
        ['ice', 'sea'],
      ],
    },
  ],
])('the rows of %s', (_what, { keyColumns, keys, condition, values }) => {
  const collection = { ...(world.collections.get('articles_tags') as Collection), keyColumns }
  const bound: unknown[] = []
  const text = keyCondition({ dialect: postgres }, collection, {
    prefix: 't0.',
    many: keys.length > 1,
    bound: (part) => `$${bound.push(keys.map(part))}`,
  })
  expect([text, bound]).toEqual([condition, values])
})
