/** Files by other names than their ids. */
import type { Context } from '../domain/context.ts'
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
  if (name.includes('\0') || !name.isWellFormed()) return null
  const { rows } = await db.run({ text: looks[by], values: [name], name: `file-by-${by}` })
  return (rows as readonly { readonly id: string }[])[0]?.id ?? null
}

/** The same, or `item-not-found`. */
export async function fileIdOf(ctx: Pick<Context, 'db'>, by: keyof typeof looks, name: string): Promise<string> {
  const id = await findFileId(ctx, by, name)
  if (id === null) throw notFound('platform_files')
  return id
}
