/** Streams answers while they are produced, at the client's pace, until it disconnects. */
import type { ServerResponse } from 'node:http'
import type { Pieces, WritePiece } from './reply.ts'

/** Milliseconds without progress after which a client counts as disconnected: it blocks a resource that others need. */
const stallTimeout = 30_000

/** Thrown when the client has disconnected; no one is left to receive an answer. */
class ClientGone extends Error {}

/** Sends the head with the first piece. HEAD produces nothing. */
export async function sendAsMade(
  res: ServerResponse,
  writeHead: () => void,
  produce: Pieces['produce'],
): Promise<void> {
  if (res.req.method === 'HEAD') {
    writeHead()
    res.end()
    return
  }
  const write: WritePiece = async (piece) => {
    if (res.destroyed) throw new ClientGone()
    if (!res.headersSent) writeHead()
    if (piece.length > 0 && !res.write(piece)) await drained(res)
  }
  try {
    await produce(write)
    await write('')
    res.end()
  } catch (error) {
    if (!(error instanceof ClientGone)) throw error
    res.destroy()
  }
}

const drained = (res: ServerResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer)
      res.off('drain', onDrain)
      res.off('close', onClose)
    }
    const onDrain = (): void => {
      settle()
      resolve()
    }
    const onClose = (): void => {
      settle()
      reject(new ClientGone())
    }
    const timer = setTimeout(onClose, stallTimeout)
    res.once('drain', onDrain)
    res.once('close', onClose)
  })
