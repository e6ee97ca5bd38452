/** A world of rights, and the forms of the faults that are planted in it. */

import type { Changes } from '../../domain/query/mutation.ts'
import type { Cause } from '../access/cause.ts'
import type { ExplainOptions } from '../access/explain-rights.ts'
import { changesOf } from './test-context.ts'

export const id = (last: string): string => `00000000-0000-4000-8000-0000000000${last}`
export const [ann, bob] = [id('a1'), id('a2')]
export const [editors, staff, guests] = [id('b1'), id('b2'), id('b3')]
export const [editing, reading, chiefs, open] = [id('c1'), id('c2'), id('c3'), id('c4')]

/** Ann is an editor, who is staff. Editors read published articles and change their own; staff reads authors. */
export const right = `
insert into platform_roles (id, name, parent) values
  ('${staff}', 'Staff', null), ('${editors}', 'Editor', '${staff}'), ('${guests}', 'Guest', null);
insert into platform_policies (id, name, admin_access, app_access) values
  ('${editing}', 'Editing', false, false), ('${reading}', 'Reading', false, false),
  ('${chiefs}', 'Chiefs', false, false), ('${open}', 'Open', false, false);
insert into platform_access (id, role, policy) values
  ('${id('d1')}', '${editors}', '${editing}'), ('${id('d2')}', '${staff}', '${reading}'),
  ('${id('d3')}', '${guests}', '${chiefs}'), ('${id('d4')}', null, '${open}');
insert into platform_users (id, email, role, status) values
  ('${ann}', 'ann@example.com', '${editors}', 'active'), ('${bob}', 'bob@example.com', null, 'active');
insert into platform_permissions (id, policy, collection, action, fields, permissions, validation) values
  (501, '${editing}', 'articles', 'read', 'id,title,status', '{"status":{"_eq":"published"}}', null),
  (502, '${editing}', 'articles', 'update', 'title,body', '{"user_created":{"_eq":"$CURRENT_USER"}}',
    '{"title":{"_starts_with":"A"}}'),
  (503, '${reading}', 'authors', 'read', '*', null, null),
  (504, '${chiefs}', 'articles', 'delete', '*', null, null),
  (505, '${open}', 'tags', 'read', '*', null, null);
update articles set user_created = '${ann}' where id in (1, 3)`

/** `says` is part of the first cause. */
export type PlantedFault = readonly [
  fault: string,
  plant: string,
  asked: Partial<ExplainOptions>,
  expected: {
    readonly code: Cause['code']
    readonly says: string
    readonly granted?: true
  } & Partial<Cause>,
]

export const change = (permission: number, sets: string): string =>
  `update platform_permissions set ${sets} where id = ${permission}`
export const level = (columns: string, row: string): string =>
  `delete from platform_permissions where id in (501, 502);
  insert into platform_role_levels (id, role, collection, ${columns}) values (701, '${editors}', ${row})`
export const own = { key: 1, field: 'title' } as const

export const where = (filter: object): string => `permissions = '${JSON.stringify(filter)}'`

const ofReading = { permission: 501, policy: editing } as const

/** Permission 501 grants nothing as changed. */
export const ignored = (fault: string, sets: string, says: string): PlantedFault => [
  fault,
  change(501, sets),
  own,
  { code: 'rule-ignored', says, ...ofReading },
]

/** Permission 501, with this condition, does not reach the item. */
export const unreached = (fault: string, key: number, filter: object, says: string): PlantedFault => [
  fault,
  change(501, where(filter)),
  { key },
  { code: 'item-not-covered', says, ...ofReading },
]

export const values = (given: { readonly [field: string]: unknown }): { readonly values: Changes } => ({
  values: changesOf(given),
})
