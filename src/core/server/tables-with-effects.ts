/** Tables whose writes may change others by what the database does, such as triggers. */
import type { Context } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { findTablesWithEffects } from '../../sql/statements/operation/examinations.ts'

const withEffects = new WeakMap<Schema, Promise<ReadonlySet<string>>>()

/** Read once per version of the schema. */
export function tablesWithEffects({ db, schema }: Pick<Context, 'db' | 'schema'>): Promise<ReadonlySet<string>> {
  const cached = withEffects.get(schema)
  if (cached !== undefined) return cached
  const tables = findTablesWithEffects(db)
  withEffects.set(schema, tables)
  tables.catch(() => withEffects.delete(schema))
  return tables
}
