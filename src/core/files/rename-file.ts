/**
 * Renames the stored object of a file. The object is copied to the new name, and the old object is deleted after the row
 * has been updated. An interruption leaves the file unchanged.
 */

import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { isObjectKey } from '../../domain/ports/storage.ts'
import { and, equals } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { type Changes, toChanges } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { findStoredName } from '../../sql/statements/files.ts'
import { isObjectKnown, type ObjectAddress } from '../../sql/statements/stored-objects.ts'
import type { Received } from '../batch/received.ts'
import { filesCollection } from '../guards/guard-files.ts'
import { assertExpected, type Expected } from '../items/content-tags.ts'
import { markOf } from '../objects/disk-names.ts'
import { keeperOf, locationOf, throwStorageFailure, withObjectKey } from '../objects/stored-objects.ts'
import { notFound } from '../rows/keys.ts'
import { readItems } from '../rows/read-items.ts'
import { assertCovered, assertUpdatable } from './file-rights.ts'
import { receivedOf } from './file-rows.ts'
import { deleteOld } from './files.ts'

/** Location and names of a file that the caller may update. */
export async function readStoredName(ctx: Context, key: Key) {
  const id = await assertUpdatable(ctx, key)
  const row = await findStoredName(ctx.db, id)
  if (row === undefined) throw notFound(filesCollection)
  return { id, ...row }
}

/** `expected`: the required state of the file at the time of the write. */
type Renaming = { readonly name: string; readonly changes: Changes; readonly expected: Expected | null }

/** Copies the stored contents to another name, which the file gets with changes of further fields. */
export async function receiveName(ctx: Context, key: Key, to: Renaming): Promise<Received> {
  const { id, storage, filename_disk: before } = await readStoredName(ctx, key)
  assertCovered(ctx, 'update', new Map([...to.changes, ...toChanges({ filename_disk: to.name })]))
  assertName(to.name)
  const location = locationOf(ctx.storage, storage)
  if (before === null || (await location.stat(before)) === null) throw notFound(filesCollection)
  if (await isSeen(ctx, { storage, key: to.name })) throw nameTaken()
  const wanted = { storage, keys: freeNames(ctx, { storage, key: to.name }), shared: true }
  const address = await withObjectKey(keeperOf(ctx), wanted, async (free) => {
    const copy = async () => location.write(free.key, await location.read(before))
    await copy().catch(toFailure)
    return free
  })
  const contents = { address, facts: toChanges({ filename_disk: address.key }), defaults: new Map() }
  return receivedOf(ctx, [{ id, replaces: true, changes: to.changes, contents }], {
    before: (inner) => assertExpected(inner, to.expected),
    also: deleteOld,
  })
}

/** Whether a file with the name exists that the caller may read. */
async function isSeen(ctx: ReadContext, { storage, key }: ObjectAddress): Promise<boolean> {
  const filter = and(equals('storage', storage), equals('filename_disk', key))
  const query = rowsOf(filesCollection, ownFields('id'), { filter, limit: 1 })
  try {
    return (await readItems({ ...ctx, view: coreView(ctx.schema) }, query)).rowCount > 0
  } catch (error) {
    if (error instanceof TandemError && error.failures.every(({ kind }) => kind === 'forbidden')) return false
    throw error
  }
}

/** Number of numbered names to try. */
const mostNumbers = 9

/** Yields the name, `name-1` and so on, as far as they are free of files, uploads and unregistered objects. */
async function* freeNames(
  ctx: Pick<Context, 'db' | 'ids' | 'storage'>,
  { storage, key }: ObjectAddress,
): AsyncGenerator<string> {
  const location = locationOf(ctx.storage, storage)
  const [, stem = key, extension = ''] = /^(.{1,150}?)(\.[^.]{1,16})?$/.exec(key) ?? []
  const numbered = Array.from({ length: mostNumbers }, (_, at) => `${stem}-${at + 1}${extension}`)
  for (const name of [key, ...numbered, `${stem}-${markOf(ctx)}${extension}`])
    if (!(await isObjectKnown(ctx.db, { storage, key: name })) && (await location.stat(name)) === null) yield name
}

const nameTaken = (): TandemError =>
  new TandemError({ kind: 'not-unique', collection: filesCollection, field: 'filename_disk' })

/** A folder has the name, or the storage is not available. */
function toFailure(cause: unknown): never {
  if (cause instanceof TandemError) throw cause
  if ((cause as NodeJS.ErrnoException).code === 'EISDIR') throw nameTaken()
  throwStorageFailure(cause)
}

/** Rejects names that are unsafe in a storage, or that could be a variant of another file. */
function assertName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,190}$/.test(name) && !name.includes('__') && isObjectKey(name)) return
  const reason = 'Expected letters, digits, dots, dashes and single underscores for "filename_disk"'
  throw invalidPayload('filename_disk', reason)
}
