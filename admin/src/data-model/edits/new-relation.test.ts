import { expect, test } from 'vitest'
import type { Collection, Field } from '../../model/model.ts'
import type { Collections } from './configuration.ts'
import { type NewRelation, toAny, toMany, toTranslations } from './new-relation.ts'
import { withoutCollection } from './without.ts'

const schema = {
  default_value: null,
  max_length: 120,
  is_nullable: true,
  is_primary_key: false,
  is_generated: false,
  has_auto_increment: false,
}

const fieldOf = (collection: string, field: string, type: string, input: string | null = null): Field => ({
  collection,
  field,
  type,
  schema,
  meta: { interface: input },
})

const collectionOf = (name: string, key: Field, ...fields: readonly Field[]): Collection => ({
  name,
  meta: {},
  isFolder: false,
  isSystem: false,
  fields: [key, ...fields],
  key: key.field,
  rights: {},
})

const pages = collectionOf(
  'pages',
  fieldOf('pages', 'id', 'uuid'),
  fieldOf('pages', 'title', 'string'),
  fieldOf('pages', 'body', 'text', 'input-rich-text-md'),
)
const tongues = collectionOf('tongues', fieldOf('tongues', 'tag', 'string'))

const all: Collections = {
  pages: { fields: { id: { type: 'uuid' }, title: { type: 'string' }, body: { type: 'text' } } },
  tongues: { fields: { tag: { type: 'string' } } },
  quotes: { fields: { id: { type: 'integer' } } },
}

const relation = (field: string, reverse: string | null = null): NewRelation => ({ collection: pages, field, reverse })

const key = { type: 'integer', column: { is_primary_key: true, has_auto_increment: true } }

const blocks = toAny(all, relation('blocks'), ['tongues', 'quotes'])

test('a many-to-any is a junction collection in its order, with the allowed collections', () => {
  expect(Object.keys(blocks)).toEqual(['pages_blocks', 'pages'])
  expect(blocks['pages']?.fields['blocks']).toEqual({
    type: 'alias',
    display: { interface: 'list-m2a', special: ['m2a'] },
  })
  expect(blocks['pages_blocks']).toEqual({
    display: { hidden: true },
    fields: {
      id: key,
      pages_id: {
        type: 'uuid',
        relation: {
          to: 'pages',
          on_delete: 'CASCADE',
          options: { one_field: 'blocks', junction_field: 'item', sort_field: 'sort', one_deselect_action: 'delete' },
        },
      },
      item: {
        type: 'string',
        relation: {
          to: null,
          options: {
            one_collection_field: 'collection',
            one_allowed_collections: ['tongues', 'quotes'],
            junction_field: 'pages_id',
          },
        },
      },
      collection: { type: 'string' },
      sort: { type: 'integer' },
    },
  })
})

test('translations have their texts as the collection has them, and their languages', () => {
  const made = toTranslations(all, relation('translations'), { languages: tongues, texts: ['title', 'body', 'lead'] })
  expect(Object.keys(made)).toEqual(['pages_translations', 'pages'])
  expect(made['pages_translations']?.fields).toEqual({
    id: key,
    pages_id: {
      type: 'uuid',
      relation: {
        to: 'pages',
        on_delete: 'CASCADE',
        options: { one_field: 'translations', junction_field: 'tongues_tag', one_deselect_action: 'delete' },
      },
    },
    tongues_tag: {
      type: 'string',
      relation: { to: 'tongues', on_delete: 'CASCADE', options: { junction_field: 'pages_id' } },
    },
    title: { type: 'string', column: { max_length: 120 }, display: { interface: 'input', sort: 1 } },
    body: { type: 'text', display: { interface: 'input-rich-text-md', sort: 2 } },
    lead: { type: 'text', display: { interface: 'input', sort: 3 } },
  })
})

test('without a collection of languages, translations make it', () => {
  const made = toTranslations(all, relation('texts'), { languages: null, texts: [] })
  expect(Object.keys(made)).toEqual(['pages_texts', 'pages', 'languages'])
  expect(Object.keys(made['languages']?.fields ?? {})).toEqual(['code', 'name'])
  expect(made['pages_texts']?.fields['languages_code']).toMatchObject({ type: 'string', relation: { to: 'languages' } })
})

test('names that are taken are refused', () => {
  expect(() => toMany(all, relation('title'), tongues)).toThrow('field_taken: pages.title')
  expect(() => toMany(all, relation('tongues', 'tag'), tongues)).toThrow('field_taken: tongues.tag')
  const there = { ...all, pages_blocks: { fields: {} } }
  expect(() => toAny(there, relation('blocks'), ['quotes'])).toThrow('collection_taken: pages_blocks')
  const texts = { languages: tongues, texts: ['id'] }
  expect(() => toTranslations(all, relation('translations'), texts)).toThrow('field_taken: pages_translations.id')
})

const relationOfItem = (collections: Collections): unknown => collections['pages_blocks']?.fields['item']?.['relation']

test('without an allowed collection, a many-to-any allows the others, and ends with the last one', () => {
  const left = withoutCollection({ ...all, ...blocks }, 'quotes')
  expect(relationOfItem(left)).toMatchObject({ options: { one_allowed_collections: ['tongues'] } })
  expect(relationOfItem(withoutCollection(left, 'tongues'))).toBeUndefined()
})
