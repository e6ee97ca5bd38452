/** Remembers what was made, so that it is removed in any case. */
import type { Ask } from '../http/client.ts'
import { asText } from '../http/text.ts'

export type Journal = {
  /** Registers `DELETE <path>` before or after the thing exists. */
  readonly add: (path: string) => void
  /** Registers records of a list whose field begins with the prefix: a creation without an answer has no known key. */
  readonly addNamed: (named: Named) => void
  /** Removes everything, the last first. Returns what could not be removed. */
  readonly removeAll: (ask: Ask, prefix: string) => Promise<readonly string[]>
}

export type Named = { readonly path: string; readonly field: string; readonly key: string }

/** Answers to a removal after which the thing is gone: removed, or never made. */
const gone: ReadonlySet<number> = new Set([200, 204, 403, 404])

export function createJournal(): Journal {
  const paths: string[] = []
  const lists = new Map<string, Named>()
  return {
    add: (path) => {
      if (!paths.includes(path)) paths.push(path)
    },
    addNamed: (named) => {
      lists.set(`${named.path} ${named.field}`, named)
    },
    removeAll: async (ask, prefix) => {
      const left: string[] = []
      const remove = async (path: string): Promise<void> => {
        const isRemoved = (await tryRemoval(ask, path)) || (await tryRemoval(ask, path))
        if (!isRemoved) left.push(path)
      }
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) await remove(path)
      for (const named of lists.values()) {
        const paths = await pathsUnder(ask, named, prefix).catch(() => [named.path])
        for (const path of paths) await remove(path)
      }
      return left
    },
  }
}

async function pathsUnder(ask: Ask, { path, field, key }: Named, prefix: string): Promise<readonly string[]> {
  const query = { filter: { [field]: { _starts_with: prefix } }, fields: key, limit: -1 }
  const { json } = await ask(`GET ${path}`, { query })
  const { data } = json as { readonly data: readonly { readonly [name: string]: unknown }[] }
  return data.flatMap((row) => (row[key] === undefined ? [] : [`${path}/${encodeURIComponent(asText(row[key]))}`]))
}

async function tryRemoval(ask: Ask, path: string): Promise<boolean> {
  try {
    return gone.has((await ask(`DELETE ${path}`)).status)
  } catch {
    return false
  }
}
