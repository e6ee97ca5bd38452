/** The worker thread of the embedded database. Long statements therefore do not block the event loop. */
import { readFile, writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { engineOptions } from './engine-options.ts'
import { memoryFiles } from './memory-files.ts'
import { notificationsIn } from './notifications.ts'
import type { ThreadData, ToMain, ToWorker } from './pglite-messages.ts'

const port = parentPort
if (port === null) throw new Error('pglite-worker.ts runs only as a worker thread')

const { directory, dump, engine } = workerData as ThreadData
const send = (message: ToMain, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer)

const files = dump === null ? null : await readFile(dump)

const database: PGlite = new PGlite({
  pgliteWasmModule: engine,
  ...engineOptions,
  ...(directory === null ? {} : { dataDir: directory }),
  ...(files === null ? {} : { fs: memoryFiles(files, () => database) }),
})
await database.waitReady

/** There is one session, so messages are processed strictly in order. */
let turn: Promise<void> = Promise.resolve()
port.on('message', (message: ToWorker) => {
  turn = turn.then(() => answer(message)).catch(fail)
})
send({ kind: 'ready' })

async function answer(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'open':
      // The session is reused by the next connection, so its state is reset.
      await database.exec('rollback; deallocate all; reset all')
      return
    case 'send': {
      const bytes = await exchange(message.bytes)
      for (const notification of notificationsIn(bytes)) send({ kind: 'notification', ...notification })
      return send({ kind: 'reply', connection: message.connection, bytes }, [bytes.buffer])
    }
    case 'listen':
      await database.exec(`listen "${message.channel}"`)
      return send({ kind: 'done', id: message.id })
    case 'dump': {
      const archive = await database.dumpDataDir('none')
      await writeFile(message.path, new Uint8Array(await archive.arrayBuffer()))
      return send({ kind: 'done', id: message.id })
    }
    case 'close':
      await database.close()
      return send({ kind: 'done', id: message.id })
    default:
      message satisfies never
  }
}

/** The answer to messages of the protocol. `execProtocolRaw` would parse it, and keep all rows until the next connection. */
async function exchange(messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  // A part is in the memory of the engine.
  await database.execProtocolRawStream(messages, { onRawData: (part) => void parts.push(new Uint8Array(part)) })
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : concatenate(parts)
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** After a failure outside SQL the memory of the engine may be corrupt: the thread ends and is restarted. */
function fail(error: unknown): void {
  send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exit(1)
}
