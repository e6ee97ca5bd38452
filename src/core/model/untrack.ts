/** `tandem untrack`: a table is served on, but nothing more is known of it than what the database says. */
import type { Database } from '../../domain/ports/context.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { lockSchema } from '../../sql/schema/ddl.ts'
import { deleteFieldRows, forgetField, revokeField, untrackCollection } from '../../sql/statements/metadata.ts'
import { announce } from '../announcements.ts'
import { changeableCollection } from './schema-change.ts'

/**
 * Forgets all that was said about a table, and leaves the table as it is. The grants on it go too:
 * without its flags, what was hidden would be shown.
 */
export function untrack(db: Database, loadSchema: (db: Database) => Promise<Schema>, name: string): Promise<void> {
  return db.transaction(async (inner) => {
    await lockSchema(inner)
    const schema = await loadSchema(inner)
    if (changeableCollection(schema, name).table === null) {
      const reason = `Expected a collection with a table but "${name}" is a folder`
      throw invalidPayload('collection', reason)
    }
    for (const { oneCollection, oneField } of schema.relations.filter((each) => each.manyCollection === name)) {
      if (oneCollection === null || oneField === null) continue
      const alias = { collection: oneCollection, field: oneField }
      await deleteFieldRows(inner, alias)
      await forgetField(inner, alias)
      await revokeField(inner, alias)
    }
    await untrackCollection(inner, name)
    await announce(inner, 'schema')
    await announce(inner, 'access')
  })
}
