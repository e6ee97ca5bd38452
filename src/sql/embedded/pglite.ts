/** The embedded database: PGlite in a worker thread, accessed by the ordinary driver over the wire protocol. */
import { access, mkdir, readdir, readFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../domain/ports/context.ts'
import { both } from '../wire/listen.ts'
import { imagePath, unpackImage } from './image.ts'
import { takeLock } from './lock.ts'
import type { ThreadData, ToMain, ToWorker, WorkerData } from './pglite-messages.ts'

export type Embedded = {
  /** Opens a stream that the driver uses as its socket. */
  connect(): Duplex
  /** Must be called outside of transactions, because a rollback would undo LISTEN. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<void>
  /** Writes an archive that can be passed as `dump` in the options. */
  dump(path: string): Promise<void>
  close(): Promise<void>
}

export type EmbeddedOptions = {
  readonly dataDir: string | null
  /** An archive to start with. Default: the image of a new database, if it has been built. */
  readonly dump?: string
  readonly log?: Log
}

/** Starts the embedded database. With a data directory, the lock is held until `close`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  if (options.dataDir === null)
    return supervise({ directory: null, dump: options.dump ?? (await builtImage()) }, options.log)
  await mkdir(options.dataDir, { recursive: true })
  const release = await takeLock(join(options.dataDir, 'database.lock'))
  try {
    const directory = join(options.dataDir, 'database')
    if (await isNew(directory)) await unpackImage(options.dump ?? imagePath(), directory)
    const embedded = await supervise({ directory, dump: null }, options.log)
    const close = async (): Promise<void> => {
      try {
        await embedded.close()
      } finally {
        await release()
      }
    }
    return { ...embedded, close }
  } catch (error) {
    await release()
    throw error
  }
}

const builtImage = (): Promise<string | null> =>
  access(imagePath()).then(
    () => imagePath(),
    () => null,
  )

const isNew = (directory: string): Promise<boolean> =>
  readdir(directory).then(
    (names) => names.length === 0,
    () => true,
  )

/** Keeps one engine running. If its thread dies, the next connection starts a new one on the same directory. */
async function supervise(data: WorkerData, log: Log | undefined): Promise<Embedded> {
  const listeners = new Map<string, (payload: string) => void>()
  let connections = 0
  let current = startEngine(data, listeners)
  await current

  const engine = async (): Promise<Engine> => {
    const running = await current.catch(() => null)
    if (running !== null && (!running.dead() || data.directory === null)) return running
    log?.warn({}, 'The embedded database stopped and is started again')
    current = startEngine({ ...data, dump: null }, listeners)
    const next = await current
    for (const channel of listeners.keys()) await next.ask((id) => ({ kind: 'listen', id, channel }))
    return next
  }

  return {
    connect: () => openStream(engine, ++connections),
    listen: async (channel, onMessage) => {
      const cached = listeners.get(channel)
      listeners.set(channel, both(cached, onMessage))
      if (cached !== undefined) return
      await (await engine()).ask((id) => ({ kind: 'listen', id, channel }))
    },
    dump: async (path) => (await engine()).ask((id) => ({ kind: 'dump', id, path })),
    close: async () => (await current).close(),
  }
}

type Engine = {
  send(message: ToWorker): void
  /** Resolves when the thread has processed the message. */
  ask(make: (id: number) => ToWorker): Promise<void>
  attach(connection: number, stream: Duplex): void
  dead(): boolean
  close(): Promise<void>
}

/** The code of the engine, compiled once for all databases of the process. */
let compiled: Promise<WebAssembly.Module> | undefined

/**
 * The optimizing compiler takes 600 MB and three seconds for one function of the engine, at the first statements. Without
 * it statements of the embedded database take a quarter more (decisions/0054).
 */
async function compileEngine(): Promise<WebAssembly.Module> {
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
  return WebAssembly.compile(await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}

async function startEngine(data: WorkerData, listeners: ReadonlyMap<string, (payload: string) => void>) {
  compiled ??= compileEngine()
  const workerData: ThreadData = { ...data, engine: await compiled }
  // A thread has a cache of compiled code of its own, which the variable opens.
  const cache = getCompileCacheDir()
  const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData, env })
  const streams = new Map<number, Duplex>()
  const wanted = new Map<number, { resolve: () => void; reject: (error: Error) => void }>()
  const ready = Promise.withResolvers<void>()
  let asks = 0
  let stopped: Error | null = null

  const stop = (error: Error): void => {
    stopped ??= error
    ready.reject(stopped)
    for (const waiting of wanted.values()) waiting.reject(stopped)
    for (const stream of streams.values()) stream.destroy(stopped)
    wanted.clear()
    streams.clear()
  }
  worker.on('error', stop)
  worker.on('exit', (code) => stop(new Error(`The embedded database ended with code ${code}`)))
  worker.on('message', (message: ToMain) => {
    if (message.kind === 'reply') streams.get(message.connection)?.push(message.bytes)
    else if (message.kind === 'notification') listeners.get(message.channel)?.(message.payload)
    else if (message.kind === 'ready') ready.resolve()
    else if (message.kind === 'failed') stop(new Error(`The embedded database failed: ${message.reason}`))
    else {
      wanted.get(message.id)?.resolve()
      wanted.delete(message.id)
    }
  })

  const engine: Engine = {
    send: (message) => worker.postMessage(message, []),
    ask: (make) => {
      if (stopped !== null) return Promise.reject(stopped)
      const answer = Promise.withResolvers<void>()
      wanted.set(++asks, answer)
      worker.postMessage(make(asks), [])
      return answer.promise
    },
    attach: (connection, stream) => {
      streams.set(connection, stream)
      stream.once('close', () => streams.delete(connection))
    },
    dead: () => stopped !== null,
    close: async () => {
      if (stopped === null) await engine.ask((id) => ({ kind: 'close', id }))
      await worker.terminate()
    },
  }
  await ready.promise
  return engine
}

/**
 * A stream that acts as the driver's socket. Writes are passed to the engine unchanged, because the driver writes
 * complete protocol messages. Responses arrive in order.
 */
function openStream(engine: () => Promise<Engine>, connection: number): Duplex {
  let target: Engine | null = null
  const write = (bytes: Uint8Array, done: (error?: Error | null) => void): void => {
    if (target === null) return done(new Error('The embedded database is not connected'))
    // A Terminate message would end the only session of the engine.
    if (bytes[0] !== terminate) target.send({ kind: 'send', connection, bytes: new Uint8Array(bytes) })
    done()
  }
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Uint8Array, _encoding, done) => write(chunk, done),
    writev: (chunks, done) => write(Buffer.concat(chunks.map(({ chunk }) => chunk as Uint8Array)), done),
    final: (done) => {
      stream.push(null)
      done()
    },
  })
  const connect = (): Duplex => {
    engine().then(
      (running) => {
        target = running
        running.attach(connection, stream)
        running.send({ kind: 'open' })
        stream.emit('connect')
      },
      (error: Error) => stream.destroy(error),
    )
    return stream
  }
  const same = (): Duplex => stream
  return Object.assign(stream, { connect, setNoDelay: same, setKeepAlive: same, ref: same, unref: same })
}

const terminate = 'X'.charCodeAt(0)
