/** The first administrator of a new database. */
import type { Database, Ids } from '../domain/context.ts'
import { seedIds } from '../domain/identity.ts'

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
    await nameProject(inner, options.projectName)
    return { email, password: options.password === null ? password : null }
  })
}

/** What the project is called from its first start on. */
export async function nameProject(db: Database, name: string): Promise<void> {
  await db.run({ text: 'update platform_settings set project_name = $1', values: [name] })
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
  await db.run({ text: 'lock table platform_users in share row exclusive mode', values: [] })
  if (await isAdministered(db)) return 'present'
  const { id, firstName, lastName, email, passwordHash, tokenHash } = admin
  const values = [id, firstName, lastName, email, passwordHash, tokenHash, seedIds.administratorRole]
  const { count } = await db.run({ text: insertAdministrator, values })
  return count === 0 ? 'taken' : 'made'
}

const insertAdministrator = `insert into platform_users (id, first_name, last_name, email, password, token, role, status)
  values ($1, $2, $3, $4, $5, $6, $7, 'active') on conflict (email) do nothing`

/** Whether there is an administrator, even one who cannot come in just now. */
export async function isAdministered(db: Database): Promise<boolean> {
  return (await db.run({ text: selectAdministrator, values: [] })).count > 0
}

/** Roles give what they hold to those below them. */
const selectAdministrator = `
with recursive held (role) as (
  select a.role from platform_access a join platform_policies p on p.id = a.policy where p.admin_access
  union
  select r.id from platform_roles r join held h on r.parent = h.role
)
select 1 from platform_users u where u.role in (select role from held where role is not null) or u.id in (
  select a."user" from platform_access a join platform_policies p on p.id = a.policy where p.admin_access
) limit 1`
