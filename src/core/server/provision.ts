/**
 * Creates roles, users and tokens for the operator of the server, without permission checks. Errors are shown in the
 * terminal.
 */
import type { Database, Ids } from '../../domain/ports/context.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import {
  attachPolicy,
  findRoleIds,
  hasRoleNamed,
  insertOwnPolicy,
  insertRole,
} from '../../sql/statements/accounts/roles.ts'
import {
  insertProvisioner,
  insertUser,
  setPasswordHash,
  setProvisionerToken,
  setTokenHash,
} from '../../sql/statements/accounts/users.ts'
import { lockRoles } from '../../sql/statements/locks.ts'
import { announce } from '../announcements.ts'

/** Creates a role; with rights of its own it gets a policy of the same name. Returns the id of the role. */
export function createRole(
  db: Database,
  ids: Ids,
  role: { readonly name: string; readonly admin: boolean; readonly app: boolean },
): Promise<string> {
  return repeatedTransaction(db, async (inner) => {
    await lockRoles(inner)
    if (await hasRoleNamed(inner, role.name)) throw new Error(`There is a role named ${role.name} already`)
    const id = ids.uuid()
    await insertRole(inner, id, role.name)
    if (role.admin || role.app) {
      const policy = ids.uuid()
      await insertOwnPolicy(inner, { ...role, id: policy, role: id })
      await attachPolicy(inner, { id: ids.uuid(), role: id, policy, sort: 1 })
    }
    return id
  })
}

/** Creates an active user with a role, given by id or name. Returns the id of the user. */
export async function createUser(
  db: Database,
  ids: Ids,
  user: { readonly email: string; readonly passwordHash: string; readonly role: string },
): Promise<string> {
  const id = ids.uuid()
  const role = await findRole(db, user.role)
  const isNew = await insertUser(db, { id, email: user.email.toLowerCase(), passwordHash: user.passwordHash, role })
  if (!isNew) throw new Error(`There is a user with the address ${user.email} already`)
  return id
}

async function findRole(db: Database, idOrName: string): Promise<string> {
  const [role, another] = await findRoleIds(db, idOrName)
  if (role === undefined) throw new Error(`There is no role with the id or name ${idOrName}`)
  if (another !== undefined) throw new Error(`There are several roles named ${idOrName}; give the id of one`)
  return role
}

/** Replaces a user's static token; null removes it. Running servers are notified. */
export async function setStaticToken(db: Database, email: string, hash: string | null): Promise<void> {
  if (!(await setTokenHash(db, email.toLowerCase(), hash)))
    throw new Error(`There is no user with the address ${email}`)
  await announce(db, 'access')
}

/** Replaces the token of the identity provider that provisions users; null removes it. Running servers are notified. */
export async function setScimToken(db: Database, ids: Ids, hash: string | null): Promise<void> {
  await repeatedTransaction(db, async (inner) => {
    await lockRoles(inner)
    if ((await setProvisionerToken(inner, hash)) || hash === null) return
    await insertProvisioner(inner, ids.uuid(), hash)
  })
  await announce(db, 'access')
}

/** Stores the password of a user as the hash that another server made of it. */
export const keepPasswordHash = (
  db: Pick<Database, 'run'>,
  user: { readonly user: string; readonly hash: string },
): Promise<void> => setPasswordHash(db, user)
