/** Remembers what was made, so that it is removed in any case. */
import type { Ask } from '../http/client.ts'

export type Journal = {
  /** Registers `DELETE <path>` before or after the thing exists. */
  readonly add: (path: string) => void
  /** Removes everything, the last first. Returns what could not be removed. */
  readonly removeAll: (ask: Ask) => Promise<readonly string[]>
}

/** Answers to a removal after which the thing is gone: removed, or never made. */
const gone: ReadonlySet<number> = new Set([200, 204, 403, 404])

export function createJournal(): Journal {
  const paths: string[] = []
  return {
    add: (path) => {
      if (!paths.includes(path)) paths.push(path)
    },
    removeAll: async (ask) => {
      const left: string[] = []
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
        const isRemoved = (await tryRemoval(ask, path)) || (await tryRemoval(ask, path))
        if (!isRemoved) left.push(path)
      }
      return left
    },
  }
}

async function tryRemoval(ask: Ask, path: string): Promise<boolean> {
  try {
    return gone.has((await ask(`DELETE ${path}`)).status)
  } catch {
    return false
  }
}
