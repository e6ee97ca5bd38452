/** A condition on the rows of a collection as SQL, for people. */
import type { Context } from '../../domain/ports/context.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { boundValues, createBuild, openLevel, tableText } from '../conditions/build.ts'
import { compileFilter } from '../conditions/compile-filter.ts'
import { dialectOf } from '../dialects/dialects.ts'

/** The rows that the filter leaves, as a statement with its values. It is not run. */
export function conditionText(
  { db, schema, view, actor, clock }: Pick<Context, 'db' | 'schema' | 'view' | 'actor' | 'clock'>,
  collection: Collection,
  filter: Filter,
): { readonly text: string; readonly values: readonly unknown[] } {
  const build = createBuild({ schema, view, dialect: dialectOf(db) })
  const level = openLevel(build, collection.name)
  const text = `select * from ${tableText(build, level)} where ${compileFilter(build, level, filter)}`
  return { text, values: boundValues(build, { actor, clock }) }
}
