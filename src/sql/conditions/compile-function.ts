/** Compiles functions of a field: parts of dates and times, the length of a JSON array, the number of related rows. */
import type { Filter } from '../../domain/query/filter.ts'
import type { Call } from '../../domain/query/functions.ts'
import type { JsonForm } from '../dialects/dialect.ts'
import { type Build, bind, columnText, columnType, fieldOf, type Level, tableText, whereText } from './build.ts'
import { compileFilter } from './compile-filter.ts'
import { linkText } from './compile-link.ts'
import { openRelated } from './scans.ts'

/** The value at the path that `read` finds in the node, in one of its forms; see `Dialect.jsonAt`. */
export function compileJson<Node extends object>(
  build: Build,
  { level, field: name, form }: { readonly level: Level; readonly field: string; readonly form: JsonForm },
  [node, read]: readonly [node: Node, read: (node: Node) => Call],
): string {
  const field = fieldOf(level.collection, name)
  const { jsonPath } = build.dialect
  const path = bind(build, node, (each) => {
    const steps = read(each).jsonPath
    return jsonPath === undefined || steps === undefined ? steps : jsonPath(steps)
  })
  return build.dialect.jsonAt(columnText(build, level, field), columnType(field), path)[form]
}

/** An integer expression. `related` filters the rows that a count includes. */
export function compileFunction(build: Build, level: Level, call: Call & { readonly related?: Filter }): string {
  const field = fieldOf(level.collection, call.field)
  if (call.function === 'json') throw new Error('The value at a path is no number')
  if (field.column !== null) {
    return build.dialect.functions[call.function](columnText(build, level, field), columnType(field))
  }
  if (field.relation?.kind !== 'one-to-many') throw new Error(`Field ${field.name} is not a one-to-many`)
  const inner = openRelated(build, level, field.relation)
  const table = tableText(build, inner)
  const link = linkText(build, level, inner, field.relation)
  const where = whereText([link, ...(call.related === undefined ? [] : [compileFilter(build, inner, call.related)])])
  return `(select count(*) from ${table}${where})`
}
