/** The temporary folders in which images wait for a program, and what it has made of them. */
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** How their names begin. */
export const folderPrefix = 'tandem-image-'

/** Milliseconds after which nobody uses one any more: no task waits and works for as long. */
const grace = 600_000

/** Removes the folders that a killed server has left in a folder of the system; says how many. */
export async function removeStaleFolders(parent: string, now: Date): Promise<number> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(folderPrefix))
  let count = 0
  for (const name of names) {
    const path = join(parent, name)
    const facts = await lstat(path).catch(() => null)
    if (facts?.isDirectory() !== true || now.getTime() - facts.mtimeMs < grace) continue
    await rm(path, { recursive: true, force: true })
    count += 1
  }
  return count
}
