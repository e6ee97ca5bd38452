/** A worker thread that compares one password with one hash and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'
import type { BcryptTask } from './bcrypt.ts'

const { password, stored } = workerData as BcryptTask
parentPort?.postMessage(compareSync(password, stored), [])
