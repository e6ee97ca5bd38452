/** Rows of files, and their stored variants. */
import { allRows, allValues, firstRow, firstValue, type Runner } from './answers.ts'
import type { ObjectAddress } from './stored-objects.ts'

const byName = {
  hash: 'select id::text as id from platform_files where private_hash = $1',
  disk: 'select id::text as id from platform_files where filename_disk = $1 order by storage limit 1',
} as const

/** Identifiers of a file besides its id: the private hash, and the name in storage. */
export type FileNaming = keyof typeof byName

export function findFileByName(db: Runner, naming: FileNaming, name: string): Promise<string | undefined> {
  const statement = { task: `findFileBy-${naming}`, text: byName[naming], values: [name], name: `file-by-${naming}` }
  return firstValue(db, statement)
}

export type StoredName = {
  readonly storage: string
  readonly filename_disk: string | null
  readonly filename_download: string
}

export function findStoredName(db: Runner, id: string): Promise<StoredName | undefined> {
  const text = 'select storage, filename_disk, filename_download from platform_files where id = $1'
  return firstRow(db, { task: 'findStoredName', text, values: [id] })
}

/**
 * The keys among `keys` that a row, an upload or the journal has in the location, and the names of files that equal one
 * of `bases` without their extension.
 */
export function findKnownKeys(
  db: Runner,
  storage: string,
  { keys, bases }: { readonly keys: readonly string[]; readonly bases: readonly string[] },
): Promise<readonly string[]> {
  const text = `select filename_disk as key from platform_files where storage = $1
      and (filename_disk = any($2) or regexp_replace(filename_disk, '[.][^./]*$', '') = any($3))
    union all select key from platform_stored_objects where storage = $1 and key = any($2)
    union all select key from platform_upload_segments where storage = $1 and key = any($2)`
  return allValues(db, { text, values: [storage, keys, bases] })
}

/** The next files with contents after that id, in the order of their ids. */
export function findFilesAfter(
  db: Runner,
  id: string,
  limit: number,
): Promise<readonly (ObjectAddress & { readonly id: string })[]> {
  const text = `select id, storage, filename_disk as key from platform_files
      where id > $1 and filename_disk is not null order by id limit ${limit}`
  return allRows(db, { text, values: [id] })
}

/** Registers a variant of a file. Beyond `most` the oldest ones are removed, and their keys are returned. */
export function noteVariant(
  db: Runner,
  { file, key, most }: { readonly file: string; readonly key: string; readonly most: number },
): Promise<readonly string[]> {
  const text = `with added as (insert into platform_variants (file, key)
      select id, $2 from platform_files where id = $1 on conflict do nothing)
    delete from platform_variants where file = $1 and key in
      (select key from platform_variants where file = $1 and key <> $2 order by made desc, key offset $3) returning key`
  const texts = {
    mysql: [
      'insert into platform_variants (file, key) select id, $2 from platform_files where id = $1 on conflict do nothing',
      `select v.key from platform_variants v where v.file = $1 and v.key <> $2 order by v.made desc, v.key limit 1000000 offset $3 for update`,
      'delete from platform_variants where file = $1 and "key" = any ($$2)',
    ],
  }
  return allValues(db, { text, texts, values: [file, key, most - 1], name: 'make-room', rows: 'array' })
}
