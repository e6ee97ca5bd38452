/** Starts the servers under measurement as separate processes, and stops them. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Server } from './measure.ts'

const children: ChildProcess[] = []

/** Starts a limit server on the database. */
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
  return { child, started: whenStarted(file, child) }
}

async function whenStarted(file: string, child: ChildProcess): Promise<Server> {
  const port = await new Promise<number>((resolve) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
  })
  return { name: file, port, pid: child.pid ?? 0, application: file }
}

/** Starts Tandem like `npm start`. `firstAnswer`: milliseconds from the start of the process to the first response. */
export async function startTandem(
  url: string,
  { admin, dataDir = mkdtempSync(join(tmpdir(), 'tandem-bench-')) }: { admin: string; dataDir?: string },
): Promise<Server & { firstAnswer: number }> {
  const port = await freePort()
  const main = fileURLToPath(new URL('../src/main.js', import.meta.url))
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url,
    DB_POOL__MAX: '8',
    DATA_DIR: dataDir,
    SECRET: 'a secret for the benchmark only, long enough',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'benchmark-password',
    ADMIN_TOKEN: admin,
    LOG_STYLE: 'raw',
  }
  const started = performance.now()
  const child = spawn(process.execPath, [main, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  children.push(child)
  const died = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`tandem ended with ${code} before it answered`)))
  })
  await Promise.race([answers(port), died])
  return { name: 'tandem', port, pid: child.pid ?? 0, application: 'tandem', firstAnswer: performance.now() - started }
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

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
