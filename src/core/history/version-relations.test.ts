/** Nested changes of related items in content versions. */
import { describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query, Selected } from '../../domain/query/query.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import { readItem } from '../rows/read-items.ts'
import { wholeItem } from '../rows/versioned.ts'
import { detail, list, nested, one } from '../testing/test-changes.ts'
import { failuresOf, is, queryOf, userWith } from '../testing/test-context.ts'
import {
  as,
  compare,
  create,
  ctx,
  fields,
  newArticle,
  newVersion,
  read,
  rowsOf,
  useVersions,
} from '../testing/test-versions.ts'
import { promoteVersion } from './promote-version.ts'
import { compareVersion, readVersionedItem, saveVersion } from './versions.ts'

useVersions()

const versions: readonly Partial<Rule>[] = [{ collection: 'platform_versions' }]

const saveRelated = (at: Context, version: Key, values: { readonly [field: string]: unknown }): Promise<unknown> =>
  saveVersion(at, version, { changes: () => nested(values), query: wholeItem }).then(JSON.parse)

const many = (field: string, collection: string, ...names: readonly string[]): Selected => ({
  kind: 'many',
  key: field,
  field,
  query: queryOf(collection, fields(...names)),
})

describe('related items', () => {
  const authorName = {
    kind: 'one',
    key: 'author',
    field: 'author',
    ...fields('name'),
    filter: { kind: 'all' },
  } as Selected
  const tagName = {
    kind: 'one',
    key: 'tag',
    field: 'tag',
    ...fields('name', 'color'),
    filter: { kind: 'all' },
  } as Selected
  const shown: Partial<Query> = {
    selection: [
      ...(fields('title').selection ?? []),
      authorName,
      many('comments', 'comments', 'body', 'approved'),
      { kind: 'many', key: 'tags', field: 'tags', query: queryOf('articles_tags', { selection: [tagName] }) },
    ],
  }

  test('are kept, shown, compared and promoted', async () => {
    const item = await newArticle()
    const [kept, gone] = [
      await create('comments', { article: item, body: 'Kept' }),
      await create('comments', { article: item, body: 'Gone' }),
    ]
    const version = await newVersion(item)
    await saveRelated(ctx, version, {
      title: 'Saved',
      author: one({ name: 'New author' }),
      comments: detail({ create: [{ body: 'New' }], update: [{ id: kept, approved: true }], delete: [gone] }),
      tags: list([{ tag: 'ice' }, { tag: one({ name: 'snow', color: 'white' }) }]),
    }).then((saved) => expect(saved).toMatchObject({ title: 'Saved' }))
    const expected = {
      title: 'Saved',
      author: { name: 'New author' },
      comments: [
        { body: 'Kept', approved: true },
        { body: 'New', approved: false },
      ],
      tags: [{ tag: { name: 'ice', color: 'blue' } }, { tag: { name: 'snow', color: 'white' } }],
    }
    expect(await read(ctx, item, shown)).toEqual(expected)
    const before = await readItem(ctx, queryOf('articles', shown), item).then(JSON.parse)
    expect(before).toEqual({
      title: 'Main',
      author: { name: 'Ann' },
      comments: [
        { body: 'Kept', approved: false },
        { body: 'Gone', approved: false },
      ],
      tags: [],
    })
    expect(await rowsOf(`select name from tags where name = 'snow'`)).toEqual([])

    const { current, main, mainHash } = await compare(ctx, version)
    expect(current).toMatchObject({
      title: 'Saved',
      author: { name: 'New author' },
      comments: [{ id: kept, body: 'Kept', approved: true }, { body: 'New' }],
      tags: [{ tag: { name: 'ice' } }, { tag: { name: 'snow', color: 'white' } }],
    })
    expect(main).toMatchObject({
      title: 'Main',
      author: { name: 'Ann' },
      comments: [{ id: kept }, { id: gone }],
      tags: [],
    })

    await promoteVersion(ctx, version, { mainHash })
    expect(JSON.parse(await readItem(ctx, queryOf('articles', shown), item))).toEqual(expected)
    expect(await read(ctx, item, shown)).toEqual(expected)
    expect(await rowsOf(`select delta from platform_versions where id = '${version}'`)).toEqual([
      { delta: { title: 'Saved' } },
    ])
  })

  test('of any collection too', async () => {
    const page = await create('pages', { slug: 'versioned' })
    const version = await create('platform_versions', { collection: 'pages', item: page, key: 'summer' })
    await saveRelated(ctx, version, {
      blocks: list([
        { collection: 'headings', item: one({ text: 'Title' }) },
        { collection: 'paragraphs', item: '1' },
      ]),
    })
    const options = [
      { collection: 'headings', ...fields('text') },
      { collection: 'paragraphs', ...fields('text') },
    ].map((each) => ({ filter: { kind: 'all' }, ...each }))
    const blocks = { selection: [{ kind: 'any', key: 'item', field: 'item', options } as unknown as Selected] }
    const query = queryOf('pages', {
      selection: [{ kind: 'many', key: 'blocks', field: 'blocks', query: queryOf('pages_blocks', blocks) }],
    })
    const expected = { blocks: [{ item: { text: 'Title' } }, { item: { text: 'Once upon a time' } }] }
    expect(JSON.parse(await readVersionedItem(ctx, query, page, { name: 'summer', raw: false }))).toEqual(expected)
    expect(JSON.parse(await readVersionedItem(ctx, query, page, { name: 'summer', raw: true }))).toEqual({
      blocks: [
        { collection: 'headings', item: { text: 'Title' } },
        { collection: 'paragraphs', item: '1' },
      ],
    })
    const { mainHash } = JSON.parse(await compareVersion(ctx, version, wholeItem)) as { readonly mainHash: string }
    await promoteVersion(ctx, version, { mainHash })
    expect(JSON.parse(await readItem(ctx, query, page))).toEqual(expected)
  })

  test('are shown as they were saved, to callers who may read all of them', async () => {
    const item = await newArticle()
    const comment = (body: string) => create('comments', { article: item, body })
    const [kept, gone] = [await comment('Kept'), await comment('Gone')]
    const version = await newVersion(item)
    await saveRelated(ctx, version, {
      title: 'Saved',
      author: one({ name: 'New author' }),
      comments: detail({ create: [{ body: 'New' }], update: [{ id: kept, approved: true }], delete: [gone] }),
      tags: list([{ tag: 'ice' }, { tag: one({ name: 'rain', color: 'white' }) }]),
    })
    const saved = {
      title: 'Saved',
      author: { name: 'New author' },
      comments: { create: [{ body: 'New' }], update: [{ id: kept, approved: true }], delete: [gone] },
      tags: [{ tag: 'ice' }, { tag: { name: 'rain', color: 'white' } }],
    }
    expect(await read(ctx, item, shown, { raw: true })).toEqual(saved)
    expect(await read(ctx, item, fields('title'), { raw: true })).toEqual({ title: 'Saved' })
    const all = ['authors', 'comments', 'articles_tags', 'tags'].map((collection) => ({ collection }))
    expect(await read(as(userWith([...versions, {}, ...all])), item, shown, { raw: true })).toEqual(saved)
    const shut = { collection: 'comments', filter: is('approved', true) }
    const limited = as(userWith([...versions, {}, ...all.filter(({ collection }) => collection !== 'comments'), shut]))
    expect(await read(limited, item, shown, { raw: true })).toMatchObject({ comments: [{ body: 'Kept' }] })
  })

  test('are decided by the rights of whoever saves and whoever promotes', async () => {
    const item = await newArticle()
    const version = await newVersion(item)
    const rules: readonly Partial<Rule>[] = [...versions, {}, { action: 'update' }, { collection: 'comments' }]
    const change = { comments: detail({ create: [{ body: 'New' }] }) }
    expect(await failuresOf(saveRelated(as(userWith(rules)), version, change))).toMatchObject([{ kind: 'forbidden' }])
    const writer = as(userWith([...rules, { collection: 'comments', action: 'create', validation: is('body', 'New') }]))
    await saveRelated(writer, version, change)
    const other = { comments: detail({ create: [{ body: 'Other' }] }) }
    expect(await failuresOf(saveRelated(writer, version, other))).toMatchObject([{ kind: 'failed-validation' }])
    const { mainHash } = await compare(writer, version)
    expect(await failuresOf(promoteVersion(as(userWith(rules)), version, { mainHash }))).toMatchObject([
      { kind: 'forbidden' },
    ])
    expect(await rowsOf(`select body from comments where article = ${item}`)).toEqual([])
    await promoteVersion(writer, version, { mainHash })
    expect(await rowsOf(`select body from comments where article = ${item}`)).toEqual([{ body: 'New' }])
    const titles = as(userWith([...versions, { fields: ['id', 'title', 'status'] }]))
    await saveRelated(ctx, version, change)
    expect((await compare(titles, version)).current).toEqual({})
  })

  test('are not hidden by a later value that the database refuses', async () => {
    const item = await newArticle()
    const version = await newVersion(item)
    await saveRelated(ctx, version, { comments: detail({ create: [{ body: 'New' }] }) })
    expect(await failuresOf(saveRelated(ctx, version, { author: 999 }))).toMatchObject([
      { kind: 'invalid-foreign-key' },
    ])
    expect(await read(ctx, item, shown)).toMatchObject({ comments: [{ body: 'New' }] })
  })

  test('that no longer fit leave the stored ones', async () => {
    const item = await newArticle()
    const comment = await create('comments', { article: item, body: 'Kept' })
    const version = await newVersion(item)
    await saveRelated(ctx, version, { title: 'Saved', comments: detail({ update: [{ id: comment, body: 'New' }] }) })
    await rowsOf(`delete from comments where id = ${comment}`)
    expect(await read(ctx, item, shown)).toMatchObject({ title: 'Saved', comments: [] })
  })
})
