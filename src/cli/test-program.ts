/** Runs the program for tests, in a separate folder: servers as separate processes, other commands also in this one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { createApp } from '../app.ts'
import { loadConfig } from '../config/config.ts'
import type { Database } from '../domain/ports/context.ts'
import { type DatabaseOptions, openDatabase } from '../sql/database.ts'
import { createPreparedMySql, preparedTemplate, silentLog, unpackArchive } from '../sql/testing/test-database.ts'
import { isOnMariaDb } from '../sql/testing/test-vendors.ts'
import { runCommandLine } from './run.ts'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

export const adminToken = 'a-static-token-for-tests'
export const adminPassword = 'a password for tests'

export type Settings = { readonly [name: string]: string }

export type ProgramDatabase = {
  /** Settings for an empty database. */
  readonly settings: Settings
  /** Opens the same database in the test. With the embedded database this requires that the program is not running. */
  readonly onDatabase: <T>(work: (db: Database) => Promise<T>) => Promise<T>
  readonly remove: () => Promise<void>
}

type ProgramDatabaseOptions = {
  /** Also where TEST_DATABASE_URL names a server. */
  readonly isEmbedded?: boolean
  /** With the system tables, for tests that are not about a first start; creating an embedded database takes seconds. */
  readonly isMigrated?: boolean
}

/** Creates a folder and a database: embedded, or on the server in TEST_DATABASE_URL. */
export async function createDatabase({
  isEmbedded = false,
  isMigrated = false,
}: ProgramDatabaseOptions = {}): Promise<ProgramDatabase> {
  const path = mkdtempSync(join(tmpdir(), 'tandem-test-'))
  const removeFolder = (): void => rmSync(path, { recursive: true, force: true })
  const settings = { DATA_DIR: path, HOST: '127.0.0.1', PORT: '0', HASH_MEMORY_COST: '1024', LOGIN_STALL_TIME: '0' }
  const server = isEmbedded ? undefined : process.env.TEST_DATABASE_URL
  if (server === undefined) {
    if (isMigrated) await unpackArchive(join(path, 'database'))
    return { settings, onDatabase: within({ kind: 'pglite', dataDir: path }), remove: async () => removeFolder() }
  }
  const name = `tandem_program_${crypto.randomUUID().replaceAll('-', '')}`
  const kind = isOnMariaDb ? 'mysql' : 'pg'
  await createOn(server, name, isMigrated)
  const url = new URL(server)
  url.pathname = name
  return {
    settings: { ...settings, DB_CLIENT: kind, DB_CONNECTION_STRING: url.href, SECRET: 's'.repeat(40) },
    onDatabase: within({ kind, connectionString: url.href }),
    remove: async () => {
      removeFolder()
      await onServer(server, `drop database ${name}${isOnMariaDb ? '' : ' with (force)'}`)
    },
  }
}

async function createOn(server: string, name: string, isMigrated: boolean): Promise<void> {
  if (isOnMariaDb) {
    if (isMigrated) await createPreparedMySql(server, name)
    else await onServer(server, `create database ${name} character set utf8mb4`)
    return
  }
  const template = isMigrated ? await preparedTemplate(server) : 'template1'
  await onServer(server, `create database ${name} template ${template}`)
}

const within =
  (options: DatabaseOptions): ProgramDatabase['onDatabase'] =>
  async (work) => {
    const db = await openDatabase(options)
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }

const onServer = (connectionString: string, text: string): Promise<unknown> =>
  within({ kind: isOnMariaDb ? 'mysql' : 'pg', connectionString })((db) => db.run({ text, values: [] }))

/** The environment of the process: only what it needs, nothing of the surrounding settings. */
const environment = (settings: Settings): Settings => ({ PATH: process.env.PATH ?? '', HOME: tmpdir(), ...settings })

export type Result = { readonly code: number | null; readonly out: string; readonly error: string }

/** Runs one command in this process, which spares it the start of the program. */
export async function run(settings: Settings, ...words: readonly string[]): Promise<Result> {
  const printed = { out: '', error: '' }
  const keep = (name: keyof typeof printed) => (chunk: unknown) => {
    printed[name] += String(chunk)
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('error')),
    vi.spyOn(process, 'cwd').mockReturnValue(tmpdir()),
  ]
  const surrounding = process.env
  process.env = environment(settings)
  try {
    const code = await runCommandLine(words)
    return { code, ...printed }
  } finally {
    process.env = surrounding
    for (const spy of spies) spy.mockRestore()
  }
}

/** Runs one command to its end, as a separate process. */
export async function runProgram(settings: Settings, ...words: readonly string[]): Promise<Result> {
  const child = spawn(process.execPath, [main, ...words], { cwd: tmpdir(), env: environment(settings) })
  const [out, error, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')])
  return { code: code as number | null, out, error }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

export type Server = {
  readonly url: string
  readonly child: ChildProcess
  readonly printed: () => string
  /** Sends the signal and resolves to the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts the server, optionally of another folder or with a limit of file descriptors, and waits until it listens. */
export async function startServer(
  settings: Settings,
  more: { readonly main?: string; readonly descriptors?: number } = {},
): Promise<Server> {
  const command = [process.execPath, more.main ?? main, 'start']
  const limited = ['sh', '-c', `ulimit -n ${more.descriptors}; exec "$@"`, 'sh', ...command]
  const [program = '', ...words] = more.descriptors === undefined ? command : limited
  const child = spawn(program, words, { cwd: tmpdir(), env: environment(settings) })
  const lines: string[] = []
  const listening = Promise.withResolvers<string>()
  const ended = once(child, 'close').then(([code]) => {
    listening.reject(new Error(`The server ended with ${String(code)}: ${lines.join('\n')}`))
    return code as number | null
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      const url = /^Tandem serves .* at (http\S+)$/.exec(line)?.[1]
      if (url !== undefined) listening.resolve(url)
    })
  }
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { url: await listening.promise, child, printed: () => lines.join('\n'), stop }
}

export type OpenServer = { readonly url: string; readonly close: () => Promise<void> }

/** Starts the server in this process, which costs a third, for tests that are not about the process. */
export async function openServer(settings: Settings): Promise<OpenServer> {
  const app = await createApp(loadConfig(settings, tmpdir()), { log: silentLog })
  return { url: await app.listen(), close: () => app.close() }
}

/** Sends a request with the administrator's static token; JSON in, JSON out. */
export async function ask(url: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text }
}

/** The files below the folder, by path. */
export function textsIn(folder: string): { readonly [path: string]: string } {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((each) => join(folder, each))
  const files = all.filter((file) => statSync(file).isFile()).toSorted()
  return Object.fromEntries(files.map((file) => [relative(folder, file), readFileSync(file, 'utf8')]))
}
