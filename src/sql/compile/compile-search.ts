/** Compiles a search: substring match in text columns, equality in number and uuid columns if the text fits the type. */
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Query } from '../../domain/query/query.ts'
import { checkedText } from '../conditions/bind-values.ts'
import { type Build, bind, columnText, columnType, fieldOf, type Level, textType } from '../conditions/build.ts'
import { guarded } from '../conditions/compile-filter.ts'
import { likePattern } from '../dialects/quoting.ts'

type Readings = { readonly [Type in FieldType]?: 'substring' | ((text: string) => string | null) }

/** The condition. Its text does not depend on the search text. */
export function compileSearch(build: Build, level: Level, query: Query): string {
  const parts: string[] = []
  for (const { field: name, guard } of query.searchFields ?? []) {
    const field = fieldOf(level.collection, name)
    const reading = readings[field.type]
    if (reading === undefined || field.column === null || field.concealed) continue
    const column = columnText(build, level, field)
    const type = columnType(field)
    const { dialect } = build
    const condition =
      reading === 'substring'
        ? dialect.operators.icontains(
            dialect.asText(column, type),
            dialect.cast(
              bind(build, query, (node) => likePattern('contains', searchText(node))),
              textType,
            ),
            '',
          )
        : dialect.operators.eq(
            dialect.comparable(column, type),
            dialect.cast(
              bind(build, query, (node) => reading(searchText(node))),
              type,
            ),
            '',
          )
    parts.push(guarded(build, level, guard, condition))
  }
  return parts.length === 0 ? 'false' : `(${parts.join(' or ')})`
}

const searchText = (query: Query): string => checkedText((query.search ?? '').trim())

const inRange =
  (least: bigint, most: bigint) =>
  (text: string): string | null => {
    if (!/^[+-]?\d{1,19}$/.test(text)) return null
    const number = BigInt(text.replace('+', ''))
    return number >= least && number <= most ? String(number) : null
  }

const asDecimal = (text: string): string | null => (/^[+-]?\d{1,30}(\.\d{1,30})?$/.test(text) ? text : null)

const asUuid = (text: string): string | null => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text : null)

/** Types that are not listed are not searched. */
const readings: Readings = {
  string: 'substring',
  text: 'substring',
  integer: inRange(-(2n ** 31n), 2n ** 31n - 1n),
  bigInteger: inRange(-(2n ** 63n), 2n ** 63n - 1n),
  float: asDecimal,
  decimal: asDecimal,
  uuid: asUuid,
}
