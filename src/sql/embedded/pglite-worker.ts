/** The worker thread of the embedded database. Long statements therefore do not block the event loop. */
import { readFile, writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { engineOptions } from './engine-options.ts'
import { memoryFiles } from './memory-files.ts'
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
      // A copy made for the caller, so it can be transferred.
      const reply = await database.execProtocolRaw(message.bytes)
      return send({ kind: 'reply', connection: message.connection, bytes: reply }, [reply.buffer as ArrayBuffer])
    }
    case 'listen':
      await database.listen(`"${message.channel}"`, (payload) =>
        send({ kind: 'notification', channel: message.channel, payload }),
      )
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

/** After a failure outside SQL the memory of the engine may be corrupt: the thread ends and is restarted. */
function fail(error: unknown): void {
  send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exit(1)
}
