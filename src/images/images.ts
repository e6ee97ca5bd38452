/**
 * Runs image work in programs of its own. The library decodes hostile bytes in native code, and no
 * time limit of its own stops an AVIF encoder: a separate program can be killed and takes nothing with it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { ImageLimits, Images } from '../domain/images.ts'
import { folderPrefix, removeStaleFolders } from './folders.ts'
import type { Answer, ToServer, ToWorker } from './messages.ts'
import { busy, createTurns } from './turns.ts'

const program = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** Milliseconds after which a program without work ends. */
const patience = 30_000

/** Milliseconds that a program has to start, however little time an image has: a busy machine is not the image's fault. */
const startPatience = 30_000

type Options = { readonly limits: ImageLimits; readonly log: Log; readonly workers?: number }

/**
 * Starts nothing yet: a program is started when there is work, and ends when there has been none for a while. Folders
 * that killed servers have left behind are removed.
 */
export function createImages({ limits, log, workers = Math.min(availableParallelism(), 4) }: Options): Images {
  const idle = new Map<ChildProcess, NodeJS.Timeout>()
  const running = new Set<ChildProcess>()
  const turns = createTurns({ ...limits, lanes: workers })
  void removeStaleFolders(tmpdir(), new Date()).catch((error: unknown) => {
    log.warn({ err: error }, 'Temporary folders of images stay for the next start')
  })

  const take = (): Taken => {
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
    // Nothing of the environment: the secrets of the server are no business of a program that may be taken over.
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
    idle.set(child, setTimeout(() => child.kill('SIGKILL'), patience).unref())
  }
  const run = (task: ToWorker): Promise<Answer> =>
    turns.take(async () => {
      const taken = take()
      const said = await ask(taken, task, limits.timeout)
      rest(taken.child)
      return said
    })

  return {
    limits,
    async transform(source, target, transform) {
      const { maxDimension, maxOutputDimension, sensitivity } = limits
      const bounds = { maxDimension, maxOutputDimension, sensitivity }
      const said = await run({ kind: 'transform', source, target, transform, limits: bounds })
      if (said.kind === 'transformed') return said.image
      const reason = said.kind === 'refused' ? said.reason : 'Expected an image'
      log.debug({ detail: said.kind === 'refused' ? said.detail : null }, 'An image was refused')
      throw new TandemError({ kind: 'illegal-transformation', reason })
    },
    async describe(source) {
      const said = await run({ kind: 'describe', source })
      return said.kind === 'described' ? said.facts : null
    },
    nameFolder: () => join(tmpdir(), `${folderPrefix}${crypto.randomUUID()}`),
    createFolder: () => mkdtemp(join(tmpdir(), folderPrefix)),
    async close() {
      turns.close()
      await Promise.all([...running].map(end))
    },
  }
}

/** A fresh program says when it can begin. */
type Taken = { readonly child: ChildProcess; readonly isFresh: boolean }

/** One task to one program; it is killed when it takes too long, and its death is the image's fault. */
function ask({ child, isFresh }: Taken, task: ToWorker, timeout: number): Promise<Answer> {
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
      const said = message as ToServer
      if (said.kind === 'ready') allow(timeout)
      else settle(() => resolve(said))
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
    allow(isFresh ? Math.max(startPatience, timeout) : timeout)
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

/** Removes the folder of a task; a folder that stays behind is not worth a failure. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
}
