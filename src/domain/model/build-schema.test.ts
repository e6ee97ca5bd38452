import { describe, expect, test } from 'vitest'
import { build, column, table, tables } from '../testing/test-tables.ts'
import type { MetadataRow } from './metadata.ts'

describe('without metadata', () => {
  test('every table is a collection that nobody manages', () => {
    const { schema } = build({})
    expect([...schema.collections.keys()]).toEqual(['articles', 'authors', 'tags', 'articles_tags', 'blocks'])
    expect({ ...schema.collections.get('authors'), fields: undefined }).toEqual({
      name: 'authors',
      table: { schema: null, name: 'authors' },
      primaryKey: 'id',
      keyColumns: ['id'],
      changes: { create: true, update: true, delete: true },
      fields: undefined,
      system: false,
      managed: false,
      singleton: false,
      sortField: null,
      archive: null,
      accountability: 'all',
      note: null,
      meta: null,
    })
  })

  test('a foreign key is a many-to-one, without another side', () => {
    const { schema, field } = build({})
    expect(field('articles.author')?.relation).toEqual({
      kind: 'many-to-one',
      collection: 'authors',
      relation: {
        id: null,
        manyCollection: 'articles',
        manyField: 'author',
        oneCollection: 'authors',
        oneField: null,
        oneCollectionField: null,
        oneAllowedCollections: null,
        junctionField: null,
        sortField: null,
        deselectAction: 'nullify',
        constraint: { name: 'author_key', onDelete: 'CASCADE', onUpdate: 'NO ACTION' },
      },
    })
    expect([...(schema.collections.get('authors')?.fields.keys() ?? [])]).toEqual(['id', 'name'])
  })
})

const articles = (row: MetadataRow, fields: readonly MetadataRow[] = []) =>
  build({ collections: [{ collection: 'articles', ...row }], fields }).schema.collections.get('articles')

const archivedBy = (mapping: object) =>
  articles({}, [{ collection: 'articles', field: 'title', options: { status_mapping: mapping } }])?.archive

describe('collections', () => {
  test('a row sets sort, archive, singleton, accountability and note', () => {
    const row = {
      sort_field: 'sort',
      archive_field: 'title',
      archive_value: 'gone',
      singleton: true,
      accountability: 'activity',
      note: 'Texts',
    }
    expect(articles(row)).toMatchObject({
      managed: true,
      sortField: 'sort',
      archive: { field: 'title', archived: ['gone'] },
      singleton: true,
      accountability: 'activity',
      note: 'Texts',
    })
  })

  test('fields that are gone do not count', () => {
    expect(articles({ sort_field: 'gone', archive_field: 'gone', archive_value: 'x' })).toMatchObject({
      sortField: null,
      archive: null,
    })
  })

  test('the soft-deleted words of a status field are what is archived', () => {
    const options = {
      status_mapping: { live: { soft_delete: false }, bin: { soft_delete: true }, shred: { soft_delete: true } },
    }
    const fields = [{ collection: 'articles', field: 'title', type: 'status', options }]
    expect(articles({}, fields)?.archive).toEqual({ field: 'title', archived: ['bin', 'shred'] })
    expect(articles({ archive_field: 'title', archive_value: 'old' }, fields)?.archive).toEqual({
      field: 'title',
      archived: ['old', 'bin', 'shred'],
    })
    expect(articles({ archive_field: 'sort', archive_value: '9' }, fields)?.archive).toEqual({
      field: 'sort',
      archived: ['9'],
    })
  })

  test('a status mapping may come from a form: flags as texts, numbered statuses as a list', () => {
    expect(archivedBy({ 1: { soft_delete: '0' }, 2: { soft_delete: '1' } })).toEqual({
      field: 'title',
      archived: ['2'],
    })
    expect(archivedBy([{ soft_delete: '1' }, { name: 'Live' }])).toEqual({ field: 'title', archived: ['0'] })
  })

  test('a status mapping of any other form is nothing', () => {
    for (const options of ['{}', { status_mapping: 'x' }, { status_mapping: { a: null } }, []]) {
      expect(articles({}, [{ collection: 'articles', field: 'title', options }])?.archive).toBeNull()
    }
  })

  test('a field declared as sort is the order where the collection names none', () => {
    expect(articles({}, [{ collection: 'articles', field: 'sort', type: 'sort' }])?.sortField).toBe('sort')
  })

  test('no accountability is nothing, not everything', () => {
    expect(articles({ accountability: null })?.accountability).toBeNull()
  })

  test('a row without a table is a folder, unless its fields had columns', () => {
    const { schema, warnings } = build({
      collections: [{ collection: 'group' }, { collection: 'dropped' }],
      fields: [{ collection: 'dropped', field: 'title', special: null }],
    })
    expect(schema.collections.get('group')).toMatchObject({ table: null, managed: true })
    expect(schema.collections.has('dropped')).toBe(false)
    expect(warnings).toEqual(['A collection is registered whose table is not there or not served; it is left out'])
  })
})

describe('system collections', () => {
  const users = [table('platform_users', [column('password', 'string'), column('extra', 'text')])]

  test('what the program says about them stands before what anybody stored', () => {
    const { field, schema } = build(
      {
        collections: [{ collection: 'platform_users', accountability: null, singleton: true }],
        fields: [{ collection: 'platform_users', field: 'password', special: null }],
      },
      users,
    )
    expect(field('platform_users.password')).toMatchObject({ concealed: true, type: 'hash' })
    expect(schema.collections.get('platform_users')).toMatchObject({
      system: true,
      singleton: false,
      accountability: 'all',
    })
  })

  test('their additional columns may be described', () => {
    const { field } = build({ fields: [{ collection: 'platform_users', field: 'extra', special: 'cast-csv' }] }, users)
    expect(field('platform_users.extra')?.type).toBe('csv')
  })
})

describe('the version', () => {
  test('is the same for the same tables and rows', () => {
    expect(build({}).schema.version).toBe(build({}).schema.version)
  })

  test('changes with a column and with a row', () => {
    const versions = [
      build({}),
      build({}, [...tables, table('more', [])]),
      build({ fields: [{ collection: 'authors', field: 'name', special: 'conceal' }] }),
    ].map(({ schema }) => schema.version)
    expect(new Set(versions).size).toBe(3)
  })
})
