import { expect, test } from 'vitest'
import { english } from '../languages/en.ts'
import type { Collection, Field, Model } from '../model/model.ts'
import { filterWords } from './words.ts'

const field = (collection: string, name: string): Field => ({
  collection,
  field: name,
  type: 'string',
  schema: null,
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

const horses = collection('horses', 'name', 'owner', 'is_tired')
const model = {
  collections: new Map([
    ['horses', horses],
    ['owners', collection('owners', 'last_name')],
  ]),
  relations: [{ collection: 'horses', field: 'owner', related_collection: 'owners', meta: null }],
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

test('what a list of rules cannot say stays JSON', () => {
  const filter = { _not: { name: { _eq: 'Max' } } }
  expect(words(filter)).toBe('{"_not":{"name":{"_eq":"Max"}}}')
})
