/** Rows in a folder, for `mock.seed`. For Node alone. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SeedFiles } from './api.ts'

/** The texts of the JSON and CSV files of a folder that `tandem seed` takes. Throws if there is none. */
export async function readSeedFolder(folder: string): Promise<SeedFiles> {
  const all = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder}: expected a folder, got ${error.code === 'ENOENT' ? 'nothing there' : error.message}`)
  })
  const names = all.filter((name) => /\.(json|csv)$/.test(name)).toSorted()
  if (names.length === 0) throw new Error(`${folder}: expected files such as authors.json or authors.csv, got none`)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']))
}
