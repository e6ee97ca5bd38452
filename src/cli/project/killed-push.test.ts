/** A push that is killed leaves the project as it was, or as the files say. `PUSH_KILLS` is the number of kills. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { toYaml } from '../../exchange/documents.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { createDatabase, run, runProgram, type Settings, textsIn } from '../test-program.ts'
import { bigProject } from './test-big-project.ts'

const kills = Number(process.env['PUSH_KILLS'] ?? '2')
vi.setConfig({ testTimeout: 120_000 + kills * 60_000, hookTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const folderOf = (name: string): string => join(root, name)
const main = fileURLToPath(new URL('../../main.js', import.meta.url))
const secrets = { MAPBOX_KEY: 'pk.of-the-map' }

async function pulled(settings: Settings): Promise<string> {
  rmSync(folderOf('pulled'), { recursive: true, force: true })
  expect(await run({ ...settings, ...secrets }, 'pull', folderOf('pulled'))).toMatchObject({ code: 0 })
  return JSON.stringify(textsIn(folderOf('pulled')))
}

for (const [path, content] of Object.entries(bigProject)) {
  const file = join(folderOf('written'), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : toYaml(content))
}
const whole = await createDatabase({ isMigrated: true })
const before = await pulled(whole.settings)
const started = performance.now()
const pushed = await runProgram({ ...whole.settings, ...secrets }, 'push', folderOf('written'), '--yes')
/** Milliseconds that a whole push took. */
const duration = performance.now() - started
expect([pushed.code, pushed.error]).toEqual([0, expect.not.stringContaining('tandem:')])
const after = await pulled(whole.settings)
expect(after).not.toBe(before)
await whole.remove()
afterAll(() => rmSync(root, { recursive: true, force: true }))

test(`a push that is killed at ${kills} points leaves all or nothing, and the next one completes it`, async () => {
  for (let at = 0; at < kills; at += 1) {
    const database = await createDatabase({ isMigrated: true })
    const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...database.settings, ...secrets }
    const child = spawn(process.execPath, [main, 'push', folderOf('written'), '--yes'], { cwd: tmpdir(), env })
    const ended = once(child, 'close')
    // Most of it is the start of the program; the last points are after its end.
    await Promise.race([setTimeout(duration * (0.25 + (0.85 * (at + 1)) / (kills + 1))), ended])
    child.kill('SIGKILL')
    await ended
    const left = await pulled(database.settings)
    // MariaDB has no transactions over changes of the data model: the part that stays is completed by the next push.
    expect(perVendor({ postgres: [before, after], mariadb: [before, after, left] }), `point ${at}`).toContain(left)
    expect((await run({ ...database.settings, ...secrets }, 'push', folderOf('written'), '--yes')).code).toBe(0)
    expect(await pulled(database.settings)).toBe(after)
    await database.remove()
  }
})
