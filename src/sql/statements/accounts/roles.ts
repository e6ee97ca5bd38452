/** Roles and their own policies. */
import { allValues, change, firstRow, hasRows, type Runner } from '../answers.ts'

export function hasRoleNamed(db: Runner, name: string): Promise<boolean> {
  return hasRows(db, { text: 'select 1 from platform_roles where name = $1', values: [name] })
}

export function findRoleIds(db: Runner, idOrName: string): Promise<readonly string[]> {
  const text = 'select id from platform_roles where id::text = $1 or name = $1'
  return allValues(db, { text, values: [idOrName] })
}

/** Creates a role without policies. */
export async function insertRole(db: Runner, id: string, name: string): Promise<void> {
  await change(db, { text: 'insert into platform_roles (id, name) values ($1, $2)', values: [id, name] })
}

/** The name of the role, and the id of its own policy; undefined if the role does not exist. */
export function findOwnPolicy(
  db: Runner,
  role: string,
): Promise<{ readonly name: string; readonly id: string | null } | undefined> {
  const text =
    'select r.name, p.id from platform_roles r left join platform_policies p on p.of_role = r.id where r.id::text = $1'
  return firstRow(db, { task: 'findOwnPolicy', text, values: [role] })
}

export type OwnPolicy = {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly admin?: boolean
  readonly app?: boolean
}

/** Creates the own policy of a role, not yet attached to it. */
export async function insertOwnPolicy(db: Runner, policy: OwnPolicy): Promise<void> {
  const { id, name, role, admin = false, app = false } = policy
  const text = 'insert into platform_policies (id, name, admin_access, app_access, of_role) values ($1, $2, $3, $4, $5)'
  await change(db, { task: 'insertOwnPolicy', text, values: [id, name, admin, app, role] })
}

/** Attaches a policy to a role. `sort`: its position among the role's policies. */
export async function attachPolicy(
  db: Runner,
  access: { readonly id: string; readonly role: string; readonly policy: string; readonly sort?: number },
): Promise<void> {
  const { id, role, policy, sort = null } = access
  const text = 'insert into platform_access (id, role, policy, sort) values ($1, $2, $3, $4)'
  await change(db, { task: 'attachPolicy', text, values: [id, role, policy, sort] })
}

/** Stores the role whose own policy the permissions belong to. */
export async function linkPermissionsToRoles(db: Runner, keys: readonly string[]): Promise<void> {
  const text = `update platform_permissions p set role = q.of_role from platform_policies q
    where q.id = p.policy and p.id::text = any($1) and p.role is distinct from q.of_role`
  const texts = {
    mysql: `update platform_permissions p join platform_policies q on q.id = p.policy set p.role = q.of_role
      where p.id = any($1) and p.role is distinct from q.of_role`,
  }
  await change(db, { task: 'linkPermissionsToRoles', text, texts, values: [keys] })
}
