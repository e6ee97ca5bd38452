/** Conditions on single-column and composite keys. */
import type { Key } from '../../domain/query/key.ts'
import { keyValues } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { quoteName } from '../dialects/quoting.ts'
import { amongText, type Build, columnType, fieldOf } from './build.ts'

type Keyed = {
  /** Prefix of the columns: empty, or an alias with a dot. */
  readonly prefix: string
  readonly many: boolean
  /** Makes a parameter of one part of the key, or of the list of that part of all keys. */
  readonly bound: (part: (key: Key) => Key) => string
}

/** The rows with these keys. */
export function keyCondition(
  { dialect }: Pick<Build, 'dialect'>,
  collection: Collection,
  { prefix, many, bound }: Keyed,
): string {
  const quoted = (name: string): string => `${prefix}${quoteName(name)}`
  const parts = collection.keyColumns.map((name) => {
    const column = columnType(fieldOf(collection, name))
    return {
      expression: dialect.comparable(quoted(name), column),
      column,
      part: (key: Key) => keyValues(collection, key).get(name) as Key,
    }
  })
  if (many && parts.length > 1) {
    const expressions = parts.map(({ expression }) => expression)
    return dialect.isOneOfRows(
      expressions,
      parts.map(({ part, column }) => dialect.castList(bound(part), column)),
    )
  }
  return parts
    .map(({ expression, column, part }) => amongText(dialect, expression, { values: bound(part), many, column }))
    .join(' and ')
}
