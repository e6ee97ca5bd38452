/** A worker thread that compares or hashes one password and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { compareSync, hashSync } from 'bcryptjs'
import type { BcryptTask } from './bcrypt.ts'

const task = workerData as BcryptTask
const result = 'stored' in task ? compareSync(task.password, task.stored) : hashSync(task.password, task.rounds)
parentPort?.postMessage(result, [])
