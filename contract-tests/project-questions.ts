/** Requests about projects that cases do not ask, because they need the operator's token or a locked folder. */
import type { Draft } from '../verify/src/cases/case.ts'
import { superAdminToken } from './world.ts'

type Question = {
  readonly id: string
  readonly rule: string
  readonly change: (draft: Draft) => Draft
  readonly isLocked?: true
  readonly expected: readonly [status: number, code: number]
}

const withBody =
  (change: object): Question['change'] =>
  (draft) => ({ ...draft, body: { ...(draft.body as object), super_admin_token: superAdminToken, ...change } })

const withKey =
  (key: string): Question['change'] =>
  (draft) => ({ ...draft, path: { key }, query: [['super_admin_token', superAdminToken]] })

const creations = ['createProject', 'installProject'].flatMap((id): readonly Question[] => [
  { id, rule: 'a name that is taken', change: withBody({ project: '_' }), expected: [409, 18] },
  { id, rule: 'a path as a name', change: withBody({ project: '../x' }), expected: [422, 17] },
  {
    id,
    rule: 'an unknown cache',
    change: withBody({ project: 'new', cache: { adapter: 'memcached' } }),
    expected: [503, 22],
  },
  { id, rule: 'a locked folder', change: withBody({ project: 'new' }), isLocked: true, expected: [403, 10] },
])

export const projectQuestions: readonly Question[] = [
  ...creations,
  { id: 'deleteProject', rule: 'a locked folder', change: withKey('blog'), isLocked: true, expected: [403, 10] },
  { id: 'deleteProject', rule: 'the default one', change: withKey('_'), expected: [422, 12] },
  { id: 'deleteProject', rule: 'that is not there', change: withKey('nowhere'), expected: [404, 8] },
]
