/** Runs the program for tests, as a separate process in a separate folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Database } from '../domain/ports/context.ts'
import { type DatabaseOptions, openDatabase } from '../sql/database.ts'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

export const adminToken = 'a-static-token-for-tests'
export const adminPassword = 'a password for tests'

export type Settings = { readonly [name: string]: string }

export type Place = {
  /** Settings for an empty database. */
  readonly settings: Settings
  /** Opens the same database in the test. With the embedded database this requires that the program is not running. */
  readonly onDatabase: <T>(work: (db: Database) => Promise<T>) => Promise<T>
  readonly remove: () => Promise<void>
}

/** Creates a folder and a database: embedded, or on the server in TEST_DATABASE_URL. */
export async function createPlace(wish: { readonly embedded?: boolean } = {}): Promise<Place> {
  const path = mkdtempSync(join(tmpdir(), 'tandem-test-'))
  const removeFolder = (): void => rmSync(path, { recursive: true, force: true })
  const settings = { DATA_DIR: path, HOST: '127.0.0.1', PORT: '0', HASH_MEMORY_COST: '1024', LOGIN_STALL_TIME: '0' }
  const server = wish.embedded === true ? undefined : process.env.TEST_DATABASE_URL
  if (server === undefined) {
    return { settings, onDatabase: within({ kind: 'pglite', dataDir: path }), remove: async () => removeFolder() }
  }
  const name = `tandem_program_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = name
  return {
    settings: { ...settings, DB_CLIENT: 'pg', DB_CONNECTION_STRING: url.href, SECRET: 's'.repeat(40) },
    onDatabase: within({ kind: 'pg', connectionString: url.href }),
    remove: async () => {
      removeFolder()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

const within =
  (options: DatabaseOptions): Place['onDatabase'] =>
  async (work) => {
    const db = await openDatabase(options)
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }

const onServer = (connectionString: string, text: string): Promise<unknown> =>
  within({ kind: 'pg', connectionString })((db) => db.run({ text, values: [] }))

/** The environment of the process: only what it needs, nothing of the surrounding settings. */
const environment = (settings: Settings): Settings => ({ PATH: process.env.PATH ?? '', HOME: tmpdir(), ...settings })

export type Result = { readonly code: number | null; readonly out: string; readonly error: string }

/** Runs one command to its end. */
export async function run(settings: Settings, ...words: readonly string[]): Promise<Result> {
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
  /** The output so far. */
  readonly printed: () => string
  /** Sends the signal and resolves to the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts the server, optionally with a limit of file descriptors, and waits until it listens. */
export async function startServer(settings: Settings, descriptors?: number): Promise<Server> {
  const command = [process.execPath, main, 'start']
  const limited = ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...command]
  const [program = '', ...words] = descriptors === undefined ? command : limited
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

/** Sends a request with the administrator's static token; JSON in, JSON out. */
export async function ask(url: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text }
}
