/**
 * `npm run version-8-kills --workspace bench`: `tandem adopt version-8` (or with COMMAND=import, `import version-8` into
 * Postgres) is killed as by `kill -9` at POINTS places of its work on a database each, run again, and compared with a
 * run that nobody has killed: tables, columns, indexes, and all rows.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { magazine, originals } from '../src/cli/test-magazine.ts'
import { createScratch, type ScratchDatabase } from '../src/sql/sources/mysql/test-mysql.ts'

const points = Number(process.env['POINTS'] ?? 40)
const main = fileURLToPath(new URL('../src/main.js', import.meta.url))
const killer = new URL('../src/cli/test-kill-at.ts', import.meta.url)

const folder = mkdtempSync(join(tmpdir(), 'tandem-kills-'))
const files = join(folder, 'old')
mkdirSync(files)
for (const [name, text] of Object.entries(originals)) writeFileSync(join(files, name), text)

/** One run; without `killAt` the number of its messages comes along. */
async function adopt(url: string, killAt?: number) {
  const env = {
    PATH: process.env['PATH'],
    SECRET: 's'.repeat(40),
    DATA_DIR: join(folder, 'data'),
    NODE_OPTIONS: `--import ${killer.href}`,
    ...(killAt === undefined ? {} : { KILL_AT: String(killAt) }),
  }
  const child = spawn(process.execPath, [main, 'adopt', 'version-8', '--url', url, '--files', files], {
    env,
    cwd: folder,
  })
  let out = ''
  let error = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (error += String(chunk)))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code, signal, out, error, messages: Number(/(\d+) messages/.exec(error)?.[1] ?? 0) }
}

type Rows = readonly { readonly [column: string]: unknown }[]

/** All that there is, without keys and moments that each run makes for itself. */
async function stateOf(source: ScratchDatabase): Promise<{ readonly [name: string]: string }> {
  const about = (text: string) => source.run(text.replaceAll('$', `'${source.name}'`))
  const found: { [name: string]: string } = {}
  for (const [name, text] of Object.entries({
    columns:
      'select table_name, column_name, column_type, is_nullable, column_default, extra from information_schema.columns where table_schema = $ order by 1, ordinal_position',
    indexes:
      'select table_name, index_name, seq_in_index, column_name, non_unique from information_schema.statistics where table_schema = $ order by 1, 2, 3',
    constraints:
      'select table_name, constraint_name, constraint_type from information_schema.table_constraints where table_schema = $ order by 1, 2',
    triggers:
      'select trigger_name, event_object_table, action_statement from information_schema.triggers where trigger_schema = $ order by 1',
    routines:
      'select routine_name, routine_definition from information_schema.routines where routine_schema = $ order by 1',
  }))
    found[name] = JSON.stringify(await about(text))
  const tables = await about(
    "select table_name as name from information_schema.tables where table_schema = $ and table_type = 'BASE TABLE' order by 1",
  )
  const numbers = new Map<string, string>()
  for (const table of ['roles', 'users', 'files', 'folders']) {
    for (const { id, number } of await source.run(`select id, number from platform_${table}`))
      numbers.set(String(id), `${table} ${String(number)}`)
  }
  for (const { name } of tables) {
    const rows = (await source.run(`select * from \`${String(name)}\``)) as Rows
    const own = String(name) === 'platform_imports' || String(name) === 'platform_announcements' ? withoutPlace : plain
    found[String(name)] = rows
      .map((row) => own(JSON.stringify(row), numbers))
      .toSorted()
      .join('\n')
  }
  return found
}

const plain = (text: string, numbers: ReadonlyMap<string, string>): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => numbers.get(id) ?? 'uuid')
    .replaceAll(/"20[2-9]\d-\d\d-\d\dT[^"]*"/g, '"moment"')

/** Names of the database, and digests of keys that are made here. */
const withoutPlace = (text: string): string =>
  text.replaceAll(/tandem_v8_[0-9a-f]+|[0-9a-f]{24,}/g, 'own').replaceAll(/"20[2-9]\d-\d\d-\d\dT[^"]*"/g, '"moment"')

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function onInstallation<T>(work: (source: ScratchDatabase) => Promise<T>): Promise<T> {
  const source = await createScratch()
  try {
    await source.run(...magazine())
    return await work(source)
  } finally {
    await source.drop()
  }
}

const whole = await onInstallation(async (source) => {
  const { code, out, error, messages } = await adopt(source.url)
  if (messages === 0) throw new Error(error)
  return { code, messages, state: await stateOf(source), rows: out }
})
say(`${whole.messages} messages, exit code ${whole.code}`)
let bad = 0
for (let at = 1; at <= points; at += 1) {
  const place = Math.max(1, Math.round((whole.messages * at) / (points + 1)))
  await onInstallation(async (source) => {
    const killed = await adopt(source.url, place)
    const [{ made }] = (await source.run(
      `select count(*) as made from information_schema.tables where table_schema = '${source.name}' and table_name like 'platform%'`,
    )) as [{ made: number }]
    const again = await adopt(source.url)
    const state = await stateOf(source)
    const differing = Object.keys({ ...whole.state, ...state }).filter((name) => whole.state[name] !== state[name])
    const isGood = killed.signal === 'SIGKILL' && again.code === whole.code && differing.length === 0
    if (!isGood) bad += 1
    say(
      `${isGood ? 'good' : 'BAD '} killed at ${place} (${String(killed.signal ?? killed.code)}, ${made} system tables), then ${again.code}, ${again.messages} messages${differing.length === 0 ? '' : `, differing: ${differing.join(', ')}`}`,
    )
    if (!isGood && process.env['SHOW'] !== undefined)
      for (const name of differing) say(`--- ${name}\n${whole.state[name]}\n+++\n${state[name]}`)
    if (again.code !== whole.code) say(again.error)
  })
}
say(bad === 0 ? `all ${points} runs ended as the whole one` : `${bad} of ${points} did not`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = bad === 0 ? 0 : 1
