/** Extensions in a folder of the operator, read once at the start. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Log } from '../domain/ports/context.ts'
import {
  type Endpoint,
  type ExtensionFacts,
  type ExtensionKind,
  type Extensions,
  extensionKinds,
} from '../domain/ports/extensions.ts'

/**
 * Reads `<kind>/<id>/meta.json` and loads `endpoints/<id>.js` or `.mjs`, modules whose default export is a function.
 * What cannot be read is logged and left out; a folder that is missing is empty. Names that begin with `_` are skipped.
 */
export async function openExtensions(folder: string, log: Log): Promise<Extensions> {
  const facts = new Map<ExtensionKind, readonly ExtensionFacts[]>()
  for (const kind of extensionKinds) facts.set(kind, await readKind(folder, kind, log))
  const endpoints = await loadEndpoints(join(folder, 'endpoints'), log)
  return {
    list: (kind) => facts.get(kind) ?? [],
    endpoint: (id) => endpoints.get(id) ?? null,
  }
}

async function readKind(folder: string, kind: ExtensionKind, log: Log): Promise<readonly ExtensionFacts[]> {
  const extensions: ExtensionFacts[] = []
  for (const id of await namesIn(join(folder, kind))) {
    const file = join(folder, kind, id, 'meta.json')
    try {
      const meta: unknown = JSON.parse(await readFile(file, 'utf8'))
      if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) throw new Error('Expected an object')
      extensions.push({ id, path: `extensions/custom/${kind}/${id}/meta.json`, ...meta })
    } catch (error) {
      log.warn({ err: error, file }, 'An extension cannot be read')
    }
  }
  return extensions
}

async function loadEndpoints(folder: string, log: Log): Promise<ReadonlyMap<string, Endpoint>> {
  const loaded = new Map<string, Endpoint>()
  for (const name of await namesIn(folder)) {
    const id = /^([A-Za-z0-9][A-Za-z0-9_-]{0,62})\.m?js$/.exec(name)?.[1]
    if (id === undefined) continue
    try {
      const module = (await import(pathToFileURL(join(folder, name)).href)) as { readonly default?: unknown }
      if (typeof module.default !== 'function') throw new Error('Expected a function as the default export')
      loaded.set(id, module.default as Endpoint)
    } catch (error) {
      log.error({ err: error, endpoint: id }, 'A custom endpoint cannot be loaded')
    }
  }
  return loaded
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('_') && !name.startsWith('.')).toSorted()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
