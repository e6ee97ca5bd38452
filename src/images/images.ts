/**
 * Runs image processing in separate processes. The library decodes untrusted bytes in native code, and the time limit
 * of the library does not stop an AVIF encoder. A process can be killed at any time without affecting the server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../domain/ports/context.ts'
import type { ImageLimits, Images } from '../domain/ports/images.ts'
import { createQueue } from '../domain/ports/queue.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { folderPrefix, removeStaleFolders } from './folders.ts'
import type { Answer, ToServer, ToWorker } from './messages.ts'

const program = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** Idle time in milliseconds after which a worker ends. */
const idleTimeout = 30_000

/** Minimum time in milliseconds for the start of a worker, even if the timeout of an image is shorter. */
const startTimeout = 30_000

/** Its name in errors. */
const service = 'assets'

type Options = { readonly limits: ImageLimits; readonly log: Log; readonly workers?: number }

/**
 * Creates the port. A worker is started when there is work, and ends after some idle time. Folders that killed servers
 * have left behind are removed.
 */
export function createImages({ limits, log, workers = Math.min(availableParallelism(), 4) }: Options): Images {
  const jobs = createJobs({ limits, log, workers })
  const { run } = jobs
  void removeStaleFolders(tmpdir(), new Date()).catch((error: unknown) => {
    log.warn({ err: error }, 'Temporary folders of images could not be removed')
  })
  return {
    limits,
    async transform(sources, target, transform) {
      const { maxDimension, maxOutputDimension, sensitivity } = limits
      const bounds = { maxDimension, maxOutputDimension, sensitivity }
      const text = await run({ kind: 'transform', sources, target, transform, limits: bounds })
      if (text.kind === 'transformed') return text.image
      const reason = text.kind === 'refused' ? text.reason : 'Expected an image'
      log.debug({ detail: text.kind === 'refused' ? text.detail : null }, 'An image was refused')
      throw new TandemError({ kind: 'illegal-transformation', reason })
    },
    async describe(source) {
      const description = await run({ kind: 'describe', source })
      return description.kind === 'described' ? description.facts : null
    },
    nameFolder: () => join(tmpdir(), `${folderPrefix}${crypto.randomUUID()}`),
    createFolder: () => mkdtemp(join(tmpdir(), folderPrefix)),
    jobs: jobs.state,
    close: () => jobs.close(),
  }
}

/** Tasks of workers, of which only so many run and wait. */
function createJobs({ limits, log, workers }: Required<Options>) {
  const pool = createWorkers(log)
  const queue = createQueue({
    service,
    running: Math.min(workers, limits.maxConcurrent),
    waiting: Math.max(0, limits.maxConcurrent - workers),
    timeout: limits.timeout,
    reasons: { full: 'too many images at once', late: `waited longer than ${limits.timeout} ms` },
    retryAfter: secondsOf(limits.timeout),
  })
  return {
    run: (task: ToWorker): Promise<Answer> =>
      queue.take('', async () => {
        const worker = pool.take()
        const message = await ask(worker, task, limits.timeout)
        pool.rest(worker.child)
        return message
      }),
    state: queue.state,
    async close(): Promise<void> {
      queue.close()
      await pool.close()
    },
  }
}

/** `isFresh`: the worker has not reported yet that it is ready. */
type TakenWorker = { readonly child: ChildProcess; readonly isFresh: boolean }

type Workers = {
  /** An idle worker, or a new one. */
  readonly take: () => TakenWorker
  /** The worker is idle again, and ends after some time. */
  readonly rest: (child: ChildProcess) => void
  /** Ends all workers. */
  readonly close: () => Promise<void>
}

function createWorkers(log: Log): Workers {
  const idle = new Map<ChildProcess, NodeJS.Timeout>()
  const running = new Set<ChildProcess>()
  const take = (): TakenWorker => {
    const [first] = idle
    if (first === undefined) return { child: start(), isFresh: true }
    const [child, end] = first
    clearTimeout(end)
    idle.delete(child)
    child.ref()
    child.channel?.ref()
    return { child, isFresh: false }
  }
  const start = (): ChildProcess => {
    // An empty environment: a compromised worker must not have the secrets of the server.
    const env = { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: getCompileCacheDir() }
    const child = fork(program, [], { stdio: 'ignore', execArgv: [], env })
    running.add(child)
    child.on('error', (error) => log.error({ err: error }, 'An image worker failed'))
    child.once('exit', () => {
      running.delete(child)
      clearTimeout(idle.get(child))
      idle.delete(child)
    })
    return child
  }
  const rest = (child: ChildProcess): void => {
    if (!running.has(child) || !child.connected) return
    child.unref()
    child.channel?.unref()
    idle.set(child, setTimeout(() => child.kill('SIGKILL'), idleTimeout).unref())
  }
  return {
    take,
    rest,
    async close() {
      await Promise.all([...running].map(end))
    },
  }
}

/** Runs one task in a worker. A worker that takes too long is killed. A crash is attributed to the image. */
function ask({ child, isFresh }: TakenWorker, task: ToWorker, timeout: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const allow = (time: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        settle(() => reject(busy(`took longer than ${time} ms`, time)))
        child.kill('SIGKILL')
      }, time)
    }
    const onMessage = (message: unknown): void => {
      const text = message as ToServer
      if (text.kind === 'ready') allow(timeout)
      else settle(() => resolve(text))
    }
    const onExit = (): void =>
      settle(() => {
        const reason = 'Expected an image that can be read and transformed but received other or damaged contents'
        reject(new TandemError({ kind: 'illegal-transformation', reason }))
      })
    const settle = (end: () => void): void => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      end()
    }
    allow(isFresh ? Math.max(startTimeout, timeout) : timeout)
    child.on('message', onMessage)
    child.once('exit', onExit)
    child.send(task, (error) => {
      if (error !== null) settle(() => reject(busy('the image worker could not be reached', timeout)))
    })
  })
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.ref()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Removes the folder of a task. A failure is ignored: the folder is removed at a later start. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}

/** A temporary failure: the client may retry. */
const busy = (reason: string, timeout: number): TandemError =>
  new TandemError({ kind: 'unavailable', service, reason, retryAfter: secondsOf(timeout) })

const secondsOf = (timeout: number): number => Math.max(1, Math.ceil(timeout / 1000))
