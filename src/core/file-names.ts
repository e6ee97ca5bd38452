/** Files by other names than their ids. */
import { authorizeQuery } from '../authz/authorize.ts'
import { findReadGrant } from '../authz/grants.ts'
import type { Context } from '../domain/context.ts'
import { coreView } from '../domain/core-view.ts'
import { isWellFormedText } from '../domain/literals.ts'
import type { Query } from '../domain/query.ts'
import { ownFields, rowsOf } from '../domain/rows-of.ts'
import { jsonOf, runQuery } from '../sql/read.ts'
import { filesCollection } from './guard-files.ts'
import { notFound } from './keys.ts'

const looks = {
  hash: 'select id::text as id from platform_files where private_hash = $1',
  disk: 'select id::text as id from platform_files where filename_disk = $1 order by storage limit 1',
} as const

/** The id of the file; null where there is none. It says nothing yet of who may have it. */
export async function findFileId(
  { db }: Pick<Context, 'db'>,
  by: keyof typeof looks,
  name: string,
): Promise<string | null> {
  if (!isWellFormedText(name)) return null
  const { rows } = await db.run({ text: looks[by], values: [name], name: `file-by-${by}` })
  return (rows as readonly { readonly id: string }[])[0]?.id ?? null
}

/** The id of the oldest file with that name to save it by, of those that the caller may read with their names. */
export async function findReadable(ctx: Context, name: string): Promise<string | null> {
  const grant = findReadGrant(ctx.actor, ctx.schema, filesCollection)
  if (grant?.fields.get('filename_download')?.guard !== null || name.includes('\0')) return null
  const own: Context = { ...ctx, view: coreView(ctx.schema) }
  const operand = { kind: 'field', field: 'filename_download' } as const
  const filter = { kind: 'compare', operand, operator: 'eq', values: [name.toWellFormed()] } as const
  const query: Query = {
    ...rowsOf(filesCollection, ownFields('id'), { filter, limit: 1 }),
    sort: [{ kind: 'field', path: [], field: 'number', descending: false }],
  }
  const found = await runQuery(own, authorizeQuery({ ...own, actor: { kind: 'system' } }, query, grant.rows))
  return (JSON.parse(jsonOf(found)) as readonly { readonly id: string }[])[0]?.id ?? null
}

/** The id of the file, or `item-not-found`. */
export async function fileIdOf(ctx: Pick<Context, 'db'>, by: keyof typeof looks, name: string): Promise<string> {
  const id = await findFileId(ctx, by, name)
  if (id === null) throw notFound('platform_files')
  return id
}
