/** Functions of a field: parts of a moment, elements of a JSON array, related rows. */
import type { Filter } from '../domain/filter.ts'
import type { FunctionName } from '../domain/functions.ts'
import { type Build, columnText, columnType, fieldOf, type Level, openLevel, tableText, whereText } from './build.ts'
import { compileFilter } from './compile-filter.ts'
import { linkText } from './compile-link.ts'

/** An integer expression. `related` names the rows that a count of relations may see. */
export function compileFunction(
  build: Build,
  level: Level,
  call: { readonly function: FunctionName; readonly field: string; readonly related?: Filter },
): string {
  const field = fieldOf(level.collection, call.field)
  if (field.column !== null) {
    return build.dialect.functions[call.function](columnText(build, level, field), columnType(field))
  }
  if (field.relation?.kind !== 'one-to-many') throw new Error(`Field ${field.name} has nothing to count`)
  const inner = openLevel(build, field.relation.collection)
  const table = tableText(build, inner)
  const link = linkText(build, level, inner, field.relation)
  const where = whereText([link, ...(call.related === undefined ? [] : [compileFilter(build, inner, call.related)])])
  return `(select count(*) from ${table}${where})`
}
