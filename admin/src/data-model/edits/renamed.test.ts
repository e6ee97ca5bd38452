import { expect, test } from 'vitest'
import type { Collections } from './configuration.ts'
import { renamed } from './renamed.ts'

const all: Collections = {
  pages: {
    display: { sort_field: 'rank', archive_field: 'state', display_template: '{{ rank }} {{rank.x}} {{ranked}}' },
    fields: {
      rank: { type: 'integer', display: { group: 'more', note: 'rank' } },
      parent: { type: 'integer', relation: { to: 'pages', options: { one_field: 'children', sort_field: 'rank' } } },
      state: { type: 'string', display: { conditions: [{ rule: { _or: [{ rank: { _eq: 'rank' } }] } }] } },
      item: { type: 'string', relation: { to: null, options: { one_allowed_collections: ['pages', 'tags'] } } },
    },
    rights: {
      Editors: [
        { action: 'create', fields: ['state', 'rank'], presets: { rank: 'rank' }, validation: { rank: { _gt: 0 } } },
        { action: 'read', fields: ['*'], permissions: { _or: [{ rank: { _eq: 1 } }, { state: { _eq: 'rank' } }] } },
      ],
    },
    levels: { Editor: [{ status: null, read: 'full', read_field_blacklist: ['rank'] }] },
  },
  tags: { fields: { page: { type: 'integer', relation: { to: 'pages' } } } },
}

test('a field keeps its place, and what the collection says of it follows', () => {
  expect(renamed(all, { collection: 'pages', field: 'rank', to: 'place' })).toEqual({
    pages: {
      display: { sort_field: 'place', archive_field: 'state', display_template: '{{ place }} {{place.x}} {{ranked}}' },
      fields: {
        place: { type: 'integer', display: { group: 'more', note: 'rank' }, renamed_from: 'rank' },
        parent: { type: 'integer', relation: { to: 'pages', options: { one_field: 'children', sort_field: 'place' } } },
        state: { type: 'string', display: { conditions: [{ rule: { _or: [{ place: { _eq: 'rank' } }] } }] } },
        item: all['pages']?.fields['item'],
      },
      rights: {
        Editors: [
          {
            action: 'create',
            fields: ['state', 'place'],
            presets: { place: 'rank' },
            validation: { place: { _gt: 0 } },
          },
          { action: 'read', fields: ['*'], permissions: { _or: [{ place: { _eq: 1 } }, { state: { _eq: 'rank' } }] } },
        ],
      },
      levels: { Editor: [{ status: null, read: 'full', read_field_blacklist: ['place'] }] },
    },
  })
})

test('a collection keeps its relations with itself', () => {
  const { pages } = all
  expect(renamed(all, { collection: 'pages', field: null, to: 'leaves' })).toEqual({
    leaves: {
      ...pages,
      fields: {
        ...pages?.fields,
        parent: { type: 'integer', relation: { to: 'leaves', options: { one_field: 'children', sort_field: 'rank' } } },
        item: { type: 'string', relation: { to: null, options: { one_allowed_collections: ['leaves', 'tags'] } } },
      },
      renamed_from: 'pages',
    },
  })
})
