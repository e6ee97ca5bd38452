/** Compiles the rows at the end of a path from other rows, such as the items related to a shared item. */
import type { DynamicValue } from '../../domain/query/filter.ts'
import type { ColumnType } from '../dialects/dialect.ts'
import { type Build, fieldOf, keyText, openLevel, rowKeyText, tableText, whereText } from './build.ts'
import { compileFilter } from './compile-filter.ts'
import { anyLinkText, linkText } from './compile-link.ts'

type Reached = Extract<DynamicValue, { readonly kind: 'reached' }>

/** The keys at the end of the path, as a one-column select that can be compared with the column. */
export function reachedSelect(build: Build, value: Reached, column: ColumnType): string {
  let level = openLevel(build, value.collection)
  let from = tableText(build, level)
  const conditions: string[] = []
  for (const step of value.path) {
    conditions.push(compileFilter(build, level, step.guard))
    const field = fieldOf(level.collection, step.field)
    const next = openLevel(build, step.collection)
    if (field.relation === null) throw new Error(`${step.field} is not a relation`)
    const link =
      field.relation.kind === 'many-to-any'
        ? anyLinkText(build, level, next, field)
        : linkText(build, level, next, field.relation)
    from += ` join ${tableText(build, next)} on ${link}`
    level = next
  }
  const isComposite = level.collection.keyColumns.length > 1
  const key = isComposite ? rowKeyText(build, level) : build.dialect.cast(keyText(build, level), column)
  return `select ${key} from ${from}${whereText(conditions)}`
}
