/**
 * Another name on disk for the contents of a file. They are copied to it, and the old ones go when the row
 * names the new ones: what is interrupted leaves the file as it was.
 */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import { isObjectKey } from '../domain/storage.ts'
import { values } from './file-contents.ts'
import { assertCovered, assertUpdatable } from './file-rights.ts'
import { createStored } from './files.ts'
import { filesCollection } from './guard-files.ts'
import { notFound } from './keys.ts'
import {
  deleteDoomed,
  isTaken,
  keeperOf,
  locationOf,
  type ObjectPlace,
  underEntry,
  unstored,
} from './stored-objects.ts'

/** Where the contents of a file are, and how it is called; of a file that the caller may update. */
export async function readStoredName(ctx: Context, key: Key) {
  const id = await assertUpdatable(ctx, key)
  const text = 'select storage, filename_disk, filename_download from platform_files where id = $1'
  const { rows } = await ctx.db.run({ text, values: [id] })
  const [row] = rows as readonly StoredName[]
  if (row === undefined) throw notFound(filesCollection)
  return { id, ...row }
}

type StoredName = {
  readonly storage: string
  readonly filename_disk: string | null
  readonly filename_download: string
}

/** Renames the stored contents and changes further fields. */
export async function renameFile(ctx: Context, key: Key, to: { readonly name: string; readonly changes: Changes }) {
  const { id, storage, filename_disk: before } = await readStoredName(ctx, key)
  const renamed = values({ filename_disk: to.name })
  assertCovered(ctx, 'update', new Map([...to.changes, ...renamed]))
  assertName(to.name)
  const place: ObjectPlace = { storage, key: to.name }
  const location = locationOf(ctx.storage, storage)
  if (before === null || (await location.stat(before)) === null) throw notFound(filesCollection)
  // By others, or by contents that nobody has registered yet.
  if ((await isTaken(ctx.db, place)) || (await location.stat(to.name)) !== null) {
    throw nameTaken()
  }
  const wanted = { storage, keys: [to.name], shared: true }
  const copy = async () => location.write(to.name, await location.read(before))
  await underEntry(keeperOf(ctx), wanted, () => copy().catch(toFailure))
  const contents = { place, facts: renamed, defaults: new Map() }
  const keys = await createStored(ctx, [{ id, replaces: true, changes: to.changes, contents }])
  await deleteDoomed(keeperOf(ctx))
  return keys
}

const nameTaken = (): TandemError =>
  new TandemError({ kind: 'not-unique', collection: filesCollection, field: 'filename_disk' })

/** A folder has the name, or the storage takes nothing now. */
function toFailure(cause: unknown): never {
  if (cause instanceof TandemError) throw cause
  if ((cause as NodeJS.ErrnoException).code === 'EISDIR') throw nameTaken()
  unstored(cause)
}

/** Safe in every storage, and never the name of what is made of another file. */
function assertName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,190}$/.test(name) && !name.includes('__') && isObjectKey(name)) return
  const reason = 'Expected letters, digits, dots, dashes and single underscores for "filename_disk"'
  throw new TandemError({ kind: 'invalid-payload', name: 'filename_disk', reason })
}
