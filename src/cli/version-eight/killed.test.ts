/** An import of version 8 into MariaDB that is killed again and again ends as one that nobody has killed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createScratch, createServedScratch, type ScratchDatabase } from '../../sql/sources/mysql/test-mysql.ts'
import { createDatabase, runProgram } from '../test-program.ts'
import { catalogOf, contentsOf } from './test-adopted.ts'
import { magazine, originals } from './test-magazine.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const killer = `--import ${new URL('./test-kill-at.ts', import.meta.url).href}`
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})
// The folder of an embedded database that is never opened.
const place = await createDatabase({ isEmbedded: true })
const source = await createScratch()
closing.push(place.remove, source.drop)
await source.run(...magazine())
const files = join(place.settings['DATA_DIR'] as string, 'old')
mkdirSync(files, { recursive: true })
for (const [name, text] of Object.entries(originals)) writeFileSync(join(files, name), text)
const settings = { ...place.settings, SECRET: 's'.repeat(40) }

/** Imports into the target; `killAt` is the number of the message to a database after which the program is killed. */
async function take(target: ScratchDatabase, folder: string, killAt?: number) {
  const own = {
    ...settings,
    DATA_DIR: join(files, '..', folder),
    DB_CLIENT: 'mysql',
    DB_CONNECTION_STRING: target.url,
    NODE_OPTIONS: killer,
    ...(killAt === undefined ? {} : { KILL_AT: String(killAt) }),
  }
  const { code, error } = await runProgram(own, 'import', 'version-8', '--from', source.url, '--files', files)
  return { code, messages: Number(/(\d+) messages/.exec(error)?.[1] ?? 0) }
}

async function openTarget(): Promise<ScratchDatabase> {
  const target = await createServedScratch()
  closing.push(target.drop)
  return target
}

test('an import into MariaDB that is killed at three points ends as a whole one', async () => {
  const [whole, killed] = [await openTarget(), await openTarget()]
  const [once, last] = await Promise.all([
    take(whole, 'whole'),
    // The first is killed late, among the last rows; each later one while it looks for what is left, or goes on.
    (async () => {
      for (const at of [720, 150, 250]) expect([at, (await take(killed, 'killed', at)).code]).toEqual([at, null])
      return take(killed, 'killed')
    })(),
  ])
  expect([once.code, last.code]).toEqual([4, 4])
  expect(once.messages).toBeGreaterThan(720)
  expect(await catalogOf(killed)).toEqual(await catalogOf(whole))
  expect(await contentsOf(killed)).toEqual(await contentsOf(whole))
})
