/** The first administrator of a new database. */
import type { Database, Ids } from '../../domain/ports/context.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { isAdministered } from '../../sql/statements/accounts/access.ts'
import { insertUser } from '../../sql/statements/accounts/users.ts'
import { lockUsers } from '../../sql/statements/locks.ts'
import { setProjectName } from '../../sql/statements/settings.ts'

/** The configured administrator, and the functions that hash its secrets. */
export type BootstrapOptions = {
  readonly email: string
  /** Null = generate one. */
  readonly password: string | null
  /** Null = none. */
  readonly token: string | null
  readonly projectName: string
  readonly ids: Ids
  readonly hashPassword: (password: string) => Promise<string>
  readonly hashToken: (token: string) => string
}

/** The created administrator. `password` is set only if it was generated. */
export type FirstAdministrator = { readonly email: string; readonly password: string | null }

/** Creates an administrator if there is none. Of two replicas that start together, one does it. */
export async function bootstrap(db: Database, options: BootstrapOptions): Promise<FirstAdministrator | null> {
  if (await isAdministered(db)) return null
  const password = options.password ?? options.ids.token(20)
  const email = options.email.toLowerCase()
  return db.transaction(async (inner) => {
    const done = await makeAdministrator(inner, {
      id: options.ids.uuid(),
      firstName: 'Admin',
      lastName: 'User',
      email,
      passwordHash: await options.hashPassword(password),
      tokenHash: options.token === null ? null : options.hashToken(options.token),
    })
    if (done === 'present') return null
    if (done === 'taken')
      throw new Error(`ADMIN_EMAIL: expected an unused address, got that of a user without admin rights`)
    await setProjectName(inner, options.projectName)
    return { email, password: options.password === null ? password : null }
  })
}

export type NewAdministrator = {
  /** uuid */
  readonly id: string
  readonly firstName: string | null
  readonly lastName: string | null
  /** In lower case. */
  readonly email: string
  readonly passwordHash: string
  readonly tokenHash: string | null
}

/**
 * Call it inside a transaction. `present`: there is an administrator already. `taken`: another user has the address.
 * Neither changes anything. Of several concurrent calls, one creates its administrator.
 */
export async function makeAdministrator(db: Database, admin: NewAdministrator): Promise<'made' | 'present' | 'taken'> {
  await lockUsers(db)
  if (await isAdministered(db)) return 'present'
  return (await insertUser(db, { ...admin, role: seedIds.administratorRole })) ? 'made' : 'taken'
}
