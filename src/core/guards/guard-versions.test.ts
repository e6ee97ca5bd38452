/** What is refused in written versions, comments and permissions of a role, and what the server adds to them. */
import { describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { WriteLog, Written } from '../../domain/ports/write-log.ts'
import { compare } from '../../domain/query/filter.ts'
import type { Changes, Mutation } from '../../domain/query/mutation.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { shortDigest } from '../../tokens/opaque.ts'
import { answering } from '../testing/answering-database.ts'
import { changesOf, failuresOf, is, userWith } from '../testing/test-context.ts'
import { assertCommentable, assertComments } from './guard-comments.ts'
import { guarded } from './guards.ts'
import { linkOwnPolicies, withOwnPolicy } from './own-policies.ts'
import { isFact } from './server-fields.ts'

const articles = testSchema.collections.get('articles') as Collection
const schema: Schema = {
  ...testSchema,
  collections: new Map([
    ['articles', { ...articles, meta: { versioning: true } }],
    ['plain', { ...articles, name: 'plain' }],
    ['folder', { ...articles, name: 'folder', table: null }],
  ]),
}
const admin = userWith([], { admin: true })
const system: Actor = { kind: 'system' }
const reader = userWith([{ fields: ['id'], filter: is('title', 'mine') }])
const security = { secret: 'secret' } as Context['security']

const versions = 'platform_versions'
const wrote = (changes: Partial<Written> = {}): Written => ({
  kind: 'insert',
  collection: versions,
  columns: ['collection', 'item'],
  keys: ['v'],
  ...changes,
})

/** Guards work that writes these rows. */
const guard = (
  written: readonly Written[],
  {
    answers = [[{ id: 'v', collection: 'articles', item: '01' }]],
    changes = new Map(),
    collection = versions,
    fails = null,
    ...more
  }: Partial<Parameters<typeof answering>[1]> & {
    readonly answers?: Parameters<typeof answering>[0]
    readonly changes?: Changes
    readonly collection?: string
    readonly fails?: Error | null
  } = {},
) => {
  const all = answering(answers, { actor: admin, schema, security, ...more })
  const work = async (_inner: Context, _mutation: Mutation, log: WriteLog) => {
    if (fails !== null) throw fails
    log.written.push(...written)
    return ['v']
  }
  return { ...all, done: guarded(all.ctx, { kind: 'create', collection, items: [changes] }, work) }
}

const taken = (failure: object) => new TandemError(failure as Failure)

describe('a written version', () => {
  test('gets the key of its item as it is stored, and its hash', async () => {
    const { done, asked, locks, looks } = guard([wrote()])
    expect(await done).toEqual(['v'])
    expect(asked()).toEqual([[['v']], ['v', '1', shortDigest('{"id":1}', 'secret')]])
    expect(locks).toEqual([{ keys: [1], foreign: [], fields: [] }])
    expect(looks[0]?.filter).toEqual(is('id', 1))
  })

  test.each(['delta', 'hash', 'date_created', 'date_updated', 'user_created', 'user_updated'])(
    'has no %s that is set by hand',
    async (name) => {
      const changes = changesOf({ [name]: null })
      expect(await failuresOf(guard([], { changes }).done)).toEqual([
        { kind: 'invalid-payload', name, reason: `Expected no value for field "${name}"` },
      ])
      await guard([], { changes, actor: system }).done
      await guard([], { changes, collection: 'articles' }).done
    },
  )

  test.each(['collection', 'item'])('has no other %s later', async (name) => {
    for (const kind of ['update', 'update-each'] as const) {
      expect(await failuresOf(guard([wrote({ kind, columns: ['name', name] })]).done)).toEqual([
        { kind: 'invalid-payload', name, reason: `Expected no other value for field "${name}"` },
      ])
    }
    const { done, asked } = guard([
      wrote({ kind: 'update', columns: ['name'] }),
      wrote({ kind: 'delete', columns: ['item'] }),
      wrote({ collection: 'articles', kind: 'update', columns: ['item'] }),
    ])
    await done
    expect(asked()).toEqual([])
  })

  test('keeps these facts when it is reverted', () => {
    const ownFields = ['delta', 'hash', 'date_created', 'date_updated', 'user_created', 'user_updated']
    expect([...ownFields, 'collection', 'item'].every((name) => isFact(versions, name))).toBe(true)
    expect(['name', 'key'].some((name) => isFact(versions, name))).toBe(false)
  })

  test('belongs to a visible item of a collection with versions', async () => {
    expect(await failuresOf(guard([wrote()], { found: 0 }).done)).toEqual([
      { kind: 'item-not-found', collection: 'articles' },
    ])
    const hidden = guard([wrote()], { actor: userWith([]) })
    expect(await failuresOf(hidden.done)).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
    expect(hidden.texts()).toHaveLength(1)
    const of = (collection: string) => guard([wrote()], { answers: [[{ id: 'v', collection, item: '1' }]] }).done
    for (const name of ['plain', 'folder', 'gone']) {
      expect(await failuresOf(of(name))).toMatchObject([{ kind: 'unprocessable' }])
    }
  })

  const unique = { kind: 'not-unique', collection: versions, field: 'key' }

  test('has a key of its own, whether it was given or found taken at the end', async () => {
    const failures = [{ kind: 'unprocessable', reason: 'The item has a version of this key already' }]
    expect(await failuresOf(guard([], { fails: taken(unique) }).done)).toEqual(failures)
    const answers = (text: string) =>
      text.startsWith('update') ? taken(unique) : [{ id: 'v', collection: 'articles', item: '1' }]
    expect(await failuresOf(guard([wrote()], { answers }).done)).toEqual(failures)
  })

  test.each([
    { ...unique, collection: 'articles' },
    { kind: 'not-unique' },
    { kind: 'forbidden', collection: versions },
  ])('fails otherwise as its work does: %j', async (failure) => {
    expect(await failuresOf(guard([], { fails: taken(failure) }).done)).toEqual([failure])
    await expect(guard([], { fails: new TypeError('a bug') }).done).rejects.toThrow('a bug')
  })
})

const comment = (changes: Partial<Written>) => wrote({ collection: 'platform_comments', keys: ['k'], ...changes })

const check = (changes: Partial<Written>, more: Parameters<typeof answering>[1] = {}) => {
  const all = answering([[{ collection: 'articles', items: ['1', '2', '01'] }]], { actor: reader, schema, ...more })
  return { ...all, done: assertComments(all.ctx, comment(changes)) }
}

describe('a written comment', () => {
  test('belongs to items that its author sees', async () => {
    for (const columns of [['comment', 'item'], ['collection']]) {
      const { done, asked, looks } = check({ columns }, { found: 2 })
      await done
      expect(asked()).toEqual([[['k']]])
      expect(looks.map(({ filter, page }) => [filter, page.limit])).toEqual([
        [
          {
            kind: 'and',
            filters: [compare('id', 'in', [1, 2]), is('title', 'mine')],
          },
          2,
        ],
      ])
    }
    expect(await failuresOf(check({}, { found: 1 }).done)).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
  })

  test('is not looked up when it is deleted or says something else', async () => {
    for (const changes of [{ kind: 'delete' as const }, { columns: ['comment'] }]) {
      const { done, asked } = check(changes, { found: 0 })
      await done
      expect(asked()).toEqual([])
    }
  })

  test.each(['folder', 'gone'])('belongs to no item of %s', async (name) => {
    const { ctx } = answering([], { actor: admin, schema })
    expect(await failuresOf(assertCommentable(ctx, name, [1]))).toEqual([{ kind: 'item-not-found', collection: name }])
  })
})

const value = (text: string | null) => ({ kind: 'value', value: text }) as const

describe('a permission that is written by role', () => {
  const permissions = 'platform_permissions'
  const role = '00000000-0000-4000-8000-0000000000B1'
  const resolve = async (changes: Changes, answers: readonly (readonly unknown[])[]) => {
    let ids = 0
    const { ctx, asked } = answering(answers, { ids: { uuid: () => `id-${(ids += 1)}`, token: () => '' } })
    const mutation: Mutation = { kind: 'create', collection: permissions, items: [changes] }
    const made = (await withOwnPolicy(ctx, mutation)) as Extract<Mutation, { kind: 'create' }>
    return [
      Object.fromEntries(
        [...(made.items[0] ?? [])].map(([name, change]) => [name, (change as { value: unknown }).value]),
      ),
      asked(),
    ]
  }

  test('belongs to the policy of the role, which is made if there is none', async () => {
    const changes = changesOf({ role, action: 'read' })
    expect(await resolve(changes, [[{ name: 'Editors', id: 'p' }]])).toEqual([
      { action: 'read', policy: 'p' },
      [[role.toLowerCase()]],
    ])
    expect(await resolve(changes, [[{ name: 'Editors', id: null }]])).toEqual([
      { action: 'read', policy: 'id-1' },
      [[role.toLowerCase()], ['id-1', 'Editors', false, false, role], ['id-2', role, 'id-1', null]],
    ])
  })

  test('belongs to everybody without one, and to the policy that it names', async () => {
    expect(await resolve(changesOf({ role: null }), [])).toEqual([{ policy: seedIds.publicPolicy }, []])
    expect(await resolve(changesOf({ role, policy: 'own' }), [])).toEqual([{ policy: 'own' }, []])
    expect(await resolve(changesOf({ action: 'read' }), [])).toEqual([{ action: 'read' }, []])
  })

  const invalid = [{ kind: 'invalid-foreign-key', collection: permissions, field: 'role' }]
  test.each(['nobody', `x${role}`, `${role}x`, 5, [role], undefined])(
    'names a role by its key, not as %j',
    async (named) => {
      expect(await failuresOf(resolve(changesOf({ role: named, policy: 'own' }), []))).toEqual(invalid)
      expect(await failuresOf(resolve(new Map([['role', { kind: 'erase', key: role }]]), []))).toEqual(invalid)
      expect(await failuresOf(resolve(changesOf({ role }), []))).toEqual(invalid)
    },
  )

  test('is resolved in every kind of write of permissions, and in no other', async () => {
    const { ctx } = answering([], {})
    const changes: Changes = new Map([['role', value(null)]])
    const policy: Changes = new Map([['policy', value(seedIds.publicPolicy)]])
    const target = { kind: 'keys', keys: [1] } as const
    const kinds: readonly (readonly [Mutation, Mutation])[] = [
      [
        { kind: 'update', collection: permissions, target, changes },
        { kind: 'update', collection: permissions, target, changes: policy },
      ],
      [
        { kind: 'update-each', collection: permissions, items: [{ key: 1, changes }] },
        { kind: 'update-each', collection: permissions, items: [{ key: 1, changes: policy }] },
      ],
    ]
    for (const [mutation, resolved] of kinds) expect(await withOwnPolicy(ctx, mutation)).toEqual(resolved)
    const others: readonly Mutation[] = [
      { kind: 'write-singleton', collection: permissions, changes },
      { kind: 'delete', collection: permissions, target },
      { kind: 'create', collection: 'articles', items: [changes] },
    ]
    for (const mutation of others) expect(await withOwnPolicy(ctx, mutation)).toBe(mutation)
  })

  test('gets its role again after it was written', async () => {
    const { ctx, asked } = answering([], {})
    const of = (changes: Partial<Written>) => wrote({ collection: permissions, ...changes })
    await linkOwnPolicies(ctx, [of({ kind: 'delete' }), wrote()])
    expect(asked()).toEqual([])
    await linkOwnPolicies(ctx, [
      of({ keys: ['1', '2'] }),
      of({ kind: 'delete', keys: ['3'] }),
      wrote({ keys: ['4'] }),
      of({ kind: 'update', keys: ['5'] }),
    ])
    expect(asked()).toEqual([[['1', '2', '5']]])
  })
})
