/** `tandem import directus`: another project, with its model, rights, files and rows. */

import { loadGenerations } from '../../app.ts'
import { loadSecret } from '../../config/config.ts'
import { ConfigError } from '../../config/error.ts'
import type { Context, Database, Log } from '../../domain/ports/context.ts'
import type { ImportedTable, ImportSource, ProjectImport } from '../../domain/ports/import-source.ts'
import { textTable } from '../../domain/text-table.ts'
import { openDatabase } from '../../sql/database.ts'
import { findForeignSecrets, findForeignSharePasswords } from '../../sql/statements/accounts/foreign-secrets.ts'
import { openLocations } from '../../storage/locations.ts'
import { createContext } from '../context.ts'
import { print, quietLog, withTables } from '../database.ts'
import { createRowProgress } from '../progress.ts'
import { confirm } from '../schema.ts'
import { openServer } from './server.ts'
import { openTemplate } from './template.ts'

export type ImportOptions = {
  readonly url?: string
  readonly token?: string
  readonly template?: string
  readonly sourceDatabase?: string
  readonly dryRun: boolean
  readonly plan: boolean
  readonly update: boolean
  readonly yes: boolean
}

/** Exit code of an import that did not take everything. */
export const isIncomplete = 4

/** Prints the plan, asks for confirmation and imports. Returns the exit code. */
export async function importProject(options: ImportOptions): Promise<number> {
  const source = await withAnswers(await openSource(options))
  return withImporter(async (ctx, importer) => {
    const { lines } = await importer.plan(ctx, source)
    for (const line of lines) print(line)
    if (options.plan || options.dryRun) return 0
    if (!options.yes && !(await confirm(`Import ${source.name}?`))) return 0
    const progress = createRowProgress()
    const { tables, notes, isWhole } = await importer.run(ctx, source, {
      update: options.update,
      onProgress: progress.tell,
    })
    progress.end()
    for (const line of linesOf(tables)) print(line)
    for (const note of notes) print(note)
    return isWhole ? 0 : isIncomplete
  })
}

/** Reads the model before the database here is opened, which takes seconds and may migrate it: the address or the token may be wrong. */
async function withAnswers(source: ImportSource): Promise<ImportSource> {
  const model = await source.snapshot()
  return { ...source, snapshot: () => Promise.resolve(model) }
}

async function openSource({ url, token, template, sourceDatabase }: ImportOptions): Promise<ImportSource> {
  if (template !== undefined) return openTemplate(template)
  if (url === undefined) throw new ConfigError('--url', 'the address of a server, or --template', 'nothing')
  if (token === undefined) throw new ConfigError('--token', 'the static token of an administrator there', 'nothing')
  if (sourceDatabase === undefined) return openServer({ url, token }, { secrets: null, sharePasswords: null })
  return openServer(
    { url, token },
    {
      secrets: () => readFrom(sourceDatabase, findForeignSecrets),
      sharePasswords: () => readFrom(sourceDatabase, findForeignSharePasswords),
    },
  )
}

async function readFrom<T>(connectionString: string, find: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ kind: 'pg', connectionString })
  try {
    return await find(db)
  } finally {
    await db.close()
  }
}

const withImporter = <T>(work: (ctx: Context, importer: ProjectImport) => Promise<T>): Promise<T> =>
  withTables(async (db, config) => {
    const generation = (await loadGenerations(config)).find(({ projectImport }) => projectImport !== undefined)
    if (generation?.projectImport === undefined) throw new Error('No generation imports projects')
    const storage = await openLocations(config.storage)
    try {
      const { secret } = loadSecret(config)
      const ctx = await createContext(db, config, { generation, command: 'tandem import', storage, secret })
      const limits = { ...ctx.limits, batch: null, queryMax: null, strict: false }
      return await work({ ...ctx, limits, log: logOnce(quietLog) }, generation.projectImport)
    } finally {
      storage.close()
    }
  })

/** The plan and the import read the same model, and warn of the same things. */
function logOnce(log: Log): Log {
  const names = new Set<string>()
  const warn: Log['warn'] = (detail, message) => {
    const words = JSON.stringify([message, detail])
    if (!names.has(words)) log.warn(detail, message)
    names.add(words)
  }
  return { ...log, warn }
}

function linesOf(tables: readonly ImportedTable[]): readonly string[] {
  const head = ['', 'source', 'here', 'created', 'updated']
  const rows = tables.map((each) => [each.collection, each.source, each.here, each.created, each.updated].map(String))
  return textTable([head, ...rows])
}
