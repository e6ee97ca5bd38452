import { expect, test } from 'vitest'
import { english } from '../languages/en.ts'
import type { Collection, Field, Model } from '../model/model.ts'
import { filterFields } from './fields.ts'
import { wayOf } from './paths.ts'
import { filterWords } from './words.ts'

const lists = ['rides', 'horses', 'prizes']

const field = (collection: string, name: string): Field => ({
  collection,
  field: name,
  type: 'string',
  schema: lists.includes(name) ? null : ({} as Field['schema']),
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
    ['owners', collection('owners', 'last_name', 'horses')],
    ['rides', collection('rides', 'length', 'horse', 'prizes')],
    ['prizes', collection('prizes', 'ride', 'item')],
    ['cups', collection('cups', 'metal')],
  ]),
  relations: [
    {
      collection: 'horses',
      field: 'owner',
      related_collection: 'owners',
      meta: { one_collection: 'owners', one_field: 'horses' },
    },
    {
      collection: 'prizes',
      field: 'ride',
      related_collection: 'rides',
      meta: { one_collection: 'rides', one_field: 'prizes' },
    },
    { collection: 'prizes', field: 'item', related_collection: null, meta: { one_allowed_collections: ['cups'] } },
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

const pathsAt = (way: string) => filterFields(model, horses, way).map(({ path, isWay }) => (isWay ? `${path} …` : path))

test('related items can be filtered by their fields, lists of them by some and by none, with ways further on', () => {
  expect(pathsAt('')).toEqual([
    'name',
    'owner',
    'is_tired',
    'owner.last_name',
    'rides._some.length',
    'rides._none.length',
    'owner.horses._some …',
    'owner.horses._none …',
    'rides._some.prizes._some …',
    'rides._some.prizes._none …',
    'rides._none.prizes._some …',
    'rides._none.prizes._none …',
  ])
})

test('behind a way come the fields at its end, of each collection of a many-to-any too', () => {
  const way = 'rides._none.prizes._some'
  expect(pathsAt(way)).toEqual([
    `${way}.ride`,
    `${way}.item`,
    `${way}.ride.length`,
    `${way}.ride.horse`,
    `${way}.ride.horse.name`,
    `${way}.ride.horse.owner`,
    `${way}.ride.horse.is_tired`,
    `${way}.item:cups.metal`,
    `${way}.ride.horse.owner …`,
    `${way}.ride.horse.rides._some …`,
    `${way}.ride.horse.rides._none …`,
    `${way}.ride.prizes._some …`,
    `${way}.ride.prizes._none …`,
  ])
  expect(pathsAt('owner.nothing._some')).toEqual([])
  expect(wayOf(`${way}.item:cups.metal`)).toBe(way)
  expect(words({ rides: { _none: { prizes: { _some: { 'item:cups': { metal: { _eq: 'gold' } } } } } } })).toBe(
    'Rides (none) › Prizes (at least one) › Item (Cups) › Metal is gold',
  )
})

test('conditions within conditions are in parentheses', () => {
  const tired = { is_tired: { _eq: true } }
  expect(words({ _or: [{ _and: [{ name: { _eq: 'Max' } }, tired] }, tired] })).toBe(
    '(Name is Max and Is tired is true) or Is tired is true',
  )
  expect(words({ rides: { _some: { _and: [{ length: { _gt: 3 } }, { horse: { _null: true } }] } } })).toBe(
    'Rides (at least one): (Length greater than 3 and Horse has no value)',
  )
  expect(words({ owner: { _some: { last_name: { _eq: 'Lee' } } } })).toBe('Owner › Last name is Lee')
})

test('what has no words stays JSON', () => {
  const filter = { _or: [{ name: { _regex: 'M.x' } }, { name: { _eq: 'Max' } }] }
  expect(words(filter)).toBe('{"_or":[{"name":{"_regex":"M.x"}},{"name":{"_eq":"Max"}}]}')
})
