/** `tandem seed`: rows of a folder, one file per collection. */
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadGenerations } from '../../app.ts'
import { readSeedFiles } from '../../core/configuration/seed-files.ts'
import { seedItems } from '../../core/configuration/seed-items.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { createContext } from '../context.ts'
import { print, withTables } from '../database.ts'

/** Writes the rows of all files in one transaction. The files are read before the database is opened, which takes seconds. */
export async function seedProject(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder}: expected a folder, got ${error.code === 'ENOENT' ? 'nothing there' : error.message}`)
  })
  const files = await readSeedFiles(names, (name) => createReadStream(join(folder, name)))
  if (files.length === 0) throw new Error(`${folder}: expected files such as authors.json or authors.csv, got none`)
  await withTables(async (db, config) => {
    const [generation] = await loadGenerations(config)
    if (generation === undefined) throw new Error('There is no generation')
    const ctx = await createContext(db, config, { generation, command: 'tandem seed' })
    const counts = await seedItems(ctx, files).catch(explain)
    for (const { collection, created, updated, same } of counts)
      print(`${collection}: ${created} created, ${updated} updated, ${same} unchanged`)
  })
}

function explain(error: unknown): never {
  const [failure] = error instanceof TandemError ? error.failures : []
  if (failure?.kind === 'invalid-payload') throw new Error(failure.reason, { cause: error })
  throw error
}
