/** Keeps the measured sizes of tables, from which the cost of queries is estimated. */
import type { Database, Log } from '../../domain/ports/context.ts'
import type { CollectionSize, Sizes } from '../../domain/schema/schema.ts'
import { readSizes } from '../../sql/schema/sizes.ts'

export type KeptSizes = Sizes & {
  /** Measures again; a failure keeps the known sizes. */
  readonly measure: () => Promise<void>
  /** Measures no more, and waits for a running measurement. */
  readonly close: () => Promise<void>
}

/** Milliseconds between two measurements. */
const interval = 60_000

/** Measures the tables now, and from time to time. */
export async function keepSizes(db: Database, log: Log): Promise<KeptSizes> {
  let current: ReadonlyMap<string, CollectionSize> = new Map()
  let running: Promise<void> | null = null
  let isClosed = false
  const read = async (): Promise<void> => {
    try {
      current = await readSizes(db)
    } catch (error) {
      log.warn({ err: error }, 'The sizes of tables could not be measured')
    }
  }
  const measure = (): Promise<void> => {
    if (isClosed) return Promise.resolve()
    running ??= read().finally(() => {
      running = null
    })
    return running
  }
  await measure()
  const timer = setInterval(() => void measure(), interval).unref()
  return {
    latest: () => current,
    measure,
    async close() {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}
