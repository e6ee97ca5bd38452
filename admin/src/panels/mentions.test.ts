import { expect, test } from 'vitest'
import { mentionedIn, nameBegun, toShown, toStored, withName } from './mentions.ts'

const ann = 'efe2ac4d-2777-4df6-977e-327f4c4af46e'
const anna = 'c7b1f2a3-2777-4df6-977e-327f4c4af46e'
const names = new Map([
  [ann, 'Ann'],
  [anna, 'Ann Öst'],
])

test('names are stored as ids, and shown as names again', () => {
  const text = 'Hallo @Ann Öst, frag @Ann und ann@example.com'
  const stored = `Hallo @${anna}, frag @${ann} und ann@example.com`
  expect(toStored(text, names)).toBe(stored)
  expect(toShown(stored, names)).toBe(text)
  expect(mentionedIn([stored, `@${ann.toUpperCase()}`])).toEqual([anna, ann])
  expect(toShown(`@${ann}!`, new Map())).toBe('@…!')
})

test('a name that is begun at the end is completed', () => {
  expect(nameBegun('Hallo @Ö')).toBe('Ö')
  expect(nameBegun('@')).toBe('')
  expect(nameBegun('ann@example')).toBe(null)
  expect(nameBegun('@Ann ')).toBe(null)
  expect(withName('Hallo @Ö', 'Öst $1')).toBe('Hallo @Öst $1 ')
})
