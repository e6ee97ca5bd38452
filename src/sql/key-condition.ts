/** Conditions on keys, of one column or of several. */
import type { Key } from '../domain/mutation.ts'
import { keyValues } from '../domain/row-keys.ts'
import type { Collection } from '../domain/schema.ts'
import { amongText, type Build, columnType, fieldOf, textType } from './build.ts'

type Keyed = {
  /** In front of the columns: nothing, or an alias and a dot. */
  readonly prefix: string
  readonly many: boolean
  /** Makes a parameter of a part of the one key, or of the list of that part of each. */
  readonly bound: (part: (key: Key) => Key) => string
}

/**
 * The rows with these keys. Of many keys of several columns each column is compared, which indexes help with, and so is
 * the whole key, since the columns alone would match what no key says.
 */
export function keyCondition(
  { dialect }: Pick<Build, 'dialect'>,
  collection: Collection,
  { prefix, many, bound }: Keyed,
): string {
  const place = (name: string): string => `${prefix}${dialect.quote(name)}`
  const parts = collection.keyColumns.map((name) => {
    const column = columnType(fieldOf(collection, name))
    return {
      expression: dialect.comparable(place(name), column),
      column,
      part: (key: Key) => (collection.keyColumns.length === 1 ? key : (keyValues(collection, key).get(name) as Key)),
    }
  })
  const whole = dialect.writes.keyText(collection.keyColumns.map(place))
  const compared =
    many && parts.length > 1 ? [...parts, { expression: whole, column: textType, part: (key: Key) => key }] : parts
  return compared
    .map(({ expression, column, part }) => amongText({ dialect }, expression, { values: bound(part), many, column }))
    .join(' and ')
}
