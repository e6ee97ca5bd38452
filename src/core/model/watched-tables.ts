/** Triggers of watched tables contain the names of columns: they change with their tables. */
import type { Context } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { readWatched } from '../../sql/statements/feed/events.ts'
import { unwatchTable, watchTable } from '../../sql/statements/feed/watch.ts'

/** Renews the triggers of tables that were watched before a change of the schema, and removes those of dropped tables. */
export async function renewWatches(
  { db, schemas }: Pick<Context, 'db' | 'schemas'>,
  { names, before }: { readonly names: readonly string[]; readonly before: Schema },
): Promise<void> {
  if (names.length === 0) return
  const after = await schemas.load(db)
  for (const name of new Set([...names, ...(await readWatched(db))])) {
    const [former, present] = [before.collections.get(name), after.collections.get(name)]
    if (present === former) continue
    if (present !== undefined) await watchTable(db, present)
    else if (former !== undefined) await unwatchTable(db, former)
  }
}
