/** Several files, or a folder with all that is in it, as one ZIP archive. */

import { findReadGrant } from '../../authz/grants.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { and, type Filter } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { writeZip, type ZipEntry, zipBounds } from '../../exchange/zip.ts'
import { readAsServer } from '../rows/has-row.ts'
import { hasKey, notFound, systemCollection, toKey, toKeys } from '../rows/keys.ts'

/** `produce` sends the archive piece by piece. */
export type Archive = {
  readonly filename: string
  readonly produce: (write: (piece: Uint8Array) => Promise<void>) => Promise<void>
}

const files = 'platform_files'
const folders = 'platform_folders'

const columns = ['id', 'storage', 'filename_disk', 'filename_download', 'filesize', 'uploaded_on', 'folder'] as const

type FileInArchive = { readonly [Column in (typeof columns)[number]]: string | null } & { readonly id: string }

type Folder = { readonly id: string; readonly name: string; readonly parent: string | null }

type ArchiveEntry = { readonly file: FileInArchive; readonly folder: string }

type ArchiveContext = ReadContext & Pick<Context, 'storage'>

/** The files with the keys, in their order. Throws `item-not-found` if one is missing or not visible. */
export async function archiveFiles(ctx: ArchiveContext, ids: readonly string[]): Promise<Archive> {
  const keys = toKeys(systemCollection(ctx, files), ids)
  const rows = await readVisible<FileInArchive>(ctx, files, columns, { field: 'id', keys })
  const byId = new Map<Key, FileInArchive>(rows.map((file) => [file.id, file]))
  const placed = keys.map((key) => {
    const file = byId.get(key)
    if (file === undefined) throw notFound(files)
    return { file, folder: '' }
  })
  return toArchive(ctx, placed, `files-${ctx.clock().toISOString().slice(0, 10)}`)
}

/** The visible files in a visible folder and in its visible folders. */
export async function archiveFolder(ctx: ArchiveContext, id: string): Promise<Archive> {
  const key = toKey(systemCollection(ctx, folders), id)
  const all = await readVisible<Folder>(ctx, folders, ['id', 'name', 'parent'])
  const root = all.find((folder) => folder.id === key)
  if (root === undefined) throw notFound(folders)
  const paths = pathsBelow(root, all)
  const rows = await readVisible<FileInArchive>(ctx, files, columns, { field: 'folder', keys: [...paths.keys()] })
  const placed = rows.map((file) => ({ file, folder: paths.get(file.folder ?? '') ?? '' }))
  return toArchive(ctx, placed, root.name)
}

function pathsBelow(root: Folder, all: readonly Folder[]): ReadonlyMap<string, string> {
  const byParent = Map.groupBy(all, ({ parent }) => parent)
  const paths = new Map([[root.id, '']])
  const names = createNames()
  // The map grows while it is read; a folder that is in itself is met once.
  for (const [id, path] of paths) {
    for (const child of byParent.get(id) ?? []) {
      if (!paths.has(child.id)) paths.set(child.id, `${names(path, child.name)}/`)
    }
  }
  return paths
}

type KeysOfField = { readonly field: string; readonly keys: readonly Key[] }

/** The rows of the caller, without the rules for fields: these are about metadata, not about contents. */
async function readVisible<Row>(
  ctx: ReadContext,
  name: string,
  fields: readonly string[],
  among?: KeysOfField,
): Promise<readonly Row[]> {
  const grant = findReadGrant(ctx.actor, ctx.schema, name)
  if (grant === null) throw notFound(name)
  const limit = name === files ? zipBounds.entries + 1 : null
  const rows = among === undefined ? grant.rows : and(grant.rows, isAmong(grant.collection, among))
  return (await readAsServer(ctx, rowsOf(name, ownFields(...fields), { limit }), rows)) as readonly Row[]
}

const isAmong = (collection: Collection, { field, keys }: KeysOfField): Filter =>
  hasKey({ ...collection, primaryKey: field, keyColumns: [field] }, keys)

function toArchive(ctx: ArchiveContext, placed: readonly ArchiveEntry[], name: string): Archive {
  const size = placed.reduce((sum, { file }) => sum + Number(file.filesize ?? 0), 0)
  if (placed.length > zipBounds.entries || size > zipBounds.size) {
    const most = `Expected at most ${zipBounds.entries} files of 4 GB together for an archive`
    throw invalidPayload('ids', `${most} but received ${placed.length} files of ${size} bytes`)
  }
  const names = createNames()
  const entries = placed.map(
    ({ file, folder }): ZipEntry => ({
      name: names(folder, file.filename_download ?? file.id),
      modified: new Date(file.uploaded_on ?? 0),
      open: () => openContents(ctx, file),
    }),
  )
  return { filename: `${safeName(name)}.zip`, produce: (write) => writeZip(entries, write) }
}

async function openContents({ storage }: ArchiveContext, file: FileInArchive) {
  const location = storage.locations.get(file.storage ?? '')
  if (location === undefined || file.filename_disk === null) throw notFound(files)
  if ((await location.stat(file.filename_disk)) === null) throw notFound(files)
  return location.read(file.filename_disk)
}

/** Names that exist once in their folder, and that lead nowhere when the archive is unpacked. */
function createNames(): (folder: string, name: string) => string {
  const used = new Set<string>()
  return (folder, name) => {
    const safe = safeName(name)
    const dot = safe.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, '']
    let path = `${folder}${safe}`
    for (let number = 1; used.has(path.toLowerCase()); number += 1) path = `${folder}${stem} (${number})${extension}`
    used.add(path.toLowerCase())
    return path
  }
}

function safeName(name: string): string {
  const plain = name
    .replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_')
    .slice(0, 200)
    .trim()
  return /^\.*$/.test(plain) ? '_' : plain
}
