/** A template as a source: a folder with `src/` in the format of the platform's public template tool. */
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { ConfigError } from '../../config/error.ts'
import type { ImportSource, SourceRow } from '../../domain/ports/import-source.ts'

/** Opens the folder that contains `src/`, or that folder itself. */
export async function openTemplate(folder: string): Promise<ImportSource> {
  const root = (await exists(join(folder, 'src'))) ? join(folder, 'src') : folder
  if (!(await hasModel(root)))
    throw new ConfigError('--template', 'a folder with src/schema/snapshot.json or src/collections.json', folder)
  const rows = async (collection: string): Promise<readonly SourceRow[] | null> => {
    const system = /^directus_(\w+)$/.exec(collection)?.[1]
    const content = await readJson(
      system === undefined ? join(root, 'content', `${collection}.json`) : join(root, `${system}.json`),
    )
    return content === null ? null : ((Array.isArray(content) ? content : [content]) as readonly SourceRow[])
  }
  return {
    name: folder,
    secrets: null,
    sharePasswords: null,
    snapshot: () => readModel(root),
    async *rows({ collection }) {
      const items = (await rows(collection)) ?? []
      for (let at = 0; at < items.length; at += pageSize) yield items.slice(at, at + pageSize)
    },
    count: async (collection) => (await rows(collection))?.length ?? null,
    contents: (file) => openAsset(root, file),
  }
}

const pageSize = 200

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const snapshotOf = (root: string): string => join(root, 'schema', 'snapshot.json')

const hasModel = async (root: string): Promise<boolean> =>
  (await exists(snapshotOf(root))) || exists(join(root, 'collections.json'))

/** Null if the file does not exist. */
async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new Error(`${path} is no JSON: ${(error as Error).message}`, { cause: error })
  }
}

type Entry = { readonly [key: string]: unknown } & { readonly collection: string }

/** The snapshot, or one that is made of the lists of collections, fields and relations. */
async function readModel(root: string): Promise<SourceRow> {
  const snapshot = (await readJson(snapshotOf(root))) as SourceRow | null
  if (snapshot !== null) return snapshot
  const list = async (name: string) => ((await readJson(join(root, `${name}.json`))) ?? []) as readonly Entry[]
  const [collections, fields, relations] = await Promise.all(['collections', 'fields', 'relations'].map(list))
  return {
    version: 1,
    directus: 'template',
    vendor: 'postgres',
    collections: (collections ?? []).filter(isOwn).map((each) => ({ ...each, schema: nameOf(each) })),
    fields: (fields ?? []).filter(isOwn),
    relations: (relations ?? []).filter(isOwn),
  }
}

/** Entries of the platform itself are in every project. */
const isOwn = ({ meta }: Entry): boolean => (meta as { readonly system?: unknown } | null)?.system !== true

const nameOf = ({ schema, collection }: Entry): object | null =>
  schema === null || schema === undefined ? null : { name: collection }

/** The asset of a file; only its base name counts, so that no file outside the folder is read. */
async function openAsset(root: string, file: SourceRow): Promise<Readable | null> {
  const name = basename(String(file['filename_disk'] ?? file['id']))
  const path = join(root, 'assets', name)
  return (await exists(path)) ? createReadStream(path) : null
}
