import { expect, test } from 'vitest'
import { fillTemplate } from './templates.ts'

const words = { many: 'roles', key: 7, example: { id: 7, name: 'Author' }, change: { name: 'Editor' } }

test('placeholders work inside texts, and alone keep the type of the value', () => {
  const template = { summary: 'List {{many}}', tags: ['{{many}}'], example: { id: '{{key}}' } }
  expect(fillTemplate(template, words, {})).toEqual({ summary: 'List roles', tags: ['roles'], example: { id: 7 } })
})

test('objects are merged where the template says so', () => {
  expect(fillTemplate({ data: { 'x-merge': ['{{example}}', '{{change}}'] } }, words, {})).toEqual({
    data: { id: 7, name: 'Editor' },
  })
})

test('a tag file appends descriptions, replaces values and removes operations', () => {
  const template = { get: { description: 'Lists {{many}}.\n', tags: ['a'] }, post: { summary: 'Create' } }
  const own = { get: { description: 'All of them.\n', tags: ['b'], responses: { 422: {} } }, post: null }
  expect(fillTemplate(template, words, own)).toEqual({
    get: { description: 'Lists roles.\nAll of them.\n', tags: ['b'], responses: { 422: {} } },
  })
})

test('removed parts need no values', () => {
  expect(fillTemplate({ post: '{{create}}' }, words, { post: null })).toEqual({})
})

test('a missing value is named in the error', () => {
  expect(() => fillTemplate({ a: '{{nothing}}' }, words, {})).toThrow('x-records has no value for "nothing"')
})
