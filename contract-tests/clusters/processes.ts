/** Programs of Tandem that can be killed, and requests to them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { until } from './postgres-cluster.ts'
import { adminToken } from './tandem.ts'

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url))
export const password = 'correct-horse-42'

/** Of every program; the database, the data folder and the port come to them. */
export const usualSettings = {
  HOST: '127.0.0.1',
  SECRET: 'a-secret-that-only-these-tests-know',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: password,
  ADMIN_TOKEN: adminToken,
  HASH_MEMORY_COST: '1024',
  LOGIN_STALL_TIME: '0',
  PRESSURE_LIMITER_ENABLED: 'false',
  CACHE_ENABLED: 'true',
  CACHE_AUTO_PURGE: 'true',
  LOG_LEVEL: 'silent',
}

export type Replica = { readonly url: string; readonly start: () => Promise<void>; readonly kill: () => Promise<void> }

export function replicaOf(settings: { readonly [name: string]: string }): Replica {
  const url = `http://127.0.0.1:${settings['PORT']}`
  let program: ChildProcess | null = null
  return {
    url,
    async start() {
      program = spawn(process.execPath, [main, 'start'], {
        env: { PATH: process.env['PATH'], ...settings },
        stdio: 'ignore',
      })
      await until(async () => (await fetch(`${url}/server/ready`)).ok)
    },
    async kill() {
      if (program === null || program.exitCode !== null || program.signalCode !== null) return
      program.kill('SIGKILL')
      await once(program, 'exit')
    },
  }
}

type Ask = { readonly body?: unknown; readonly token?: string | null }

export async function ask(url: string, request: string, { body, token = adminToken }: Ask = {}) {
  const [method = 'GET', path = '/'] = request.split(' ', 2)
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, data: text === '' ? null : (JSON.parse(text) as { readonly data: unknown }).data }
}
