import { expect, test } from 'vitest'
import type { Collection, Field, FieldMeta, Model } from '../model/model.ts'
import { choiceText, kindOf } from './kinds.ts'
import { defaultColumns } from './shown.ts'

const schema = {
  default_value: null,
  max_length: null,
  is_nullable: true,
  is_primary_key: false,
  is_generated: false,
  has_auto_increment: false,
}

const field = (name: string, type: string, meta: Partial<FieldMeta> = {}): Field => ({
  collection: 'horses',
  field: name,
  type,
  schema: { ...schema, is_primary_key: name === 'id' },
  meta,
})

const model: Model = {
  collections: new Map(),
  relations: [],
  me: {} as Model['me'],
  isAdmin: true,
  hasApp: true,
  projectName: 'Stable',
  isLive: false,
}

const collection = (...fields: readonly Field[]): Collection => ({
  name: 'horses',
  meta: {},
  isFolder: false,
  isSystem: false,
  fields,
  key: 'id',
  rights: { read: { access: 'full' } },
})

test('a field with the interface for one line has one, also in a column of type text', () => {
  const kinds = [
    field('name', 'text', { interface: 'input' }),
    field('name', 'string', { interface: 'text-input' }),
    field('weight', 'integer', { interface: 'input' }),
    field('story', 'text'),
    field('badge', 'string', { interface: 'select-icon' }),
    field('badge', 'integer', { interface: 'select-icon' }),
  ].map((each) => kindOf(model, each))
  expect(kinds).toEqual(['text', 'text', 'integer', 'multiline', 'icon', 'integer'])
})

test('columns of a list begin with what names an item, and end with its key', () => {
  const fields = [
    field('id', 'integer'),
    field('weight', 'integer'),
    field('story', 'text', { interface: 'wysiwyg' }),
    field('name', 'text', { interface: 'input' }),
  ]
  expect(defaultColumns(model, collection(...fields))).toEqual(['name', 'weight', 'id'])
})

test('a chosen value has the text of its choice, another its own', () => {
  const choices = [{ text: 'Chestnut', value: 'c' }]
  const colour = field('colour', 'string', { interface: 'select-dropdown', options: { choices } })
  expect(['c', 'd'].map((value) => choiceText(colour, value))).toEqual(['Chestnut', 'd'])
})
