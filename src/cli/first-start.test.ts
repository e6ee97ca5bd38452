import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { makeImage } from '../sql/embedded/make-image.ts'
import { ask, createDatabase, run, startServer } from './test-program.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Megabytes that the process had in memory at most. */
const peakOf = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test.runIf(process.platform === 'linux')('a first start needs less than 600 MB of memory', async () => {
  await makeImage()
  const database = await createDatabase({ isEmbedded: true })
  const server = await startServer(database.settings)
  try {
    expect(await ask(server.url, '/server/ping')).toEqual({ status: 200, body: 'pong' })
    expect(server.printed()).toContain('Administrator   admin@example.com')
    const peak = peakOf(server.child.pid)
    expect([peak > 100, peak < 600, peak]).toEqual([true, true, peak])
  } finally {
    await server.stop()
    await database.remove()
  }
})

test('a command says that it has made an embedded database', async () => {
  const { settings, remove } = await createDatabase({ isEmbedded: true })
  const message = `Made a new embedded database in ${settings['DATA_DIR']}: DATA_DIR names another folder\n`
  try {
    expect((await run(settings, 'migrate')).error).toContain(message)
    expect((await run(settings, 'migrate')).error).not.toContain('Made')
  } finally {
    await remove()
  }
})
