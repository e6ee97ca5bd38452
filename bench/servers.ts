/** Starts the servers under measurement as separate processes, and stops them. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMariaDb } from './ask.ts'
import type { Server } from './measure.ts'

const children: ChildProcess[] = []

/** The program of Tandem in another checkout with its dependencies installed, by default in this one. */
export const mainOf = (checkout?: string): string =>
  checkout === undefined ? fileURLToPath(new URL('../src/main.js', import.meta.url)) : resolve(checkout, 'src/main.js')

export const startLimit = (file: 'limit-rows' | 'limit-json', url: string): Promise<Server> =>
  startProgram(file, { DB_CONNECTION_STRING: url }).started

/** Starts a program of this folder; it prints its port if it listens. */
export function startProgram(
  file: string,
  settings: { readonly [name: string]: string },
): { readonly child: ChildProcess; readonly started: Promise<Server> } {
  const child = fork(fileURLToPath(new URL(`./${file}.ts`, import.meta.url)), {
    env: { ...process.env, ...settings, NODE_ENV: 'production' },
  })
  children.push(child)
  return { child, started: whenStarted(file, child, settings.DB_CONNECTION_STRING ?? '') }
}

async function whenStarted(file: string, child: ChildProcess, url: string): Promise<Server> {
  const port = await new Promise<number>((resolve) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
  })
  return { name: file, port, pid: child.pid ?? 0, application: file, url }
}

/** `firstAnswer`: milliseconds from the start of the process to the first response. */
export type Started = Server & { readonly firstAnswer: number }

/** Starts Tandem like `npm start`. `checkout`: see `mainOf`. */
export async function startTandem(
  url: string,
  {
    admin,
    dataDir = mkdtempSync(join(tmpdir(), 'tandem-bench-')),
    name = 'tandem',
    checkout,
  }: {
    readonly admin: string
    readonly dataDir?: string
    readonly name?: string
    readonly checkout?: string | undefined
  },
): Promise<Started> {
  const port = await freePort()
  const env = settingsOf({ url, admin, dataDir, port })
  const started = performance.now()
  const child = spawn(process.execPath, [mainOf(checkout), 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  children.push(child)
  const died = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`tandem ended with ${code} before it answered`)))
  })
  await Promise.race([answers(port), died])
  const firstAnswer = performance.now() - started
  return { name, port, pid: child.pid ?? 0, application: 'tandem', url, firstAnswer }
}

export const clientOf = (url: string): 'mysql' | 'pg' => (isMariaDb(url) ? 'mysql' : 'pg')

/** The environment of a server of the benchmark. */
export const settingsOf = ({
  url,
  admin,
  dataDir,
  port,
}: ServerSettings): { readonly [name: string]: string | undefined } => ({
  ...process.env,
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: String(port),
  DB_CLIENT: clientOf(url),
  DB_CONNECTION_STRING: url,
  DB_POOL__MAX: '8',
  DATA_DIR: dataDir,
  SECRET: 'a secret for the benchmark only, long enough',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'benchmark-password',
  ADMIN_TOKEN: admin,
  LOG_STYLE: 'raw',
})

type ServerSettings = {
  readonly url: string
  readonly admin: string
  readonly dataDir: string
  readonly port: number
}

/** Stops all processes that were started here. */
export function stopAll(): void {
  for (const child of children) child.kill('SIGTERM')
}

/** Stops one process and waits for its end. */
export async function stop(server: Server): Promise<void> {
  const child = children.find(({ pid }) => pid === server.pid)
  if (child === undefined) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function answers(port: number): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/server/ping`)
      if ((await response.text()) === 'pong') return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
