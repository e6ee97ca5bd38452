/** A lock file for the data directory: the embedded database does not detect a second process, which would corrupt the data. */
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'

/** The owner of a lock. `started` distinguishes processes with the same pid; `id` distinguishes acquisitions. */
type Holder = { readonly pid: number; readonly started: string; readonly id: string }

/** Acquires the lock and resolves to its release. Throws an error that names the process that holds it. */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  const me: Holder = { pid: process.pid, started: (await statusOf(process.pid)).started, id: crypto.randomUUID() }
  const mine = JSON.stringify(me)
  const draft = `${path}.${me.id}`
  await writeFile(draft, mine)
  try {
    while (!(await tryLink(draft, path)) && !(await replaceStale(path, draft)));
  } finally {
    await rm(draft, { force: true })
  }
  return async () => {
    if ((await readText(path)) === mine) await rm(path, { force: true })
  }
}

/** `link` is atomic, and fails if the lock exists. */
async function tryLink(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Replaces the lock of a dead process; throws if the process is alive. A second lock, named after the dead owner,
 * prevents two processes from replacing the same lock.
 */
async function replaceStale(path: string, draft: string): Promise<boolean> {
  const text = await readText(path)
  if (text === null) return false
  const holder = parseHolder(text)
  if (holder !== null && (await isAlive(holder))) {
    throw new Error(
      `The data directory is in use by process ${holder.pid} (${path}). Stop it, or set another DATA_DIR; several processes on one database need a Postgres server (DB_CLIENT=pg).`,
    )
  }
  const release = await takeLock(`${path}.after-${holder?.id ?? 'nobody'}`)
  try {
    if ((await readText(path)) !== text) return false
    await rename(draft, path)
    return true
  } finally {
    await release()
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const { state, threads, started } = await statusOf(holder.pid)
  // A zombie: the process has ended, but its parent has not read its exit code. In containers this can last forever.
  if (state === 'Z' && Number(threads) <= 1) return false
  return started === '' || holder.started === '' || started === holder.started
}

type Status = { readonly state: string; readonly threads: string; readonly started: string }

/** The status of a process from /proc; empty texts where it is not available. */
async function statusOf(pid: number): Promise<Status> {
  const stat = await readText(`/proc/${pid}/stat`)
  const afterName = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: afterName?.[0] ?? '', threads: afterName?.[17] ?? '', started: afterName?.[19] ?? '' }
}

function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { pid, started = '', id = '' } = value as Partial<Holder>
    if (!Number.isInteger(pid) || (pid as number) <= 0 || !/^[\w-]*$/.test(id)) return null
    return { pid: pid as number, started, id }
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
