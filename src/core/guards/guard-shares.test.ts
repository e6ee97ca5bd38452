/** Who may share which items, and what a written share does. */
import { describe, expect, test } from 'vitest'
import type { Written } from '../../domain/ports/write-log.ts'
import { and, type Filter, or } from '../../domain/query/filter.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { answering } from '../testing/answering-database.ts'
import { failuresOf, is, userWith } from '../testing/test-context.ts'
import { assertMayShare, assertShares } from './guard-shares.ts'

const articles = testSchema.collections.get('articles') as Collection
const schema: Schema = {
  ...testSchema,
  collections: new Map(
    [
      articles,
      { ...articles, name: 'own', system: true },
      { ...articles, name: 'folder', table: null },
      { ...articles, name: 'keyless', keyColumns: [] },
    ].map((each) => [each.name, each]),
  ),
}
const admin = userWith([], { admin: true })
const mine = is('title', 'mine')
const open = is('title', 'open')
const sharer = userWith([{ action: 'share', filter: mine }, { action: 'share', filter: open }, { action: 'update' }])
const onlyReader = userWith([{}, { action: 'share', collection: 'own' }])
const { access } = sharer as Extract<Actor, { kind: 'user' }>
const somebody: Actor = { kind: 'public', access }

const look = async (actor: Actor, item: string) => {
  const { ctx, looks, locks } = answering([], { actor, schema })
  const key = await assertMayShare(ctx, 'articles', item)
  expect(locks).toEqual([{ keys: [key], foreign: [], fields: [] }])
  return [key, looks.map(({ filter }) => filter)]
}

const denied = (collection: string) => [{ kind: 'forbidden', denied: { action: 'share', collection } }]

describe('an item may be shared', () => {
  test.each<[who: string, actor: Actor, rows: readonly Filter[]]>([
    ['an administrator', admin, [is('id', 1)]],
    ['the server', { kind: 'system' }, [is('id', 1)]],
    ['a user with the right', sharer, [and(is('id', 1), or(mine, open))]],
  ])('by %s', async (_who, actor, rows) => {
    expect(await look(actor, '1')).toEqual([1, rows])
    expect(await look(actor, '01')).toEqual([1, rows])
  })

  test('by nobody without a user, and by no user without the right', async () => {
    for (const actor of [somebody, onlyReader]) {
      const { ctx, looks, locks } = answering([], { actor, schema })
      expect(await failuresOf(assertMayShare(ctx, 'articles', '1'))).toEqual(denied('articles'))
      expect([looks, locks]).toEqual([[], []])
    }
  })

  test.each(['gone', 'own', 'folder', 'keyless'])('only in collections of the project, not in %s', async (name) => {
    for (const actor of [admin, sharer, onlyReader]) {
      expect(await failuresOf(assertMayShare(answering([], { actor, schema }).ctx, name, '1'))).toEqual(denied(name))
    }
  })

  test('only if it is there', async () => {
    const missing = [{ kind: 'item-not-found', collection: 'articles' }]
    const { ctx } = answering([], { actor: admin, schema, found: 0 })
    expect(await failuresOf(assertMayShare(ctx, 'articles', '1'))).toEqual(missing)
    expect(await failuresOf(assertMayShare(answering([], { actor: admin, schema }).ctx, 'articles', 'x'))).toEqual(
      missing,
    )
  })
})

const wrote = (changes: Partial<Written> = {}): Written => ({
  kind: 'insert',
  collection: 'platform_shares',
  columns: ['collection', 'item'],
  keys: ['s'],
  ...changes,
})

describe('a written share', () => {
  const share = { id: 's', collection: 'articles', item: '1', isEmpty: false }
  const check = (written: readonly Written[], found: object = share) => {
    const { ctx, asked } = answering([[found]], { actor: admin, schema })
    return { done: assertShares(ctx, written), asked }
  }

  test('is looked up, and sessions by its old password end', async () => {
    const { done, asked } = check([
      wrote(),
      wrote({ kind: 'update', columns: ['password'], keys: ['t', 'u'] }),
      wrote({ kind: 'delete', columns: ['password'], keys: ['v'] }),
      wrote({ collection: 'platform_users', columns: ['password'], keys: ['w'] }),
    ])
    await done
    expect(asked()).toEqual([[['s', 't', 'u']], [['t', 'u']]])
  })

  test('has the key of its item as it is stored', async () => {
    const { done, asked } = check([wrote()], { ...share, item: '01' })
    await done
    expect(asked()).toEqual([[['s']], ['s', '1'], [[]]])
  })

  test.each(['collection', 'item'])('has no other %s later', async (name) => {
    const reason = `Expected no other value for field "${name}"`
    for (const kind of ['update', 'update-each'] as const) {
      const refused = check([wrote({ kind, columns: ['name', name] })]).done
      expect(await failuresOf(refused)).toEqual([{ kind: 'invalid-payload', name, reason }])
    }
    await check([wrote({ kind: 'update', columns: ['name'] })]).done
  })

  test('ends after it begins', async () => {
    expect(await failuresOf(check([wrote()], { ...share, isEmpty: true }).done)).toEqual([
      {
        kind: 'invalid-payload',
        name: 'date_end',
        reason: 'Expected an instant after "date_start" for field "date_end"',
      },
    ])
  })

  test('that is deleted, or none at all, is not looked up', async () => {
    const { done, asked } = check([wrote({ kind: 'delete' }), wrote({ collection: 'articles' })])
    await done
    expect(asked()).toEqual([])
  })
})
