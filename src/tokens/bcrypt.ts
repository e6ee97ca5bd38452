/** Computes bcrypt hashes in a worker thread, because the library computes in JavaScript. */
import { Worker } from 'node:worker_threads'

type Comparison = { readonly password: string; readonly stored: string }
type Hashing = { readonly password: string; readonly rounds: number }

/** Input of the thread. Its result is whether password and hash match, or the new hash. */
export type BcryptTask = Comparison | Hashing

const form = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** The cost of a bcrypt hash; null for other texts. */
export function readRounds(stored: string): number | null {
  const rounds = Number(form.exec(stored)?.[1])
  return rounds >= 4 && rounds <= 31 ? rounds : null
}

/** Whether the password matches the hash. */
export const compareBcrypt = async (task: Comparison): Promise<boolean> => (await runTask(task)) === true

/** A new hash of the password. */
export const hashBcrypt = async (task: Hashing): Promise<string> => String(await runTask(task))

function runTask(task: BcryptTask): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./bcrypt-worker.ts', import.meta.url), { workerData: task })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread for bcrypt ended with code ${code}`)))
  })
}
