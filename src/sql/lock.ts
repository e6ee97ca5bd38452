/** A lock file: the embedded engine does not notice a second process on the same directory, and both would write. */
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'

/** Who holds a lock. `started` tells a process from a later one with the same number, `id` one taking from the next. */
type Holder = { readonly pid: number; readonly started: string; readonly id: string }

/** Takes the lock or throws an error that names the process holding it; resolves to its release. */
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

/**
 * Puts the draft in a dead holder's place; throws when the holder lives. Whoever replaces a holder
 * holds a lock named after it meanwhile, so that nobody replaces the successor by mistake.
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
  // It has ended and waits for its parent to hear of it, which may take long, or for good in a container.
  if (state === 'Z' && Number(threads) <= 1) return false
  return started === '' || holder.started === '' || started === holder.started
}

type Status = { readonly state: string; readonly threads: string; readonly started: string }

/** What the kernel says of a process, where the system tells it; else empty texts. */
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
