import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, failuresOf } from '../testing/test-context.ts'
import {
  chief,
  chiefRole,
  editorPolicy,
  manager,
  managerPolicy,
  managerRole,
  openRightsWorld,
} from '../testing/test-rights.ts'

const world = await openRightsWorld()
beforeEach(() => world.reset())
afterAll(() => world.close())

type Values = { readonly [field: string]: unknown }

const rule = { policy: editorPolicy, collection: 'articles', action: 'read', fields: ['title'] }

/** Refuses names of what does not exist. */
const strictChief = async (): Promise<Context> => {
  const ctx = await world.as(chief, chiefRole)
  return { ...ctx, limits: { ...ctx.limits, strict: true } }
}

const save = async (values: Values, asker = strictChief()) =>
  writeItems(await asker, {
    kind: 'create',
    collection: 'platform_permissions',
    items: [changesOf({ ...rule, ...values })],
  })

test.for([
  ['permissions', { permissions: 'all' }],
  ['presets', { presets: [1] }],
] as const)('%s: %j is no object and is refused', async ([field, values]) => {
  const before = await world.run('select count(*) from platform_permissions')
  expect(await failuresOf(save(values))).toMatchObject([{ kind: 'failed-validation', field }])
  expect(await world.run('select count(*) from platform_permissions')).toEqual(before)
})

test.for([
  ['collection', { collection: 'artikel' }, '"artikel"'],
  ['fields', { fields: ['title', 'headline'] }, '"headline"'],
  ['permissions', { permissions: { headline: { _eq: 1 } } }, '"headline"'],
  ['permissions', { permissions: { title: { _is: 1 } } }, '_is'],
  ['permissions', { permissions: { title: { _eq: '$CURRENT_USER.headline' } } }, '"headline"'],
  ['permissions', { permissions: { title: { _in: ['x', '$CURRENT_USER.role.headline'] } } }, '"platform_roles"'],
  ['permissions', { permissions: { title: { _eq: '$CURRENT_ROLE.name.length' } } }, '"name"'],
  ['validation', { validation: { headline: { _eq: 1 } } }, '"headline"'],
  ['validation', { validation: { title: { _eq: '$CURRENT_USER.headline' } } }, '"headline"'],
  ['presets', { presets: { title: '$CURRENT_USER.headline' } }, '"headline"'],
  ['presets', { presets: { headline: 1 } }, '"headline"'],
  ['presets', { presets: { id: 'many' } }, 'Expected an integer for "presets.id" but received "many"'],
] as const)('%s: %j is refused, and nothing is saved', async ([name, values, part]) => {
  const before = await world.run('select count(*) from platform_permissions')
  const [failure] = (await failuresOf(save(values))) as readonly { kind: string; name: string; reason: string }[]
  expect(failure?.kind).toBe('invalid-payload')
  expect(failure?.name.split('.')[0]).toBe(name)
  expect(failure?.reason).toContain(part)
  expect(await world.run('select count(*) from platform_permissions')).toEqual(before)
})

test.for([
  { permissions: { _and: [{ title: { _nnull: true } }, { status: { _eq: '$CURRENT_USER.title' } }] } },
  { permissions: { title: { _in: ['$CURRENT_ROLE.parent.users.email', '$CURRENT_USER.role.users'] } } },
  { validation: { title: { _regex: '^a' } }, action: 'create' },
  { presets: { title: 'x' }, action: 'create', fields: ['*'] },
  { permissions: {}, fields: null, action: 'delete' },
])('%j is saved', async (values) => {
  expect(await save(values)).toHaveLength(1)
})

test('a rule that is changed is looked at again', async () => {
  const [key] = await save({})
  const keys = [key ?? 0]
  const changed = async (values: Values) =>
    writeItems(await strictChief(), {
      kind: 'update',
      collection: 'platform_permissions',
      target: { kind: 'keys', keys },
      changes: changesOf(values),
    })
  expect(await failuresOf(changed({ fields: ['headline'] }))).toMatchObject([
    { kind: 'invalid-payload', name: 'fields' },
  ])
  expect(await changed({ policy: managerPolicy })).toEqual(keys)
})

test('without administration rights all faults of a rule get the same error', async () => {
  const asManager = world.as(manager, managerRole)
  const missing = await failuresOf(save({ fields: ['headline'] }, asManager))
  const held = await failuresOf(save({ fields: ['status'] }, asManager))
  expect(missing).toEqual(held)
  expect(await failuresOf(save({ collection: 'artikel' }, asManager))).toEqual(held)
  expect(missing).toMatchObject([{ kind: 'forbidden' }])
})
