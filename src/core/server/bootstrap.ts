/** The first administrator of a new database: by the settings, by the first request, or by an installation. */
import { assertText } from '../../domain/conditions/literals.ts'
import type { AccountContext, Context, Database, Ids, Log } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import { migrate } from '../../sql/schema/migrate.ts'
import { dropSystemTables, hasSystemTables } from '../../sql/schema/system-tables.ts'
import { isAdministered } from '../../sql/statements/accounts/access.ts'
import { insertUser } from '../../sql/statements/accounts/users.ts'
import { lockUsers } from '../../sql/statements/locks.ts'
import { setProjectFacts, setProjectName } from '../../sql/statements/settings.ts'
import { hashPassword } from '../../tokens/password.ts'
import { usersCollection } from '../accounts/users.ts'
import { assertPassword } from '../guards/guard-users.ts'
import { systemValue } from '../rows/system-values.ts'

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
  return repeatedTransaction(db, async (inner) => {
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

export type Setup = {
  readonly email: string
  readonly password: string
  readonly firstName: string | null
  readonly lastName: string | null
}

/** False only if the first administrator is created by a request, and none was created yet. */
export async function isSetUp({ db, server }: Pick<Context, 'db' | 'server'>): Promise<boolean> {
  return !server.leavesSetup || (await isAdministered(db))
}

/**
 * Creates the first administrator. Throws `forbidden` if the project is set up, `not-unique` if the address is taken.
 */
export async function setUp(
  ctx: AccountContext,
  { email: input, password, firstName, lastName }: Setup,
): Promise<void> {
  if (await isSetUp(ctx)) throw new TandemError({ kind: 'forbidden' })
  const email = String(systemValue(usersCollection, 'email', input))
  assertText(firstName ?? '', 'first_name')
  assertText(lastName ?? '', 'last_name')
  await assertPassword(ctx, password)
  const passwordHash = await hashPassword(password, ctx.security.hash)
  const admin = { id: ctx.ids.uuid(), firstName, lastName, email, passwordHash, tokenHash: null }
  const done = await repeatedTransaction(ctx.db, (db) => makeAdministrator(db, admin))
  if (done === 'present') throw new TandemError({ kind: 'forbidden' })
  if (done === 'taken') throw new TandemError({ kind: 'not-unique', collection: usersCollection, field: 'email' })
  await ctx.forgetActors()
}

export type Installation = {
  readonly admin: NewAdministrator
  readonly projectName: string
  readonly projectUrl: string | null
  readonly defaultLanguage: string | null
  /** Replace the system tables of an earlier installation. */
  readonly force: boolean
  /** Keep the system tables of an earlier installation. */
  readonly existing: boolean
}

/**
 * Creates the system tables and the first administrator in one transaction. An earlier installation that is kept also
 * keeps its administrators. Resolves to whether the tables are new.
 */
export function install(db: Database, wanted: Installation, log: Log): Promise<boolean> {
  return db.transaction(async (inner) => {
    const isThere = await hasSystemTables(inner)
    if (isThere && wanted.force) await dropSystemTables(inner)
    else if (isThere && !wanted.existing) throw refuse('The database has system tables; say `existing` or `force`')
    await migrate(inner, log)
    const made = await makeAdministrator(inner, wanted.admin)
    if (made === 'taken') throw refuse('The database has a user with the address of the administrator')
    const { projectName, projectUrl, defaultLanguage } = wanted
    if (made === 'made') await setProjectFacts(inner, { projectName, projectUrl, defaultLanguage })
    return !isThere
  })
}

const refuse = (reason: string): TandemError => new TandemError({ kind: 'project-fault', problem: 'database', reason })
