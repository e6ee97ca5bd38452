import { expect, test } from 'vitest'
import { fromLines, toLines } from './choices.ts'

const choices = [
  { text: 'Draft', value: 'draft', color: '#ff0000' },
  { text: 'done', value: 'done' },
]

test('choices are lines and back, with what else they have', () => {
  expect(toLines(choices)).toBe('draft = Draft\ndone')
  expect(fromLines('draft = Sketch\n\n done \nnew = a = b', 'string', choices)).toEqual([
    { text: 'Sketch', value: 'draft', color: '#ff0000' },
    { text: 'done', value: 'done' },
    { text: 'a = b', value: 'new' },
  ])
})

test('values of numbers are numbers; words alone are choices too', () => {
  expect(fromLines('1 = One', 'integer', undefined)).toEqual([{ text: 'One', value: 1 }])
  expect([toLines(['a', 2]), toLines(undefined)]).toEqual(['a\n2', ''])
})
