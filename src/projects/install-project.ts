/** Makes the database of a new project, or leaves it as it was. */
import { rm, stat } from 'node:fs/promises'
import { ids } from '../clock-and-ids.ts'
import { makeDataDir, openConfigured } from '../config/database.ts'
import { ConfigError } from '../config/error.ts'
import type { Config } from '../config/sections.ts'
import { install } from '../core/server/bootstrap.ts'
import type { Log } from '../domain/ports/context.ts'
import type { NewProject } from '../domain/ports/projects.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { dropSystemTables } from '../sql/schema/system-tables.ts'
import { hashToken } from '../tokens/opaque.ts'
import { hashPassword } from '../tokens/password.ts'

type Installing = {
  readonly log: Log
  /** Puts the configuration file into its place; the last step. */
  readonly saveFiles: () => Promise<void>
}

/** Creates tables and administrator, and then the configuration file. */
export async function installProject(
  project: NewProject,
  config: Config,
  { log, saveFiles }: Installing,
): Promise<void> {
  const installation = await toInstallation(project, config)
  const isNewFolder = !(await exists(config.dataDir))
  try {
    await makeDataDir(config.dataDir)
    await withDatabase(config, log, async (db) => {
      const isNew = await install(db, installation, log).catch((error: unknown) => {
        throw error instanceof TandemError && error.failures[0].kind !== 'project-fault' ? unusable(error) : error
      })
      try {
        await saveFiles()
      } catch (error) {
        if (isNew) await dropSystemTables(db)
        throw error
      }
    })
  } catch (error) {
    if (isNewFolder) await rm(config.dataDir, { recursive: true, force: true })
    throw error
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

async function withDatabase(config: Config, log: Log, work: (db: OpenDatabase) => Promise<void>): Promise<void> {
  const db = await openConfigured(config, log).catch((error: unknown) => {
    throw unusable(error)
  })
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

/** The message of the database server, without addresses of this network. */
function unusable(error: unknown): TandemError {
  const cause = error instanceof TandemError ? error.cause : error
  const text = error instanceof ConfigError || cause instanceof Error ? (cause as Error).message : 'an error'
  const reason = `The database cannot be used: ${text}`
  return new TandemError({ kind: 'project-fault', problem: 'database', reason }, { cause: error })
}

async function toInstallation({ admin, ...project }: NewProject, { security, secret, projectName }: Config) {
  const { projectUrl, defaultLanguage, force, existing } = project
  const passwordHash = await hashPassword(admin.password, security.hash)
  return {
    projectName,
    projectUrl,
    defaultLanguage,
    force,
    existing,
    admin: {
      id: ids.uuid(),
      firstName: 'Admin',
      lastName: 'User',
      email: admin.email.toLowerCase(),
      passwordHash,
      tokenHash: admin.token === null ? null : hashToken(admin.token, secret ?? ''),
    },
  }
}
