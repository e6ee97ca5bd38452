/** `tandem untrack`: removes the metadata of a table, which is still served. */
import type { Database } from '../../domain/ports/context.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import { lockSchema } from '../../sql/schema/ddl.ts'
import { deleteFieldRows, forgetField, revokeField, untrackCollection } from '../../sql/statements/metadata.ts'
import { announce } from '../announcements.ts'
import { changeableCollection } from './schema-change.ts'

/**
 * Deletes all metadata of a table and keeps the table. Its grants are deleted too, because without its flags hidden
 * fields would be readable.
 */
export function untrack(db: Database, loadSchema: (db: Database) => Promise<Schema>, name: string): Promise<void> {
  return repeatedTransaction(db, async (inner) => {
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
