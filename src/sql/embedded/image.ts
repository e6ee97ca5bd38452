/**
 * The image of a new database: an archive of its files that is built after `npm ci` and unpacked at the first start.
 * Creating a database takes ten seconds and a gigabyte of memory, unpacking one a second.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path for the installed version of the engine, so that no other version finds it. It need not exist. */
export function imagePath(): string {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = createRequire(main)('../package.json') as { readonly version: string }
  return fileURLToPath(new URL(`../../../dist/database-${version}.tar`, import.meta.url))
}

/** Unpacks an image into a folder that does not exist or is empty. Returns false if there is no image. */
export async function unpackImage(image: string, folder: string): Promise<boolean> {
  const archive = await readFile(image).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (archive === null) return false
  // Renamed at the end, so that a stop in between leaves no half of a database.
  const draft = `${folder}.${process.pid}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  for (const entry of entriesOf(archive)) {
    const path = join(draft, entry.name)
    await mkdir(entry.content === null ? path : dirname(path), { recursive: true, mode: 0o700 })
    if (entry.content !== null) await writeFile(path, entry.content, { mode: 0o600 })
  }
  await rename(draft, folder)
  return true
}

/** Null = a folder. */
type Entry = { readonly name: string; readonly content: Uint8Array | null }

const block = 512

/** The entries of a tar archive (ustar) with plain files and folders. */
export function* entriesOf(archive: Buffer): Generator<Entry> {
  const textAt = (from: number, length: number): string =>
    archive.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  for (let at = 0; at < archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(textAt(at + 124, 12), 8)
    const type = textAt(at + 156, 1)
    const name = join('/', textAt(at + 345, 155), textAt(at, 100))
    if (!['', '0', '5'].includes(type)) throw new Error(`Expected a file or a folder but ${name} has the type ${type}`)
    const from = at + block
    if (!(from + size <= archive.length)) throw new Error(`The archive ends within ${name}`)
    yield { name, content: type === '5' ? null : archive.subarray(from, from + size) }
    at = from + Math.ceil(size / block) * block
  }
}
