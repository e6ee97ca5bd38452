import type { Database, Log } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { migrate } from '../../sql/schema/migrate.ts'
import { dropSystemTables, hasSystemTables } from '../../sql/schema/system-tables.ts'
import { setProjectFacts } from '../../sql/statements/settings.ts'
import { makeAdministrator, type NewAdministrator } from './bootstrap.ts'

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
