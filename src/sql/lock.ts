/** A lock file: the embedded engine does not notice a second process on the same directory, and both would write. */
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'

/** Who holds a lock. `started` tells a process from a later one with the same id. */
type Holder = { readonly pid: number; readonly started: string }

/** Takes the lock or throws an error that names the process holding it; resolves to its release. */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  const me: Holder = { pid: process.pid, started: await startOf(process.pid) }
  const mine = JSON.stringify(me)
  const draft = `${path}.${process.pid}.${crypto.randomUUID()}`
  await writeFile(draft, mine)
  try {
    while (!(await tryLink(draft, path))) await removeStale(path, `${draft}.stale`)
  } finally {
    await rm(draft, { force: true })
  }
  return async () => {
    if ((await readText(path)) === mine) await rm(path, { force: true })
  }
}

/** `link` is atomic and fails when the lock exists, also between two processes that try at once. */
async function tryLink(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Takes a dead holder's lock away; throws when the holder lives. Loops of `takeLock` see the outcome. */
async function removeStale(path: string, aside: string): Promise<void> {
  const text = await readText(path)
  if (text === null) return
  const holder = parseHolder(text)
  if (holder !== null && (await isAlive(holder))) {
    throw new Error(
      `The data directory is in use by process ${holder.pid} (${path}). Stop it, or set another DATA_DIR; several processes on one database need a Postgres server (DB_CLIENT=pg).`,
    )
  }
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  // Somebody may have replaced the stale lock in between: then it goes back.
  if ((await readText(aside)) !== text) await tryLink(aside, path)
  await rm(aside, { force: true })
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const started = await startOf(holder.pid)
  return started === '' || holder.started === '' || started === holder.started
}

/** The kernel's start time of a process, where the system tells it; else the empty text. */
async function startOf(pid: number): Promise<string> {
  const stat = await readText(`/proc/${pid}/stat`)
  const afterName = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return afterName?.[19] ?? ''
}

function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { pid, started } = value as Partial<Holder>
    return Number.isInteger(pid) && (pid as number) > 0 ? { pid: pid as number, started: String(started ?? '') } : null
  } catch {
    return null
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
