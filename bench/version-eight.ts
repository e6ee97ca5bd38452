/**
 * `npm run version-8 --workspace bench`: 1,000,000 items and 50,000 files of version 8 from MySQL or MariaDB
 * (TEST_MYSQL_URL) into Postgres (TEST_DATABASE_URL): time and memory of the first import, of one without changes, and
 * of the verification. KILLS=20 also kills the first import at so many points and resumes it each time.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { insert, systemTables } from '../src/cli/version-eight/test-installation.ts'
import { createScratch } from '../src/sql/sources/mysql/test-mysql.ts'

const items = Number(process.env['ITEMS'] ?? 1_000_000)
const files = Number(process.env['FILES'] ?? 50_000)
const kills = Number(process.env['KILLS'] ?? 0)
const main = fileURLToPath(new URL('../src/main.js', import.meta.url))
const postgres = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'

const digits = Array.from({ length: 10 }, (_, at) => `select ${at} as d`).join(' union all ')
const numbers = (count: number) =>
  `select n from (select a.d + 10*b.d + 100*c.d + 1000*e.d + 10000*f.d + 100000*g.d + 1 as n
    from digits a, digits b, digits c, digits e, digits f, digits g) x where n <= ${count}`

const statements: readonly string[] = [
  ...systemTables,
  `create table digits (d int not null primary key)`,
  `insert into digits ${digits}`,
  `create table articles (id int unsigned not null auto_increment primary key, status varchar(20), title varchar(200),
    body text, author int unsigned, cover int unsigned, price decimal(10,2), featured tinyint(1), made datetime, tags varchar(255),
    key by_author (author))`,
  `insert into articles select n, if(n % 9 = 0, 'draft', 'published'), concat('Article ', n), repeat('words ', 1 + n % 20),
    1 + n % 1000, 1 + n % ${files}, n / 100, n % 2, '2020-01-01' + interval n second, 'a,b' from (${numbers(items)}) y`,
  `insert into directus_files (id, storage, private_hash, filename_disk, filename_download, title, type, uploaded_by,
    uploaded_on, filesize) select n, 'local', lpad(hex(n), 12, '0'), concat(n, '.txt'), concat(n, '.txt'), concat('File ', n),
    'text/plain', 1, '2020-01-01', 10 from (${numbers(files)}) y`,
  insert('directus_roles', { id: 1, name: 'Administrator' }, { id: 2, name: 'Public' }),
  insert('directus_users', { id: 1, status: 'active', role: 1, email: 'ann@example.com' }),
  insert('directus_collections', { collection: 'articles' }),
  insert(
    'directus_fields',
    { collection: 'articles', field: 'cover', type: 'file' },
    { collection: 'articles', field: 'featured', type: 'boolean' },
    { collection: 'articles', field: 'tags', type: 'array' },
  ),
]

const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
const originals = join(folder, 'old')
const name = `tandem_bench_${process.pid}`
const target = new URL(postgres)
target.pathname = name

async function onServer(text: string): Promise<void> {
  const client = new Client({ connectionString: postgres })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Peak of resident memory in megabytes, seconds, and the exit code; null: killed. */
async function take(url: string, words: readonly string[], killAfter?: number) {
  const started = performance.now()
  const env = {
    PATH: process.env['PATH'],
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: target.href,
    SECRET: 's'.repeat(40),
    DATA_DIR: join(folder, 'data'),
  }
  const report = join(folder, 'report.json')
  const child = spawn(
    process.execPath,
    [main, 'import', 'version-8', '--from', url, '--files', originals, '--report', report, ...words],
    { env, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = once(child, 'close')
  let peak = 0
  let work = 0
  const look = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid))
    work = Math.max(work, workOf(child.pid))
  }, 100)
  if (killAfter !== undefined) {
    await Promise.race([ended, wait(killAfter * 1000)])
    child.kill('SIGKILL')
  }
  const [code] = (await ended) as [number | null]
  clearInterval(look)
  return { seconds: (performance.now() - started) / 1000, work, peak, code, report }
}

/** The program starts a newer Node where it needs one, so its children count too. */
function memoryOf(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    const own = Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024
    return Math.max(own, ...children.map((child) => memoryOf(Number(child))))
  } catch {
    return 0
  }
}

/** Seconds of the processor that the program has had, which do not depend on what else runs. */
function workOf(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    const own = (Number(fields[11]) + Number(fields[12])) / 100
    return own + children.reduce((sum, child) => sum + workOf(Number(child)), 0)
  } catch {
    return 0
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const source = await createScratch()
try {
  await source.run(...statements)
  mkdirSync(originals)
  for (let at = 1; at <= files; at += 1) writeFileSync(join(originals, `${at}.txt`), `contents ${at % 10}`.slice(0, 10))
  await onServer(`create database ${name}`)
  say(`${items} items, ${files} files`)
  for (let at = 1; at <= kills; at += 1) {
    const { seconds, code } = await take(source.url, [], at * 3)
    say(`killed after ${seconds.toFixed(1)} s (${code ?? 'killed'})`)
  }
  for (const [what, words] of [
    ['first import', []],
    ['again', []],
    ['verification', ['--verify']],
  ] as const) {
    const { seconds, work, peak, code, report } = await take(source.url, words)
    const { tables, files: contents } = JSON.parse(readFileSync(report, 'utf8')) as {
      tables: { table: string; created: number; differing: number }[]
      files: object
    }
    const own = tables.filter(({ table }) => ['articles', 'directus_files'].includes(table))
    say(
      `${what}: ${seconds.toFixed(1)} s (${work.toFixed(1)} s of the processor in the program), ${Math.round(peak)} MB, exit code ${code}, ${JSON.stringify({ own, contents })}`,
    )
  }
} finally {
  await source.drop()
  await onServer(`drop database if exists ${name} with (force)`)
  rmSync(folder, { recursive: true, force: true })
}
