/** Valid and permitted writes that are rejected because of their consequences. */
import { batches } from './batch-faults.ts'
import type { Extra } from './data-cases.ts'
import { current, extrasOf } from './extras.ts'
import { administrator } from './world-data.ts'

/** Writes that would leave the project without an administrator. */
const last = (operation: string, part: Pick<Extra, 'path' | 'body'>): Extra =>
  current.refused(operation, 'the last administrator', part)

/** All ways to remove the rights of the last administrator by changing one of the rows that grant them. */
const lastBy = (one: string, many: string, key: string, data: object): readonly Extra[] => [
  last(`update${one}`, { path: { id: key }, body: data }),
  last(`update${many}`, { body: { keys: [key], data } }),
  last(`delete${one}`, { path: { id: key } }),
  last(`delete${many}`, { body: { query: { filter: { id: { _eq: key } } } } }),
]

const lastUser = { id: administrator.user, status: 'suspended' }
const ids = {
  dashboard: '00000000-0000-4000-8000-0000000000f8',
  panel: '00000000-0000-4000-8000-0000000000f9',
  comment: '00000000-0000-4000-8000-0000000000f7',
  file: '00000000-0000-4000-8000-0000000000f7',
  share: '00000000-0000-4000-8000-0000000000fc',
} as const
const article = { collection: 'articles', item: '1' } as const
const panel = { type: 'label', position_x: 1, position_y: 1, width: 4, height: 4 } as const

const webhook = {
  name: 'Next',
  url: 'https://example.com/hook',
  collections: ['articles'],
  actions: ['create'],
} as const

const lastRole = { id: administrator.role, parent: null }

/** Removes the rights through a related item, while another item is written. */
const lastThrough = (
  [one, many, key]: readonly [one: string, many: string, key: string],
  item: object,
  nested: object,
): readonly Extra[] => [
  last(`create${many}`, { body: { ...item, ...nested } }),
  last(`update${many}`, { body: { keys: [key], data: nested } }),
  last(`update${one}`, { body: nested }),
]

/** Writes that a trigger of the world rejects. */
const kept = (
  operation: string,
  part: Pick<Extra, 'path' | 'body'>,
  generation: Extra['generation'] = 'current',
): Extra =>
  extrasOf(generation).refused(operation, 'a rule of the database', {
    ...part,
    path: { collection: 'steps', ...part.path },
  })

export const refusals: readonly Extra[] = [
  ...batches,
  last('updateMe', { body: { status: 'archived' } }),
  ...lastBy('User', 'Users', administrator.user, { status: 'suspended' }),
  ...lastBy('Role', 'Roles', administrator.role, { parent: null }),
  ...lastBy('Policy', 'Policies', administrator.policy, { admin_access: false }),
  ...lastBy('Access', 'Accesses', administrator.access, { role: null }),
  last('revertItem', { path: { revision: '905' } }),
  last('revertActivity', { body: { activity: [901] } }),
  last('createUsers', { body: { email: 'next@example.com', role: lastRole } }),
  last('createRoles', { body: { name: 'Next', users: { create: [], update: [lastUser], delete: [] } } }),
  last('createAccesses', { body: { policy: administrator.policy } }),
  last('updateSettings', { body: { public_registration_role: lastRole } }),
  ...lastThrough(
    ['Permission', 'Permissions', '901'],
    { collection: 'tags', action: 'create' },
    {
      policy: { id: administrator.policy, admin_access: false },
    },
  ),
  ...lastThrough(['Preset', 'Presets', '901'], { collection: 'tags' }, { user: lastUser }),
  ...lastThrough(['Notification', 'Notifications', '901'], { subject: 'Hello' }, { recipient: lastUser }),
  ...lastThrough(['Webhook', 'Webhooks', '901'], webhook, { user: lastUser }),
  ...lastThrough(['Dashboard', 'Dashboards', ids.dashboard], { name: 'Next' }, { user_created: lastUser }),
  ...lastThrough(['Panel', 'Panels', ids.panel], panel, { dashboard: { id: ids.dashboard, user_created: lastUser } }),
  ...lastThrough(['Comment', 'Comments', ids.comment], { ...article, comment: 'Next' }, { user_created: lastUser }),
  ...lastThrough(['Share', 'Shares', ids.share], article, { role: lastRole }),
  last('updateFiles', { body: { keys: [ids.file], data: { uploaded_by: lastUser } } }),
  last('updateFile', { body: { uploaded_by: lastUser } }),
  kept('createItems', { body: { name: 'Refused' } }),
  kept('updateItems', { body: { keys: [3], data: { name: 'Refused' } } }),
  kept('updateItem', { path: { id: '3' }, body: { name: 'Refused' } }),
  kept('deleteItems', { body: [3] }),
  kept('deleteItem', { path: { id: '3' } }),
  kept('deleteItem', { path: { id: '3' } }, 'legacy'),
]
