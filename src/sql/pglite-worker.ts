/** The thread in which the embedded database runs, so that a long statement never stops the event loop. */
import { readFile, writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { ToMain, ToWorker, WorkerData } from './pglite-messages.ts'

const port = parentPort
if (port === null) throw new Error('pglite-worker.ts runs only as a worker thread')

const { directory, dump } = workerData as WorkerData
const send = (message: ToMain, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer)

const database = await PGlite.create({
  ...(directory === null ? {} : { dataDir: directory }),
  ...(dump === null ? {} : { loadDataDir: new Blob([await readFile(dump)]) }),
})

/** One session, one statement at a time: messages are answered strictly in the order in which they came. */
let turn: Promise<void> = Promise.resolve()
port.on('message', (message: ToWorker) => {
  turn = turn.then(() => answer(message)).catch(fail)
})
send({ kind: 'ready' })

async function answer(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'open':
      // The session outlives a connection: leave nothing of the last one behind.
      await database.exec('rollback; deallocate all; reset all')
      return
    case 'send': {
      const reply = (await database.execProtocolRaw(message.bytes)).slice()
      return send({ kind: 'reply', connection: message.connection, bytes: reply }, [reply.buffer])
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

/** A failure outside SQL means that the engine's memory cannot be trusted: the thread ends and is started anew. */
function fail(error: unknown): void {
  send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exit(1)
}
