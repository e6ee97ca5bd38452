/** Roles, users and tokens made by the operator of the server, who is above every rule. Errors are for a terminal. */
import type { Database, Ids } from '../domain/context.ts'
import { announce } from './announcements.ts'

/** Makes a role; with rights of its own it gets a policy of the same name. Returns its id. */
export function createRole(
  db: Database,
  ids: Ids,
  role: { readonly name: string; readonly admin: boolean; readonly app: boolean },
): Promise<string> {
  return db.transaction(async (inner) => {
    await inner.run({ text: 'lock table platform_roles in share row exclusive mode', values: [] })
    const same = await inner.run({ text: 'select 1 from platform_roles where name = $1', values: [role.name] })
    if (same.count > 0) throw new Error(`There is a role named ${role.name} already`)
    const id = ids.uuid()
    await inner.run({ text: 'insert into platform_roles (id, name) values ($1, $2)', values: [id, role.name] })
    if (role.admin || role.app) {
      const policy = ids.uuid()
      await inner.run({ text: insertPolicy, values: [policy, role.name, role.admin, role.app, id] })
      await inner.run({ text: insertAccess, values: [ids.uuid(), id, policy] })
    }
    return id
  })
}

const insertPolicy =
  'insert into platform_policies (id, name, admin_access, app_access, of_role) values ($1, $2, $3, $4, $5)'
const insertAccess = 'insert into platform_access (id, role, policy, sort) values ($1, $2, $3, 1)'

/** Makes an active user with a role given by its id or its name. Returns the user's id. */
export async function createUser(
  db: Database,
  ids: Ids,
  user: { readonly email: string; readonly passwordHash: string; readonly role: string },
): Promise<string> {
  const id = ids.uuid()
  const values = [id, user.email.toLowerCase(), user.passwordHash, await findRole(db, user.role)]
  const { count } = await db.run({ text: insertUser, values })
  if (count === 0) throw new Error(`There is a user with the address ${user.email} already`)
  return id
}

const insertUser = `insert into platform_users (id, email, password, role, status)
  values ($1, $2, $3, $4, 'active') on conflict (email) do nothing`

async function findRole(db: Database, idOrName: string): Promise<string> {
  const { rows } = await db.run({ text: selectRole, values: [idOrName] })
  const [role, another] = rows as readonly { readonly id: string }[]
  if (role === undefined) throw new Error(`There is no role with the id or name ${idOrName}`)
  if (another !== undefined) throw new Error(`There are several roles named ${idOrName}; give the id of one`)
  return role.id
}

const selectRole = 'select id from platform_roles where id::text = $1 or name = $1'

/** Replaces a user's static token; null takes it away. Running servers hear of it. */
export async function setStaticToken(db: Database, email: string, hash: string | null): Promise<void> {
  const text = 'update platform_users set token = $2 where email = $1'
  const { count } = await db.run({ text, values: [email.toLowerCase(), hash] })
  if (count === 0) throw new Error(`There is no user with the address ${email}`)
  await announce(db, 'access')
}
