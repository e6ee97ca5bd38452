/**
 * Compiles comparisons of keys of several columns: of foreign keys with given keys, and of rows with the rows at the end
 * of a path. Each column is compared by itself, because no index holds the text that is shown of a key.
 */
import { toLiteral } from '../../domain/conditions/literals.ts'
import { type Comparison, type DynamicValue, isDynamic, type Literal } from '../../domain/query/filter.ts'
import { splitKey } from '../../domain/schema/row-keys.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { isPlain, listValue, valueAt } from './bind-values.ts'
import { type Build, bind, columnText, columnType, fieldOf, type Level, type Moment } from './build.ts'
import { reachedSelect } from './compile-reached.ts'

type Reached = Extract<DynamicValue, { readonly kind: 'reached' }>

/** The condition; null for operators that compare texts, and for values that the database has to read. */
export function compileReference(
  build: Build,
  level: Level,
  { columns, comparison }: { readonly columns: readonly string[]; readonly comparison: Comparison },
): string | null {
  if (!comparison.values.every(isPlain)) return null
  const fields = columns.map((name) => fieldOf(level.collection, name))
  switch (comparison.operator) {
    case 'null':
    case 'empty':
      return `(${nullTexts(build, level, fields, 'null').join(' or ')})`
    case 'nnull':
    case 'nempty':
      return nullTexts(build, level, fields, 'nnull').join(' and ')
    case 'eq':
      return equalText(build, level, { fields, comparison })
    case 'in':
      return amongText(build, level, { fields, comparison })
    case 'neq':
      return rejectedText(build, level, fields, equalText(build, level, { fields, comparison }))
    case 'nin':
      return rejectedText(build, level, fields, amongText(build, level, { fields, comparison }))
    default:
      return null
  }
}

/** Rows whose key is at the end of a path, or of one of several. */
export function compileReachedRows(build: Build, level: Level, comparison: Comparison): string | null {
  const reached = comparison.values.filter(isReached)
  if (level.collection.keyColumns.length === 1 || reached.length === 0) return null
  const columns = level.collection.keyColumns.map((name) => fieldOf(level.collection, name))
  const key = columns.map((field) => columnText(build, level, field)).join(', ')
  const parts = reached.map((value) => `(${key}) in (${reachedSelect(build, value, columns.map(columnType))})`)
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' or ')})`
}

const isReached = (value: Comparison['values'][number]): value is Reached =>
  isDynamic(value) && value.kind === 'reached'

type Compared = { readonly fields: readonly Field[]; readonly comparison: Comparison }

/** In parentheses, since it may be negated. */
function equalText(build: Build, level: Level, { fields, comparison }: Compared): string {
  const parts = fields.map((field, index) => {
    const value = bind(build, comparison, (node, moment) => partsOf(valueAt(0)(node, moment), fields)?.[index] ?? null)
    return `${comparableText(build, level, field)} = ${build.dialect.cast(value, columnType(field))}`
  })
  return `(${parts.join(' and ')})`
}

function amongText(build: Build, level: Level, { fields, comparison }: Compared): string {
  const lists = fields.map((field, index) => {
    const list = bind(build, comparison, (node, moment) => listOf(node, moment, fields).map((parts) => parts[index]))
    return build.dialect.castList(list, columnType(field))
  })
  return build.dialect.isOneOfRows(
    fields.map((field) => comparableText(build, level, field)),
    lists,
  )
}

/** Matches rows whose key is not null and does not meet the condition. */
function rejectedText(build: Build, level: Level, fields: readonly Field[], condition: string): string {
  const nullable = fields.filter(({ column }) => column?.nullable !== false)
  return [...nullTexts(build, level, nullable, 'nnull'), `not coalesce(${condition}, false)`].join(' and ')
}

const nullTexts = (build: Build, level: Level, fields: readonly Field[], operator: 'null' | 'nnull') =>
  fields.map((field) => build.dialect.operators[operator](columnText(build, level, field), '', ''))

const comparableText = (build: Build, level: Level, field: Field): string =>
  build.dialect.comparable(columnText(build, level, field), columnType(field))

/** Invalid keys are left out, because no row has them. */
function listOf(comparison: Comparison, moment: Moment, fields: readonly Field[]): readonly (readonly Literal[])[] {
  const values = listValue(comparison, moment) as readonly unknown[] | null
  return (values ?? []).flatMap((value) => {
    const parts = partsOf(value, fields)
    return parts === null ? [] : [parts]
  })
}

const noLiteral = Symbol('no literal')

/** The values of the columns; null for what is no key of theirs. */
function partsOf(value: unknown, fields: readonly Field[]): readonly Literal[] | null {
  const texts = typeof value === 'string' ? splitKey(value, fields.length) : null
  if (texts === null) return null
  try {
    return fields.map((field, index) =>
      toLiteral(texts[index], field, () => {
        throw noLiteral
      }),
    )
  } catch (error) {
    if (error === noLiteral) return null
    throw error
  }
}
