/** The first administrator of a new database. */
import type { Database, Ids } from '../../domain/ports/context.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { isAdministered } from '../../sql/statements/access.ts'
import { lockUsers } from '../../sql/statements/locks.ts'
import { setProjectName } from '../../sql/statements/settings.ts'
import { insertUser } from '../../sql/statements/users.ts'

/** What the configuration wishes, and what turns secrets into what is stored. */
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

/** The administrator that was made; `password` is set only when it was generated. */
export type FirstAdministrator = { readonly email: string; readonly password: string | null }

/** Makes an administrator when there is none. Of two replicas that start at once, one does it. */
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
      throw new Error(`ADMIN_EMAIL: expected the address of nobody, got that of a user without admin rights`)
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
 * Inside a transaction: `present` when there is an administrator already, `taken` when the address belongs to
 * somebody; neither changes anything. Of several at once, one makes its administrator.
 */
export async function makeAdministrator(db: Database, admin: NewAdministrator): Promise<'made' | 'present' | 'taken'> {
  await lockUsers(db)
  if (await isAdministered(db)) return 'present'
  return (await insertUser(db, { ...admin, role: seedIds.administratorRole })) ? 'made' : 'taken'
}
