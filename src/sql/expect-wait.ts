/** How long whoever asks for a connection now would wait for it, by how fast they come free while others wait. */
import type pg from 'pg'

type Queue = Pick<pg.Pool, 'waitingCount' | 'on'>

/**
 * Tells it in milliseconds; 0 while nobody waits, whatever was before. A place in the queue costs the time since
 * it formed, shared by the connections that came free meanwhile. `least` of them are taken for granted, so that
 * the first few, or none yet, tell something as well: who lends as many takes its time for all of them at once.
 */
export function expectWait(
  pool: Queue,
  { least, now = () => performance.now() }: { readonly least: number; readonly now?: () => number },
): () => number {
  let since: number | null = null
  let freed = 0
  const look = (): number | null => {
    if (pool.waitingCount === 0) since = null
    else if (since === null) {
      since = now()
      freed = 0
    }
    return since
  }
  pool.on('release', () => {
    const from = look()
    if (from === null) return
    freed += 1
    if (freed <= least * memory) return
    // The oldest one is forgotten, with the time that it took on average.
    since = from + (now() - from) / freed
    freed -= 1
  })
  return () => {
    const from = look()
    return from === null ? 0 : (pool.waitingCount * (now() - from)) / Math.max(freed, least)
  }
}

const memory = 5
