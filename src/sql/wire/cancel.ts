/** Cancels statements that nobody waits for; they would run until their timeout. */
import type { PoolClient } from 'pg'
import { requestCancel } from './driver-internals.ts'

/** Asks the server to cancel the statement on the connection. Resolves when the request was sent. */
export type Cancel = (client: PoolClient) => Promise<void>

/**
 * Sends the cancel request of the protocol over a separate connection, with the key of the target. The server closes it
 * after it has sent the signal, which the target receives before any later message.
 */
export function cancelOn(timeoutMs: number): Cancel {
  return async (client) => {
    const request = requestCancel(client)
    const late = Promise.withResolvers<void>()
    // A shutdown does not wait for a cancellation to a server that does not respond.
    const timer = setTimeout(() => late.reject(new Error('The server does not respond')), timeoutMs).unref()
    try {
      await Promise.race([request.ended, late.promise])
    } catch (cause) {
      throw new Error('Connection terminated', { cause })
    } finally {
      clearTimeout(timer)
      request.destroy()
    }
  }
}
