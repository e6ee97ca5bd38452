/** Builds the image of a new database, if it does not exist: after `npm ci`, and before tests. */
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { engineOptions } from './engine-options.ts'
import { imagePath } from './image.ts'

/** Two processes may build it at once; the rename selects one, and both are valid. */
export async function makeImage(): Promise<string> {
  const path = imagePath()
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists) return path
  const database = await PGlite.create(engineOptions)
  // Half of the files are those of the templates, and the engine creates no second database.
  await database.exec('update pg_database set datistemplate = false')
  for (const name of ['template0', 'template1']) await database.exec(`drop database ${name}`)
  await database.exec('checkpoint')
  const archive = await database.dumpDataDir('none')
  await database.close()
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.${crypto.randomUUID()}`
  await writeFile(draft, new Uint8Array(await archive.arrayBuffer()))
  await rename(draft, path)
  return path
}

if (import.meta.main) await makeImage()
