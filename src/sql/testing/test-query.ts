/** Queries for tests; omitted parts have neutral values. */

import type { Comparison, Value } from '../../domain/query/filter.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import type { Query, Selected } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import type { Codec, View } from '../../domain/schema/view.ts'

/** A query on a collection, in the form that authorize returns. */
export function queryOf(parts: Partial<Query> & Pick<Query, 'collection'>): Authorized<Query> {
  return { ...rowsOf(parts.collection, [], { limit: 100 }), ...parts } as Query as Authorized<Query>
}

/** A view without fields, so that each value has its neutral form, except for the given codecs. */
export function viewOf(
  codecs: { readonly [collection: string]: { readonly [field: string]: Codec } } = {},
  computed: 'number' | 'text' = 'number',
): View {
  const byCore = new Map(
    Object.entries(codecs).map(([name, fields]) => {
      const views = Object.entries(fields).map(([field, codec]) => [field, { name: field, field, codec }] as const)
      return [name, { name, collection: name, fields: new Map(views), byCore: new Map(views) }] as const
    }),
  )
  return { name: `view of ${JSON.stringify([codecs, computed])}`, collections: byCore, byCore, computed }
}

/** A user without rights, which sql does not check. */
export const someUser = {
  kind: 'user',
  user: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
  role: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
  roles: ['bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb'],
  access: { admin: false, app: false, policies: [], rules: [], fingerprint: '' },
  session: null,
} as const satisfies Actor

/** An anonymous caller. */
export const somebody = { kind: 'public', access: someUser.access } as const satisfies Actor

export const noon = (): Date => new Date('2024-06-15T12:00:00.000Z')

/** A condition on a column. */
export function compare(name: string, operator: OperatorName, ...values: readonly Value[]): Comparison {
  return { kind: 'compare', operand: { kind: 'field', field: name }, operator, values }
}

/** A field under its own name. */
export const field = (name: string): Selected => ({ kind: 'field', key: name, field: name })

/** The statement with a line per subquery, indented by its depth. */
export function layOut(text: string): string {
  let depth = 0
  const isSubquery: boolean[] = []
  const newLine = () => `\n${'  '.repeat(depth)}`
  return text.replaceAll(/\((?=select )|[()]/g, (parenthesis, at: number) => {
    if (parenthesis === '(') {
      isSubquery.push(text.startsWith('(select ', at))
      if (isSubquery.at(-1) === false) return '('
      depth += 1
      return `(${newLine()}`
    }
    if (isSubquery.pop() !== true) return ')'
    depth -= 1
    return `${newLine()})`
  })
}
