/** Contents that are received before the transaction in which their rows are written, so that it waits for no client. */
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'

export type Received<Written = readonly Key[]> = {
  /** Writes the rows, in the transaction of the context if it is in one. */
  readonly write: (ctx: Context) => Promise<Written>
  /** Called in the end. Contents that were not written are deleted. */
  readonly end: (isWritten: boolean) => Promise<void>
}

/** Does the work, which may write what was received. If it fails or does not, the contents are deleted. */
export async function settled<T, Written>(
  received: Received<Written>,
  work: (write: Received<Written>['write']) => Promise<T>,
): Promise<T> {
  let isWritten = false
  const write: Received<Written>['write'] = async (ctx) => {
    const keys = await received.write(ctx)
    isWritten = true
    return keys
  }
  try {
    return await work(write)
  } catch (error) {
    isWritten = false
    throw error
  } finally {
    await received.end(isWritten)
  }
}

/** Writes what was received in a transaction of its own. */
export const writeAlone = async <Written>(ctx: Context, received: Promise<Received<Written>>): Promise<Written> =>
  settled(await received, (write) => write(ctx))
