import { expect, test } from 'vitest'
import { english } from '../languages/en.ts'
import type { Collection, Field, Model } from '../model/model.ts'
import { filterFields } from './rules.ts'
import { filterWords } from './words.ts'

const field = (collection: string, name: string): Field => ({
  collection,
  field: name,
  type: 'string',
  schema: name === 'rides' ? null : ({} as Field['schema']),
  meta: null,
})

const collection = (name: string, ...fields: readonly string[]): Collection => ({
  name,
  meta: {},
  isFolder: false,
  isSystem: false,
  fields: fields.map((each) => field(name, each)),
  key: 'id',
  rights: {},
})

const horses = collection('horses', 'name', 'owner', 'is_tired', 'rides')
const model = {
  collections: new Map([
    ['horses', horses],
    ['owners', collection('owners', 'last_name')],
    ['rides', collection('rides', 'length', 'horse')],
  ]),
  relations: [
    { collection: 'horses', field: 'owner', related_collection: 'owners', meta: null },
    {
      collection: 'rides',
      field: 'horse',
      related_collection: 'horses',
      meta: { one_collection: 'horses', one_field: 'rides' },
    },
  ],
} as unknown as Model

const translate = (key: string): string =>
  String(key.split('.').reduce<unknown>((at, name) => (at as { [name: string]: unknown })[name], english))

const words = (filter: object): string => filterWords(model, horses, filter, translate)

test('rules are named by labels, operators and values in words', () => {
  expect(words({ name: { _contains: 'Max' }, is_tired: { _null: true } })).toBe(
    'Name contains Max and Is tired has no value',
  )
  expect(words({ _or: [{ owner: { last_name: { _eq: 'Lee' } } }, { owner: { id: { _eq: '$CURRENT_USER' } } }] })).toBe(
    'Owner › Last name is Lee or Owner › id is the user',
  )
})

test('a list of related items says of how many', () => {
  expect(words({ rides: { _none: { length: { _gt: 3 } } } })).toBe('Rides (none) › Length greater than 3')
})

test('related items can be filtered by their fields, lists of them by some and by none', () => {
  expect(filterFields(model, horses).map(({ path }) => path)).toEqual([
    'name',
    'owner',
    'is_tired',
    'owner.last_name',
    'rides._some.length',
    'rides._none.length',
  ])
})

test('what a list of rules cannot say stays JSON', () => {
  const filter = { _not: { name: { _eq: 'Max' } } }
  expect(words(filter)).toBe('{"_not":{"name":{"_eq":"Max"}}}')
})
