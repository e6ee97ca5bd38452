/**
 * Local storage: objects as files in a folder. A write goes to a temporary file in the same folder, which is synced and
 * then renamed. Readers, also after a crash, see the whole object or none.
 */
import { constants } from 'node:fs'
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  opendir,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Draft, isObjectKey, ObjectMissing, type Storage } from '../domain/ports/storage.ts'
import { type Incoming, receiveFile } from './incoming-file.ts'
import { openOutgoing } from './outgoing-file.ts'

/** Prefix of temporary files. Keys never begin with a dot. */
const unfinished = /^\.unfinished-[\w-]+$/

/** Creates the storage. The folder is created by the first write. */
export function createLocalStorage(root: string): Storage {
  /** Temporary files that this process is writing now. */
  const writing = new Set<string>()
  return {
    write: (key, stream, options) => writeFile({ root, writing }, key, { stream, ...options }),
    async read(key, range) {
      const handle = await openFile(await findPath(root, key), key)
      // A file stream cannot express an empty range, and an empty file has no first byte.
      return handle.createReadStream({ ...range, highWaterMark: 262_144 })
    },
    async open(key, range) {
      const file = await openOutgoing(await findPath(root, key), range).catch(nullWhenAbsent)
      if (file === null) throw new ObjectMissing(key)
      return file
    },
    async pathOf(key) {
      const path = await findPath(root, key)
      const stat = await lstat(path).catch(nullWhenAbsent)
      if (stat?.isFile() === true) return path
      throw new ObjectMissing(key)
    },
    draft: () => createDraft({ root, writing }),
    async stat(key) {
      const path = await findPath(root, key).catch(nullWhenMissing)
      const stat = path === null ? null : await lstat(path).catch(nullWhenAbsent)
      return stat?.isFile() === true ? { size: stat.size, modified: stat.mtime } : null
    },
    async delete(key) {
      const path = await findPath(root, key).catch(nullWhenMissing)
      if (path === null) return
      await unlink(path).catch(nullWhenAbsent)
      if (key.includes('/')) await rmdir(dirname(path)).catch(nullWhenUsed)
    },
    list: (prefix) => listFiles(root, prefix),
    move: (from, to) => moveFile(root, from, to),
    discardUnfinished: (before) => removeUnfinished({ root, writing }, before),
  }
}

type LocalFolder = { readonly root: string; readonly writing: Set<string> }

async function moveFile(root: string, from: string, to: string): Promise<void> {
  const [source, target] = [await findPath(root, from), await findPath(root, to)]
  await renameInto(source, target).catch((cause: unknown) => {
    throw isAbsent(cause) ? new ObjectMissing(from, { cause }) : cause
  })
  await syncFolder(dirname(target))
}

async function removeUnfinished({ root, writing }: LocalFolder, before: Date): Promise<number> {
  const names = await readdir(root).catch(nullWhenAbsent)
  let count = 0
  for (const name of names ?? []) {
    if (!unfinished.test(name) || writing.has(name)) continue
    const facts = await lstat(join(root, name)).catch(nullWhenAbsent)
    if (facts === null || facts.mtime >= before) continue
    await rm(join(root, name), { force: true })
    count += 1
  }
  return count
}

async function writeFile(folder: LocalFolder, key: string, incoming: Incoming) {
  const draft = createDraft(folder)
  try {
    if (!isObjectKey(key)) throw notKey(key)
    const size = await receiveFile(await create(draft.path), incoming)
    await draft.keep(key)
    await syncFolder(dirname(join(folder.root, key)))
    return { size }
  } catch (error) {
    incoming.stream.destroy()
    await draft.discard()
    throw error
  }
}

/** A temporary file, and how it is kept or discarded. */
function createDraft({ root, writing }: LocalFolder): Draft {
  const name = `.unfinished-${crypto.randomUUID()}`
  const path = join(root, name)
  writing.add(name)
  return {
    path,
    async keep(key) {
      await renameInto(path, await findPath(root, key))
      writing.delete(name)
    },
    async discard() {
      await rm(path, { force: true })
      writing.delete(name)
    },
  }
}

/** Renames a file, and creates its folder. The deletion of the last object of the folder may remove it in between. */
async function renameInto(path: string, target: string, attempts = 3): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  try {
    await rename(path, target)
  } catch (error) {
    if (!isAbsent(error) || attempts === 1) throw error
    await renameInto(path, target, attempts - 1)
  }
}

/** Creates a file, and its folder if needed. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (!isAbsent(error)) throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return open(path, 'wx', 0o600)
  }
}

/**
 * The path of the file of a key; null if one of the folders in the key is a symbolic link. Links could lead outside the
 * storage or give one file two keys. Callers open the last segment without following links.
 */
async function findPath(root: string, key: string): Promise<string> {
  if (!isObjectKey(key)) throw notKey(key)
  const path = join(root, ...key.split('/'))
  if (!key.includes('/') || (await isPlain(root, key.split('/').slice(0, -1)))) return path
  throw new ObjectMissing(key)
}

const notKey = (key: string): Error => new Error(`Not a key: ${JSON.stringify(key.slice(0, 300))}`)

/** Whether the existing folders are real folders, not links. */
async function isPlain(root: string, folders: readonly string[]): Promise<boolean> {
  if (folders.length === 0) return true
  const real = await realpath(join(root, ...folders)).catch(nullWhenAbsent)
  if (real === null) return isPlain(root, folders.slice(0, -1))
  return real === join(await realpath(root), ...folders)
}

async function openFile(path: string, key: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  // Non-blocking: opening a pipe without a writer would block.
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((cause: unknown) => {
    throw isAbsent(cause) ? new ObjectMissing(key, { cause }) : cause
  })
  const facts = await handle.stat()
  if (facts.isFile()) return handle
  await handle.close()
  throw new ObjectMissing(key)
}

async function* listFiles(root: string, prefix: string): ReturnType<Storage['list']> {
  const first = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')))
  if (first !== '' && (await findPath(root, first + '/x').catch(nullWhenMissing)) === null) return
  const pending = [first]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await opendir(join(root, folder), { bufferSize: 1000 }).catch(nullWhenAbsent)
    if (entries === null) continue
    for await (const entry of entries) {
      const key = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!isObjectKey(key)) continue
      if (entry.isDirectory() && (key.startsWith(prefix) || prefix.startsWith(`${key}/`))) pending.push(key)
      if (!entry.isFile() || !key.startsWith(prefix)) continue
      const facts = await lstat(join(root, key)).catch(nullWhenAbsent)
      if (facts !== null) yield { key, size: facts.size, modified: facts.mtime }
    }
  }
}

/** Syncs a folder, so that a rename in it is durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ELOOP', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

function nullWhenAbsent(error: unknown): null {
  if (isAbsent(error)) return null
  throw error
}

/** A folder that has other files, or that is removed already, is left alone. */
function nullWhenUsed(error: unknown): null {
  if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
  return nullWhenAbsent(error)
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof ObjectMissing) return null
  throw error
}
