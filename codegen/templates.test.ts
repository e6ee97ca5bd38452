import { expect, test } from 'vitest'
import { fillTemplate } from './templates.ts'

const words = { many: 'roles', key: 7, example: { id: 7, name: 'Author' }, change: { name: 'Editor' } }

test('words stand in texts, and alone they keep their kind', () => {
  const template = { summary: 'List {{many}}', tags: ['{{many}}'], example: { id: '{{key}}' } }
  expect(fillTemplate(template, words, {})).toEqual({ summary: 'List roles', tags: ['roles'], example: { id: 7 } })
})

test('objects are laid over each other where the template asks for it', () => {
  expect(fillTemplate({ data: { 'x-merge': ['{{example}}', '{{change}}'] } }, words, {})).toEqual({
    data: { id: 7, name: 'Editor' },
  })
})

test('a tag file adds to descriptions, replaces values and takes operations away', () => {
  const template = { get: { description: 'Lists {{many}}.\n', tags: ['a'] }, post: { summary: 'Create' } }
  const own = { get: { description: 'All of them.\n', tags: ['b'], responses: { 422: {} } }, post: null }
  expect(fillTemplate(template, words, own)).toEqual({
    get: { description: 'Lists roles.\nAll of them.\n', tags: ['b'], responses: { 422: {} } },
  })
})

test('what is taken away needs no words', () => {
  expect(fillTemplate({ post: '{{create}}' }, words, { post: null })).toEqual({})
})

test('a word that is not given is named', () => {
  expect(() => fillTemplate({ a: '{{nothing}}' }, words, {})).toThrow('x-records does not say "nothing"')
})
