import { expect, test } from 'vitest'
import { german } from '../languages/de.ts'
import { english } from '../languages/en.ts'
import type { Collection, Field, Model } from '../model/model.ts'
import { causeWords, type Here, itemsWords } from './explained-words.ts'

type Tree = { readonly [name: string]: string | Tree }

const translateBy =
  (texts: unknown): Here['translate'] =>
  (key, values = {}) =>
    Object.entries(values).reduce(
      (text, [name, value]) => text.replace(`%{${name}}`, () => String(value)),
      (key.split('.').reduce<Tree | string>((at, name) => (at as Tree)[name] ?? '', texts as Tree) as string) ||
        ((values as { _?: string })._ ?? ''),
    )

const field = (name: string): Field => ({ collection: 'rides', field: name, type: 'string', schema: null, meta: null })

const collection: Collection = {
  name: 'rides',
  meta: {},
  isFolder: false,
  isSystem: false,
  fields: ['status', 'title', 'owner', 'seats'].map(field),
  key: 'id',
  rights: {},
}

const model = { collections: new Map([['rides', collection]]), relations: [] } as unknown as Model
const inEnglish: Here = { model, collection, translate: translateBy(english) }
const inGerman: Here = { ...inEnglish, translate: translateBy(german) }

const told = (here: Here, cause: object): string =>
  causeWords(here, { code: 'rule', message: 'As the server says it', ...cause })

const editors = { kind: 'permission', permission: 7, policy: 'e', policy_name: 'Editors' } as const

const items = (here: Here, filter: object | null): string => itemsWords(here, 'read', { text: 'as it is', filter })

test('the items of a rule are in words, in both languages', () => {
  expect(items(inEnglish, { _and: [{ status: { _eq: 'published' } }, { owner: { _eq: '$CURRENT_USER' } }] })).toBe(
    'Status is published and Owner is the user',
  )
  expect(items(inGerman, { _and: [{ status: { _eq: 'published' } }, { owner: { _null: true } }] })).toBe(
    'Status ist published und Owner hat keinen Wert',
  )
  expect(items(inGerman, {})).toBe('jeder Eintrag')
  expect(items(inGerman, { _or: [] })).toBe('kein Eintrag')
  expect(items(inEnglish, { status: { _regex: 'a.b' } })).toBe('{"status":{"_regex":"a.b"}}')
  expect(items(inEnglish, null)).toBe('as it is')
  expect(itemsWords(inGerman, 'create', { text: 'new items', filter: null })).toBe('neue Einträge')
})

test('causes are in words, in both languages', () => {
  const unmet = { ...editors, code: 'item-not-covered', filter: { status: { _eq: 'published' } } }
  expect(told(inEnglish, unmet)).toBe(
    'Permission 7 of the policy “Editors” reaches only items with: Status is published. This item does not meet it.',
  )
  expect(told(inGerman, unmet)).toBe(
    'Berechtigung 7 der Richtlinie „Editors“ erreicht nur Einträge mit: Status ist published. Dieser Eintrag erfüllt das nicht.',
  )
  expect(told(inGerman, { ...editors, code: 'field-not-covered', fields: ['title', 'seats'], field: 'owner' })).toBe(
    'Berechtigung 7 der Richtlinie „Editors“ nennt: Title, Seats. „Owner“ ist nicht dabei.',
  )
  const holders = [
    { role: 'r', user: null, name: 'Chiefs' },
    { role: null, user: null, name: null },
  ]
  expect(told(inEnglish, { code: 'policy-not-held', policy_name: 'A "b"', holders, others: 2 })).toBe(
    'The policy “A "b"” would allow it. It is held by role “Chiefs”, visitors, 2 other users.',
  )
  expect(told(inEnglish, { code: 'policy-not-held', policy_name: 'A' })).toBe(
    'The policy “A” would allow it. Nobody holds it.',
  )
  expect(told(inEnglish, { code: 'other-action', collection: 'rides', actions: ['read', 'share'] })).toBe(
    'The rules on “Rides” are about: Read, Share.',
  )
  expect(told(inGerman, { kind: 'level', level: 3, role_name: 'Staff', status: 'draft' })).toBe(
    'Stufe 3 der Rolle „Staff“ für Einträge mit dem Status „draft“ erlaubt es.',
  )
  expect(told(inGerman, {})).toBe('Mehrere Regeln zusammen erlauben es.')
  expect(told(inGerman, { code: 'database-refuses' })).toBe('As the server says it')
})
