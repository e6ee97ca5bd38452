/** Programs of Tandem that can be killed, and requests to them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { dataIn, type RequestOptions, send } from '../send.ts'
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

export async function ask(url: string, request: string, { body, token = adminToken }: RequestOptions = {}) {
  const answer = await send(url, request, { body, token })
  return { status: answer.status, data: answer.body === null ? null : dataIn(answer) }
}
