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
  if (await hasAdministrator(db)) return null
  const password = options.password ?? options.ids.token(20)
  const hash = await options.hashPassword(password)
  return db.transaction(async (inner) => {
    await inner.run({ text: 'lock table platform_users in share row exclusive mode', values: [] })
    if (await hasAdministrator(inner)) return null
    const token = options.token === null ? null : options.hashToken(options.token)
    const values = [options.ids.uuid(), options.email.toLowerCase(), hash, token, seedIds.administratorRole]
    const { count } = await inner.run({ text: insertAdministrator, values })
    if (count === 0)
      throw new Error(`ADMIN_EMAIL: expected the address of nobody, got that of a user without admin rights`)
    await inner.run({ text: 'update platform_settings set project_name = $1', values: [options.projectName] })
    return { email: options.email.toLowerCase(), password: options.password === null ? password : null }
  })
}

const insertAdministrator = `insert into platform_users (id, first_name, last_name, email, password, token, role, status)
  values ($1, 'Admin', 'User', $2, $3, $4, $5, 'active') on conflict (email) do nothing`

async function hasAdministrator(db: Database): Promise<boolean> {
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
