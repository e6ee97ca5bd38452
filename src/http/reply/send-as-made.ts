/** Answers that are written while they are made: at the client's pace, and not for longer than it listens. */
import type { ServerResponse } from 'node:http'
import type { Pieces, WritePiece } from './reply.ts'

/** A client that takes nothing for this long is gone: what it is sent from is needed by others. */
const patience = 30_000

/** Nobody is left to be told. */
class ClientGone extends Error {}

/** The head goes out with the first piece. An answer to HEAD is not made at all. */
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
    const timer = setTimeout(onClose, patience)
    res.once('drain', onDrain)
    res.once('close', onClose)
  })
