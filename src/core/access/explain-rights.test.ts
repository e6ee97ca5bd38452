/** Rules with planted faults: the explanation names the cause, and says of every request what authorization does. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { failuresOf, openTestWorld, type TestWorld } from '../testing/test-context.ts'
import { plantedFurther } from '../testing/test-planted-further.ts'
import { plantedLevels } from '../testing/test-planted-levels.ts'
import { plantedMistakes } from '../testing/test-planted-mistakes.ts'
import { plantedPlaces } from '../testing/test-planted-places.ts'
import { plantedRules } from '../testing/test-planted-rules.ts'
import { plantedSpellings } from '../testing/test-planted-spellings.ts'
import { ann, bob, change, editing, editors, reading, right, staff } from '../testing/test-planted-world.ts'
import { playScene } from '../testing/test-scene.ts'
import { type ExplainOptions, explainRights } from './explain-rights.ts'
import { toExplanationJson } from './explanation-json.ts'
import { loadAccess } from './load-access.ts'

let world: TestWorld
let admin: Context
beforeAll(async () => {
  world = await openTestWorld()
  await world.rowsOf(right)
  admin = { ...world.ctx, schema: await world.loadSchema() }
})
afterAll(() => world.close())

const wishOf = (asked: Partial<ExplainOptions>): ExplainOptions => ({
  user: ann,
  ip: null,
  collection: 'articles',
  action: 'read',
  key: null,
  field: null,
  values: null,
  ...asked,
})

const quietly = async (plant: string, work: (ctx: Context) => Promise<void>): Promise<void> =>
  playScene({ ...world, ctx: admin }, async ({ ctx, rowsOf }) => {
    for (const statement of plant.split(/;\s*\n?/)) if (statement.trim() !== '') await rowsOf(statement)
    await work(ctx)
  })

test.each([
  ...plantedRules,
  ...plantedSpellings,
  ...plantedPlaces,
  ...plantedLevels,
  ...plantedMistakes,
  ...plantedFurther,
])('the cause is %s', async (_fault, plant, asked, { says, granted = false, ...expected }) => {
  await quietly(plant, async (ctx) => {
    const { actions } = toExplanationJson(await explainRights(ctx, wishOf(asked)))
    expect(actions).toHaveLength(1)
    const [{ granted: told, causes }] = actions as [(typeof actions)[number]]
    expect({ granted: told, ...causes[0] }).toMatchObject({ granted, ...expected })
    expect(causes[0]?.message).toContain(says)
  })
})

test.each([
  ['{"state":"draft"}', 'Presets name state, and collection articles has no such field'],
  [
    '{"views":"many"}',
    'Expected an integer for "presets.views" but received "many", so every write with it is refused',
  ],
])('the presets %s are told beside the rule', async (presets, reason) => {
  await quietly(change(502, `presets = '${presets}'`), async (ctx) => {
    const { actions } = toExplanationJson(
      await explainRights(ctx, wishOf({ action: 'update', key: 1, field: 'title' })),
    )
    expect(actions).toMatchObject([
      {
        granted: true,
        causes: [
          { code: 'rule', permission: 502 },
          {
            code: 'rule-ignored',
            permission: 502,
            policy: editing,
            message: `Permission 502 of policy "Editing" (through role "Editor") (update articles) grants less than it says: ${reason}`,
          },
        ],
      },
    ])
  })
})

test('without a fault, everything is told', async () => {
  const { actions, ...subject } = toExplanationJson(
    await explainRights(admin, wishOf({ user: 'ANN@example.com', action: null, key: 1 })),
  )
  const held = { admin_access: false, app_access: false, counts: true }
  expect(subject).toEqual({
    user: { id: ann, email: 'ann@example.com' },
    roles: [
      { id: editors, name: 'Editor' },
      { id: staff, name: 'Staff' },
    ],
    policies: [
      {
        ...held,
        id: editing,
        name: 'Editing',
        through: ['role "Editor"'],
        holders: [{ role: editors, user: null, name: 'Editor' }],
      },
      {
        ...held,
        id: reading,
        name: 'Reading',
        through: ['role "Staff"'],
        holders: [{ role: staff, user: null, name: 'Staff' }],
      },
    ],
    levels: [],
    collection: 'articles',
  })
  expect(actions.map(({ action, granted }) => [action, granted])).toEqual([
    ['create', false],
    ['read', true],
    ['update', true],
    ['delete', false],
    ['share', false],
  ])
  expect(actions[2]).toMatchObject({
    rules: [
      {
        kind: 'permission',
        permission: 502,
        policy: editing,
        grants: true,
        fields: ['title', 'body'],
        rows: 'user_created _eq $CURRENT_USER',
        filter: { user_created: { _eq: '$CURRENT_USER' } },
        validation: 'title _starts_with "A"',
      },
    ],
    rows: {
      text: 'user_created _eq $CURRENT_USER',
      filter: { user_created: { _eq: '$CURRENT_USER' } },
      sql: expect.stringMatching(/^select \* from .*"articles" t0 where t0\."user_created" = /) as unknown,
      values: [ann],
    },
    fields: [
      { field: 'title', rows: null },
      { field: 'body', rows: null },
    ],
  })
})

test('a rule of a level names the status that it is about', async () => {
  const [, plant, asked] = plantedLevels.find(([fault]) => fault === 'a level of another status') ?? []
  if (plant === undefined || asked === undefined) throw new Error('There is no such level')
  await quietly(plant, async (ctx) => {
    const { actions } = toExplanationJson(await explainRights(ctx, wishOf(asked)))
    const rule = { kind: 'level', level: 701, status: 'draft', name: expect.stringContaining(', status "draft")') }
    expect(actions[0]?.rules).toMatchObject([rule])
  })
})

test('a user asks about itself, and learns nothing about what it may not see', async () => {
  const who = { kind: 'user', user: ann, role: editors } as const
  const { access, roles } = await loadAccess(admin.db, admin.schema, who, null)
  const ctx: Context = { ...admin, actor: { ...who, access, roles, session: null } }
  const ask = async (asked: Partial<ExplainOptions>) =>
    toExplanationJson(await explainRights(ctx, wishOf({ user: null, ...asked }))).actions[0]
  expect(await ask({ key: 1 })).toMatchObject({
    granted: true,
    causes: [{ code: 'rule', permission: 501 }],
    rows: { text: 'status _eq "published"' },
  })
  expect((await ask({ key: 1 }))?.rows).not.toHaveProperty('sql')
  expect(await ask({ key: 3 })).toEqual(await ask({ key: 999 }))
  expect(await ask({ field: 'token' })).toEqual(
    JSON.parse(JSON.stringify(await ask({ field: 'tokem' })).replaceAll('tokem', 'token')),
  )
  expect(await ask({ collection: 'ledger' })).toEqual(await ask({ collection: 'nowhere' }))
  expect(await failuresOf(ask({ user: bob }))).toEqual([{ kind: 'forbidden' }])
  expect(await failuresOf(ask({ user: 'public' }))).toEqual([{ kind: 'forbidden' }])
  expect(await failuresOf(ask({ ip: '10.0.0.1' }))).toEqual([{ kind: 'forbidden' }])
  const nobody = { admin: false, app: false, policies: [], rules: [], fingerprint: '' }
  const visitor: Context = { ...admin, actor: { kind: 'public', access: nobody } }
  expect(await failuresOf(explainRights(visitor, wishOf({ user: null })))).toEqual([{ kind: 'forbidden' }])
})

test('an unknown user is refused by name', async () => {
  const reason = 'Expected the id or the address of a user, or "public", for "user" but received "eve@example.com"'
  expect(await failuresOf(explainRights(admin, wishOf({ user: 'eve@example.com' })))).toEqual([
    { kind: 'invalid-query', name: 'user', reason },
  ])
})
