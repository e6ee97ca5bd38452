/** Finds files by private hash, by storage name or by download name. */

import { findReadGrant } from '../../authz/grants.ts'
import { isWellFormedText } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import { equals } from '../../domain/query/filter.ts'
import type { Query } from '../../domain/query/query.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { type FileNaming, findFileByName } from '../../sql/statements/files.ts'
import { filesCollection } from '../guards/guard-files.ts'
import { readAsServer } from '../rows/has-row.ts'
import { notFound } from '../rows/keys.ts'

/** The id of the file; null if the name contains none. It does not grant access. */
export async function findFileId({ db }: Pick<Context, 'db'>, by: FileNaming, name: string): Promise<string | null> {
  if (!isWellFormedText(name)) return null
  return (await findFileByName(db, by, name)) ?? null
}

/** The id of the oldest file with that download name that the caller may read. */
export async function findReadable(ctx: Context, name: string): Promise<string | null> {
  const grant = findReadGrant(ctx.actor, ctx.schema, filesCollection)
  if (grant?.fields.get('filename_download')?.guard !== null || name.includes('\0')) return null
  const filter = equals('filename_download', name.toWellFormed())
  const query: Query = {
    ...rowsOf(filesCollection, ownFields('id'), { filter, limit: 1 }),
    sort: [{ kind: 'field', path: [], field: 'number', descending: false }],
  }
  const [file] = await readAsServer(ctx, query, grant.rows)
  return file === undefined ? null : (file['id'] as string)
}

/** The id of the file, or `item-not-found`. */
export async function fileIdOf(ctx: Pick<Context, 'db'>, by: FileNaming, name: string): Promise<string> {
  const id = await findFileId(ctx, by, name)
  if (id === null) throw notFound('platform_files')
  return id
}
