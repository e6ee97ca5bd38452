/**
 * `npm run version-8-kills --workspace bench`: `tandem adopt version-8`, or `tandem import version-8` with
 * `COMMAND=import`, is killed as by `kill -9` at POINTS places of its way, each in a database of its own on MariaDB
 * (TEST_MYSQL_URL), and run again. Then tables, columns, indexes, constraints, triggers and all rows are compared with
 * those after a run that nobody has killed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogOf, contentsOf } from '../src/cli/version-eight/test-adopted.ts'
import { magazine, originals } from '../src/cli/version-eight/test-magazine.ts'
import { createScratch, type ScratchDatabase } from '../src/sql/sources/mysql/test-mysql.ts'

const points = Number(process.env['POINTS'] ?? 40)
const isImport = process.env['COMMAND'] === 'import'
const main = fileURLToPath(new URL('../src/main.js', import.meta.url))
const killer = new URL('../src/cli/version-eight/test-kill-at.ts', import.meta.url)

const folder = mkdtempSync(join(tmpdir(), 'tandem-kills-'))
const files = join(folder, 'old')
mkdirSync(files)
for (const [name, text] of Object.entries(originals)) writeFileSync(join(files, name), text)

/** The old installation, and what it is taken into: itself, or a database of its own. */
type Place = { readonly source: ScratchDatabase; readonly target: ScratchDatabase }

/** One run; without `killAt` the number of its messages comes along. */
async function take({ source, target }: Place, killAt?: number) {
  const env = {
    PATH: process.env['PATH'],
    SECRET: 's'.repeat(40),
    DATA_DIR: join(folder, 'data'),
    NODE_OPTIONS: `--import ${killer.href}`,
    ...(isImport ? { DB_CLIENT: 'mysql', DB_CONNECTION_STRING: target.url } : {}),
    ...(killAt === undefined ? {} : { KILL_AT: String(killAt) }),
  }
  const words = isImport ? ['import', 'version-8', '--from'] : ['adopt', 'version-8', '--url']
  const child = spawn(process.execPath, [main, ...words, source.url, '--files', files], { env, cwd: folder })
  let error = ''
  child.stdout.resume()
  child.stderr.on('data', (chunk) => (error += String(chunk)))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code, signal, error, messages: Number(/(\d+) messages/.exec(error)?.[1] ?? 0) }
}

const stateOf = async (source: ScratchDatabase) => ({ ...(await catalogOf(source)), ...(await contentsOf(source)) })

type State = Awaited<ReturnType<typeof stateOf>>

const differencesOf = (left: State, right: State): readonly string[] =>
  Object.keys({ ...left, ...right }).filter((name) => left[name] !== right[name])

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function onInstallation<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const source = await createScratch()
  const target = isImport ? await createScratch() : source
  try {
    await source.run(...magazine())
    return await work({ source, target })
  } finally {
    await source.drop()
    if (target !== source) await target.drop()
  }
}

const whole = await onInstallation(async (place) => {
  const { code, error, messages } = await take(place)
  if (messages === 0) throw new Error(error)
  return { code, messages, state: await stateOf(place.target) }
})
say(`${whole.messages} messages to the database, exit code ${whole.code}`)

/** Whether a run that goes on after the kill ends as the whole one. */
const killAndResume = (at: number): Promise<boolean> =>
  onInstallation(async (place) => {
    const killed = await take(place, at)
    const again = await take(place)
    const differing = differencesOf(whole.state, await stateOf(place.target))
    const isGood = killed.signal === 'SIGKILL' && again.code === whole.code && differing.length === 0
    const end = differing.length === 0 ? 'all the same' : `differing: ${differing.join(', ')}`
    say(`killed at ${at} (${String(killed.signal)}), then ${again.code} after ${again.messages} messages, ${end}`)
    if (again.code !== whole.code) say(again.error)
    return isGood
  })

let good = 0
for (let at = 1; at <= points; at += 1) {
  if (await killAndResume(Math.max(1, Math.round((whole.messages * at) / (points + 1))))) good += 1
}
say(`${good} of ${points} runs ended as the whole one`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = good === points ? 0 : 1
