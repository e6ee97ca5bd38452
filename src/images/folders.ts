/** Temporary folders for the input and output of image tasks. */
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Prefix of their names. */
export const folderPrefix = 'tandem-image-'

/** Age in milliseconds from which on a folder is abandoned: every task is finished earlier. */
const grace = 600_000

/** Removes folders that killed servers have left in the system's temporary folder. Returns their number. */
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
