/** Rows of files, as `tandem seed` writes them. */
import { readSeedFiles } from '../../src/core/configuration/seed-files.ts'
import { seedItems } from '../../src/core/configuration/seed-items.ts'
import type { Context } from '../../src/domain/ports/context.ts'
import { TandemError } from '../../src/domain/rights/errors.ts'
import type { SeedCounts, SeedFiles } from './api.ts'

/** Writes all rows or none. */
export async function seedFiles(ctx: Context, files: SeedFiles): Promise<readonly SeedCounts[]> {
  const names = Object.keys(files)
  const tables = await readSeedFiles(names, (name) => [new TextEncoder().encode(files[name])])
  const left = names.filter((name) => !tables.some(({ file }) => file === name))
  if (left.length > 0) throw new Error(`${left.join(', ')}: expected names such as authors.json or articles.csv`)
  try {
    return await seedItems(ctx, tables)
  } catch (error) {
    const [failure] = error instanceof TandemError ? error.failures : []
    throw failure?.kind === 'invalid-payload' ? new Error(failure.reason, { cause: error }) : error
  }
}
