import { expect, test } from 'vitest'
import { german } from '../languages/de.ts'
import { english } from '../languages/en.ts'
import type { Collection, Field, Model } from '../model/model.ts'
import { toFilter } from './condition.ts'
import { conditionWords, type Here, messageWords } from './explained-words.ts'

type Tree = { readonly [name: string]: string | Tree }

const translateBy =
  (texts: unknown): Here['translate'] =>
  (key, values = {}) =>
    Object.entries(values).reduce(
      (text, [name, value]) => text.replace(`%{${name}}`, () => String(value)),
      key.split('.').reduce<Tree | string>((at, name) => (at as Tree)[name] ?? '', texts as Tree) as string,
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

test('a condition of the server is read as a filter', () => {
  expect(toFilter('(status _eq "a, (b) or \\"c\\"" or owner _eq $CURRENT_USER) and not (seats _in [1, 2.5])')).toEqual({
    _and: [
      { _or: [{ status: { _eq: 'a, (b) or "c"' } }, { owner: { _eq: '$CURRENT_USER' } }] },
      { _not: { seats: { _in: [1, 2.5] } } },
    ],
  })
  expect(toFilter('none stops has (title _null and status _starts_with "x")')).toEqual({
    stops: { _none: { _and: [{ title: { _null: true } }, { status: { _starts_with: 'x' } }] } },
  })
  for (const text of ['every item', 'status _eq "a" or title _null and seats _gt 1', '(status _null', '']) {
    expect(toFilter(text)).toBe(null)
  }
})

test('conditions are in words, in both languages', () => {
  expect(conditionWords(inEnglish, 'status _eq "published" and owner _eq $CURRENT_USER')).toBe(
    'Status is published and Owner is the user',
  )
  expect(conditionWords(inGerman, 'status _eq "published" and owner _null')).toBe(
    'Status ist published und Owner hat keinen Wert',
  )
  expect(conditionWords(inGerman, 'every item')).toBe('jeder Eintrag')
  expect(conditionWords(inEnglish, 'status _regex "a.b"')).toBe('status _regex "a.b"')
})

test('what the server says of rules is in words, in both languages', () => {
  const unmet =
    'Permission 7 of policy "Editors" (through role "Editor") reaches only items where status _eq "published", which this item does not meet'
  expect(messageWords(inEnglish, unmet)).toBe(
    'Permission 7 of the policy “Editors” reaches only items with: Status is published. This item does not meet it.',
  )
  expect(messageWords(inGerman, unmet)).toBe(
    'Berechtigung 7 der Richtlinie „Editors“ erreicht nur Einträge mit: Status ist published. Dieser Eintrag erfüllt das nicht.',
  )
  expect(messageWords(inGerman, 'Permission 7 of policy "E" names the fields title, seats, not "owner"')).toBe(
    'Berechtigung 7 der Richtlinie „E“ nennt: Title, Seats. „Owner“ ist nicht dabei.',
  )
  const held = 'Policy "A \\"b\\"" grants it, but is not held: it is held by "Chiefs", the public, 2 other users'
  expect(messageWords(inEnglish, held)).toBe(
    'The policy “A "b"” would allow it. It is held by role “Chiefs”, visitors, 2 other users.',
  )
  expect(messageWords(inEnglish, 'The rules on rides are about read, share, not update')).toBe(
    'The rules on “Rides” are about: Read, Share.',
  )
  expect(messageWords(inEnglish, 'Something that nobody foresaw')).toBe(null)
})
