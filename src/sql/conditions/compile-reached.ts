/** Compiles the rows at the end of a path from other rows, such as the items related to a shared item. */
import type { DynamicValue } from '../../domain/query/filter.ts'
import type { ColumnType } from '../dialects/dialect.ts'
import { type Build, columnText, fieldOf, openLevel, tableText, whereText } from './build.ts'
import { compileFilter } from './compile-filter.ts'
import { fieldLinkText } from './compile-link.ts'

type Reached = Extract<DynamicValue, { readonly kind: 'reached' }>

/** The keys at the end of the path, as a select that can be compared with the columns of a key. */
export function reachedSelect(build: Build, value: Reached, columns: readonly ColumnType[]): string {
  let level = openLevel(build, value.collection)
  let from = tableText(build, level)
  const conditions: string[] = []
  for (const step of value.path) {
    conditions.push(compileFilter(build, level, step.guard))
    const next = openLevel(build, step.collection)
    const link = fieldLinkText(build, level, next, fieldOf(level.collection, step.field))
    from += ` join ${tableText(build, next)} on ${link}`
    level = next
  }
  const key = level.collection.keyColumns.map((name) => columnText(build, level, fieldOf(level.collection, name)))
  const [single] = columns
  const isSingle = key.length === 1 && single !== undefined
  return `select ${isSingle ? build.dialect.cast(key[0] as string, single) : key.join(', ')} from ${from}${whereText(conditions)}`
}
