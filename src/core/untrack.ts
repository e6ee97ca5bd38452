/** `tandem untrack`: a table is served on, but nothing more is known of it than what the database says. */
import type { Database } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Schema } from '../domain/schema.ts'
import { lockSchema } from '../sql/ddl.ts'
import { announce } from './announcements.ts'
import { forgetField, revokeField } from './metadata.ts'
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
      throw new TandemError({ kind: 'invalid-payload', name: 'collection', reason })
    }
    for (const { oneCollection, oneField } of schema.relations.filter((each) => each.manyCollection === name)) {
      if (oneCollection === null || oneField === null) continue
      const values = [oneCollection, oneField]
      await inner.run({ text: 'delete from platform_fields where collection = $1 and field = $2', values })
      await forgetField({ db: inner }, oneCollection, oneField)
      await revokeField({ db: inner }, oneCollection, oneField)
    }
    for (const text of texts) await inner.run({ text, values: [name] })
    await announce(inner, 'schema')
    await announce(inner, 'access')
  })
}

const texts = [
  'delete from platform_relations where many_collection = $1 or one_collection = $1',
  'delete from platform_fields where collection = $1',
  'delete from platform_collections where collection = $1',
  'delete from platform_permissions where collection = $1',
  'delete from platform_versions where collection = $1',
  'delete from platform_shares where collection = $1',
]
