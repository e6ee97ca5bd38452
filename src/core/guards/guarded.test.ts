/** Which checks a write goes through, by the statements that they send. */
import { describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { WriteLog, Written } from '../../domain/ports/write-log.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { deleteReleased } from '../objects/stored-objects.ts'
import { forgetActors } from '../rows/transaction.ts'
import { answering } from '../testing/answering-database.ts'
import { changesOf, failuresOf, userWith } from '../testing/test-context.ts'
import { guarded, lockAccessFor, suspendHolders } from './guards.ts'
import { isFact } from './server-fields.ts'

const access = ['users', 'roles', 'policies', 'access', 'permissions', 'role_levels', 'shares']
const names = [...access, 'settings', 'files', 'comments', 'versions']

const articles = testSchema.collections.get('articles') as Collection
const schema: Schema = {
  ...testSchema,
  collections: new Map([
    ...testSchema.collections,
    ...names.map((name) => [`platform_${name}`, { ...articles, name: `platform_${name}`, system: true }] as const),
  ]),
}
const admin = userWith([], { admin: true })
const user = userWith([{ action: 'update' }])

/** What the statements of the checks are recognised by. */
const marks = {
  lock: 'pg_advisory_xact_lock',
  administrators: 'demanding (role)',
  everybody: 'a.role is null and a."user" is null',
  tree: 'where depth = 20',
  grants: 'gained (policy)',
  permissions: 'select * from platform_permissions where',
  sessions: 'delete from platform_sessions where "user"',
  shares: 'coalesce(date_end',
  links: 'update platform_permissions p set role',
  comments: 'select distinct collection, item from platform_comments',
  versions: 'select id, collection, item from platform_versions',
} as const
type Mark = keyof typeof marks
const findMark = (text: string) => (Object.keys(marks) as Mark[]).find((mark) => text.includes(marks[mark]))
const markOf = (text: string): string => findMark(text) ?? text

type GuardCase = {
  readonly actor?: Actor
  readonly written?: readonly Partial<Written>[]
  readonly answers?: { readonly [Name in Mark]?: readonly unknown[] }
  readonly values?: { readonly [field: string]: unknown }
  readonly kind?: 'update' | 'delete'
}

/** Guards a write of the collection; the work itself writes what is given. */
function guard(
  name: string,
  { actor = admin, written = [], answers = {}, values = {}, kind = 'update' }: GuardCase = {},
) {
  const collection = name === 'articles' ? name : `platform_${name}`
  const target = { kind: 'keys', keys: [1] } as const
  const changes = changesOf(values)
  const mutation: Mutation = kind === 'delete' ? { kind, collection, target } : { kind, collection, target, changes }
  const worked: Mutation[] = []
  let isDone = false
  const all = answering(
    (text) => {
      const mark = findMark(text)
      if (mark === 'administrators')
        return isDone ? (answers.administrators ?? [{ ip_access: null }]) : [{ ip_access: null }]
      return (mark === undefined ? undefined : answers[mark]) ?? []
    },
    { actor, schema },
  )
  const work = async (_inner: Context, given: Mutation, log: WriteLog) => {
    worked.push(given)
    isDone = true
    log.written.push(
      ...written.map((each): Written => ({ kind: 'update', collection, columns: [], keys: ['k'], ...each })),
    )
    return [1]
  }
  return { ...all, worked, mutation, marks: () => all.texts().map(markOf), done: guarded(all.ctx, mutation, work) }
}

const before = ['lock', 'administrators']

describe('a write', () => {
  test.each(access)('of %s takes its turn, is checked, and makes rights new', async (name) => {
    const { done, marks: asked, ctx, worked, mutation } = guard(name)
    expect(await done).toEqual([1])
    expect(asked()).toEqual([...before, 'administrators'])
    expect([...(ctx.effects ?? [])]).toEqual([forgetActors])
    expect(worked).toEqual([mutation])
  })

  test('of settings takes its turn, and leaves rights as they are', async () => {
    const { done, marks: asked, ctx } = guard('settings')
    await done
    expect(asked()).toEqual([...before, 'administrators'])
    expect(ctx.effects?.size).toBe(0)
  })

  test('of anything else is only done', async () => {
    const {
      done,
      marks: asked,
      ctx,
      worked,
      mutation,
    } = guard('articles', { written: [{ columns: ['role', 'password'] }] })
    expect(await done).toEqual([1])
    expect([asked(), ctx.effects?.size, worked]).toEqual([[], 0, [mutation]])
  })

  test('that deletes files deletes their contents after it', async () => {
    const deletion = guard('files', { kind: 'delete' })
    await deletion.done
    expect([...(deletion.ctx.effects ?? [])]).toEqual([deleteReleased])
    const change = guard('files', { values: { title: 'x' } })
    await change.done
    expect(change.ctx.effects?.size).toBe(0)
    expect(await failuresOf(guard('files', { values: { storage: 'x' } }).done)).toMatchObject([{ name: 'storage' }])
    await guard('articles', { values: { storage: 'x' } }).done
  })

  test('leaves an administrator who can come from the same address', async () => {
    expect(await failuresOf(guard('users', { answers: { administrators: [] } }).done)).toEqual([
      { kind: 'last-administrator', reason: 'The last administrator cannot lose its rights' },
    ])
    const none = answering([], { actor: admin, schema })
    const mutation: Mutation = { kind: 'delete', collection: 'platform_users', target: { kind: 'keys', keys: [1] } }
    expect(await guarded(none.ctx, mutation, async () => [1])).toEqual([1])
  })

  test.each(['access', 'policies'])('of %s gives not everybody the rights of administrators', async (name) => {
    const answers = { everybody: [{}] }
    expect(await failuresOf(guard(name, { written: [{}], answers }).done)).toEqual([
      { kind: 'unprocessable', reason: 'A public policy cannot have admin access' },
    ])
    await guard(name, { written: [{}] }).done
    await guard(name, { written: [{ collection: 'articles' }], answers }).done
  })

  test('puts no role above itself', async () => {
    const answers = { tree: [{}] }
    const of = (written: Partial<Written>) => guard('roles', { written: [written], answers }).done
    expect(await failuresOf(of({ columns: ['name', 'parent'] }))).toEqual([
      {
        kind: 'invalid-payload',
        name: 'parent',
        reason: 'Expected a role above this one, at most 20 of them, for "parent"',
      },
    ])
    await of({ columns: ['name'] })
    await of({ columns: ['parent'], collection: 'platform_policies' })
    await guard('roles', { written: [{ columns: ['parent'] }] }).done
  })

  test('goes through the checks of its collection', async () => {
    const gained = [{ kind: 'forbidden', reason: 'Users cannot grant more rights than they have' }]
    const strong = { id: 'p', admin_access: true, app_access: false, permissions: [] }
    const rule = {
      id: 1,
      collection: 'articles',
      action: 'read',
      permissions: 'x',
      validation: null,
      presets: null,
      fields: '*',
    }
    const cases: readonly (readonly [string, GuardCase, object])[] = [
      ['users', { values: { tfa_secret: 'x' } }, { name: 'tfa_secret' }],
      ['shares', { values: { times_used: 1 } }, { name: 'times_used' }],
      ['versions', { values: { hash: 'x' } }, { name: 'hash' }],
      ['role_levels', { actor: user, written: [{}] }, gained[0] as object],
      [
        'roles',
        { actor: user, written: [{ columns: ['parent'] }], answers: { grants: [strong] } },
        gained[0] as object,
      ],
      [
        'permissions',
        { written: [{ columns: ['fields'] }], answers: { permissions: [rule] } },
        { name: 'permissions' },
      ],
      ['shares', { written: [{ columns: ['item'] }] }, { name: 'item' }],
      ['versions', { written: [{ columns: ['item'] }] }, { name: 'item' }],
      [
        'comments',
        { written: [{ columns: ['item'] }], answers: { comments: [{ collection: 'gone', items: ['1'] }] } },
        { kind: 'item-not-found', collection: 'gone' },
      ],
    ]
    for (const [name, guardCase, failure] of cases) {
      expect(await failuresOf(guard(name, guardCase).done), name).toMatchObject([failure])
    }
    const ended = guard('users', { written: [{ columns: ['password'] }] })
    await ended.done
    expect(ended.marks()).toEqual([...before, 'administrators', 'sessions'])
    const linked = guard('permissions', { written: [{ columns: ['role'] }], values: { role: null } })
    await linked.done
    expect(linked.marks()).toEqual([...before, 'links', 'administrators'])
    const [resolved] = linked.worked
    expect(resolved).toMatchObject({ changes: changesOf({ policy: seedIds.publicPolicy }) })
  })
})

test('facts of files, shares and versions stay when a row is reverted', () => {
  const facts = [
    ['files', 'storage'],
    ['files', 'title'],
    ['shares', 'times_used'],
    ['versions', 'hash'],
    ['versions', 'name'],
    ['users', 'hash'],
  ] as const
  expect(facts.map(([name, field]) => isFact(`platform_${name}`, field))).toEqual([
    true,
    false,
    true,
    true,
    false,
    false,
  ])
})

test('rows of collections that determine rights are locked after the turn is taken', async () => {
  for (const name of [...access, 'settings']) {
    const { ctx, texts } = answering([], {})
    await lockAccessFor(ctx.db, `platform_${name}`)
    expect(texts().map(markOf)).toEqual(['lock'])
  }
  const { ctx, texts } = answering([], {})
  for (const name of ['articles', 'platform_files']) await lockAccessFor(ctx.db, name)
  expect(texts()).toEqual([])
})

test('the users of deleted roles are suspended, and the first two roles stay', async () => {
  const { ctx, asked } = answering([], {})
  await suspendHolders(ctx, 'platform_users', [seedIds.publicRole])
  expect(asked()).toEqual([])
  await suspendHolders(ctx, 'platform_roles', ['AB', 7])
  expect(asked()).toEqual([[['ab', '7']]])
  for (const id of [seedIds.administratorRole, seedIds.publicRole.toUpperCase()]) {
    expect(await failuresOf(suspendHolders(ctx, 'platform_roles', ['ab', id]))).toEqual([
      { kind: 'forbidden', reason: 'The Administrator and Public roles cannot be deleted' },
    ])
  }
})
