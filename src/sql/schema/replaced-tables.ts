/** Tables of another server's own whose place the system tables have taken. They are left as they are, and are no collections. */
import type { Database } from '../../domain/ports/context.ts'

/** Marks them in the notes of imports, in place of the digest of a definition. */
export const replacedMark = 'replaced'

/** Their names. */
export async function readReplaced(db: Database): Promise<readonly string[]> {
  const text = 'select name from platform_imports where definition = $1 order by name'
  const { rows } = await db.run({ text, values: [replacedMark] })
  return (rows as readonly { readonly name: string }[]).map(({ name }) => name)
}
