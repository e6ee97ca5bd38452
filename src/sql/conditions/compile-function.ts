/** Compiles functions of a field: parts of dates and times, the length of a JSON array, the number of related rows. */
import type { Filter } from '../../domain/query/filter.ts'
import type { FunctionName } from '../../domain/query/functions.ts'
import { type Build, columnText, columnType, fieldOf, type Level, openLevel, tableText, whereText } from './build.ts'
import { compileFilter } from './compile-filter.ts'
import { linkText } from './compile-link.ts'

/** An integer expression. `related` filters the rows that a count includes. */
export function compileFunction(
  build: Build,
  level: Level,
  call: { readonly function: FunctionName; readonly field: string; readonly related?: Filter },
): string {
  const field = fieldOf(level.collection, call.field)
  if (field.column !== null) {
    return build.dialect.functions[call.function](columnText(build, level, field), columnType(field))
  }
  if (field.relation?.kind !== 'one-to-many') throw new Error(`Field ${field.name} is not a one-to-many`)
  const inner = openLevel(build, field.relation.collection)
  const table = tableText(build, inner)
  const link = linkText(build, level, inner, field.relation)
  const where = whereText([link, ...(call.related === undefined ? [] : [compileFilter(build, inner, call.related)])])
  return `(select count(*) from ${table}${where})`
}
