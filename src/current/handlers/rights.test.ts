import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  chief,
  chiefRole,
  editor,
  editorRole,
  key,
  manager,
  managerPolicy,
  managerRole,
  openRightsWorld,
} from '../../core/testing/test-rights.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { createView } from '../views/schema-view.ts'
import { toErrorBody } from '../wire/errors.ts'
import { policies } from './system/policies.ts'
import { roles } from './system/roles.ts'
import { users } from './system/users.ts'

const handlers = { ...policies, ...roles, ...users }
const world = await openRightsWorld()
beforeEach(() => world.reset())
afterAll(() => world.close())

type Handle = (ctx: object, input: unknown) => Promise<{ readonly status: number }>
type Call = readonly [operation: keyof typeof handlers, id: string, body: object]

async function ask(user: string, role: string, [operation, id, body]: Call): Promise<number> {
  const ctx = await world.as(user, role)
  const input = { path: { id }, query: {}, headers: {}, body, request: { path: '/', headers: {} } as HttpRequest }
  try {
    const handle = handlers[operation] as unknown as Handle
    return (await handle({ ...ctx, view: createView(ctx.schema) }, input)).status
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    return toErrorBody(error).status
  }
}

const { administratorRole, administratorPolicy, administratorAccess } = seedIds

const gains: readonly (readonly [string, Call])[] = [
  [
    'a new role of a user with a stronger policy',
    ['updateUser', manager, { role: { name: 'Mine', policies: [{ policy: administratorPolicy }] } }],
  ],
  [
    'a new user with a stronger policy',
    ['createUsers', '', { email: 'new@example.com', policies: [{ policy: administratorPolicy }] }],
  ],
  [
    'a policy of its own',
    ['updateUser', manager, { policies: { create: [{ policy: { name: 'Mine', admin_access: true } }] } }],
  ],
  ['itself in the list of a stronger role', ['updateRole', chiefRole, { users: [chief, manager] }]],
  ['itself among the changes of a stronger role', ['updateRole', chiefRole, { users: { update: [{ id: manager }] } }]],
  ['its role below a stronger one', ['updateRole', administratorRole, { children: { update: [{ id: managerRole }] } }]],
  ['its role in a list of stronger ones', ['updateRole', administratorRole, { children: [chiefRole, managerRole] }]],
  [
    'its role in the list of a stronger policy',
    ['updatePolicy', administratorPolicy, { roles: { create: [{ role: managerRole }] } }],
  ],
  [
    'itself in the list of users of a stronger policy',
    ['updatePolicy', administratorPolicy, { users: { create: [{ user: manager }] } }],
  ],
  [
    'a permission in its policy',
    [
      'updatePolicy',
      managerPolicy,
      { permissions: { create: [{ collection: 'firms', action: 'read', fields: ['*'] }] } },
    ],
  ],
  [
    'another password of an administrator',
    ['updateRole', chiefRole, { users: { update: [{ id: chief, password: 'mine-1' }] } }],
  ],
]
const rights = async () => [
  await world.run('select * from platform_access order by id'),
  await world.run('select * from platform_users order by id'),
]

test.each(gains)('a manager of permissions gains none by %s', async (_name, call) => {
  const before = await rights()
  expect(await ask(manager, managerRole, call)).toBe(403)
  expect(await rights()).toEqual(before)
})

const losses: readonly (readonly [string, Call])[] = [
  ['a list of users without them', ['updateRole', chiefRole, { users: [] }]],
  ['their place in another list', ['updateRole', editorRole, { users: [editor, chief] }]],
  ['a list of roles without theirs', ['updateRole', administratorRole, { children: [] }]],
  ['a list of policies without theirs', ['updateRole', administratorRole, { policies: [] }]],
  ['a deletion among the changes', ['updateRole', administratorRole, { policies: { delete: [administratorAccess] } }]],
  [
    'a policy that is changed in passing',
    [
      'updateRole',
      administratorRole,
      { policies: { update: [{ id: administratorAccess, policy: { id: administratorPolicy, admin_access: false } }] } },
    ],
  ],
  ['a list of roles of the policy', ['updatePolicy', administratorPolicy, { roles: [] }]],
  ['a list of users of the policy', ['updatePolicy', administratorPolicy, { users: [] }]],
  [
    'a user that is suspended in passing',
    ['updateRole', chiefRole, { users: { update: [{ id: chief, status: 'suspended' }] } }],
  ],
]
test.each(losses)('the last administrator stays in spite of %s', async (_name, call) => {
  expect(await ask(chief, chiefRole, call)).toBe(422)
  expect((await world.run('select 1 from platform_sessions')).length).toBe(3)
})

test('an administrator policy cannot be attached to the public', async () => {
  await world.run(
    `insert into platform_access (id, role, policy) values ('${key('d7')}', '${chiefRole}', '${administratorPolicy}')`,
  )
  expect(await ask(chief, chiefRole, ['updateRole', administratorRole, { policies: [] }])).toBe(200)
  expect(await world.run(`select role from platform_access where policy = '${administratorPolicy}'`)).toEqual([
    { role: chiefRole },
  ])
  expect(await ask(chief, chiefRole, ['updatePolicy', administratorPolicy, { roles: { create: [{ sort: 9 }] } }])).toBe(
    422,
  )
})

test('changing a user nested in its role ends its sessions', async () => {
  const body = { users: { update: [{ id: editor, password: 'pass-1' }] } }
  expect(await ask(chief, chiefRole, ['updateRole', editorRole, body])).toBe(200)
  expect(await world.run(`select 1 from platform_sessions where "user" = '${editor}'`)).toEqual([])
  expect(world.forgotten()).toBe(1)
})
