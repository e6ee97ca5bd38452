import { afterAll, describe, expect, test } from 'vitest'
import { writeItems } from '../items/items.ts'
import { detail, erase, nested, one } from '../testing/test-changes.ts'
import { openTestWorld } from '../testing/test-context.ts'
import { playScene, type Scene } from '../testing/test-scene.ts'

const opened = await openTestWorld()

afterAll(() => opened.close())

const scene = (name: string, work: (scene: Scene) => Promise<void>) => test(name, () => playScene(opened, work))

describe('many-to-one', () => {
  scene('an object without a key is created and linked', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: one({ name: 'Zoe' }) }))
    expect(
      await rowsOf('select name, a.author > 4 as own from articles a join authors u on u.id = a.author where a.id = 1'),
    ).toEqual([{ name: 'Zoe', own: true }])
  })

  scene('an object with a key changes that row and links it', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: one({ id: 2, age: 35 }) }))
    expect(
      await rowsOf('select author, age, name from articles a join authors u on u.id = a.author where a.id = 1'),
    ).toEqual([{ author: 2, age: 35, name: 'Bob' }])
  })

  scene('an object with nothing but a known key links', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: one({ id: 2 }) }))
    expect(await rowsOf('select author from articles where id = 1')).toEqual([{ author: 2 }])
    expect(await rowsOf(`select item from platform_activity where collection = 'authors'`)).toEqual([])
  })

  scene('an object with an unknown key is created under it', async ({ create, rowsOf }) => {
    await create('articles', nested({ title: 't', author: one({ id: 77, name: 'New' }) }))
    expect(await rowsOf(`select author from articles where title = 't'`)).toEqual([{ author: 77 }])
  })

  scene('null and a key are values', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: null, category: 4, comments: detail({}) }))
    expect(await rowsOf('select author, category from articles where id = 1')).toEqual([{ author: null, category: 4 }])
  })

  scene('several to one collection, in each other, and a batch, are written together', async (it) => {
    const boss = one({ name: 'Boss', region: one({ name: 'West' }) })
    await it.create(
      'articles',
      nested({ title: 'x', author: one({ name: 'Deep', mentor: boss }) }),
      nested({ title: 'y', author: one({ name: 'Flat' }) }),
    )
    expect(
      await it.rowsOf(
        `select a.title, u.name, m.name as mentor, r.name as region from articles a join authors u on u.id = a.author
         left join authors m on m.id = u.mentor left join regions r on r.id = m.region where title in ('x', 'y') order by title`,
      ),
    ).toEqual([
      { title: 'x', name: 'Deep', mentor: 'Boss', region: 'West' },
      { title: 'y', name: 'Flat', mentor: null, region: null },
    ])
  })

  scene('the same changes for several rows create a related row once', async ({ ctx, rowsOf }) => {
    const target = { kind: 'keys', keys: [1, 2] } as const
    const changes = nested({ author: one({ name: 'Once' }), comments: detail({ create: [{ body: 'Each' }] }) })
    await writeItems(ctx, { kind: 'update', collection: 'articles', target, changes })
    expect(await rowsOf(`select count(*)::integer as n from authors where name = 'Once'`)).toEqual([{ n: 1 }])
    expect(await rowsOf(`select article from comments where body = 'Each' order by article`)).toEqual([
      { article: 1 },
      { article: 2 },
    ])
  })

  scene('an erased row is deleted and no longer linked', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: erase(1) }))
    expect(await rowsOf('select author from articles where id = 1')).toEqual([{ author: null }])
    expect(await rowsOf('select id from authors where id = 1')).toEqual([])
  })

  scene('a singleton holds related items too', async ({ ctx, rowsOf }) => {
    const changes = nested({ headline: 'Hi', featured_article: one({ title: 'Featured' }) })
    await writeItems(ctx, { kind: 'write-singleton', collection: 'homepage', changes })
    expect(
      await rowsOf('select h.id, h.headline, a.title from homepage h join articles a on a.id = h.featured_article'),
    ).toEqual([{ id: 1, headline: 'Hi', title: 'Featured' }])
  })
})
