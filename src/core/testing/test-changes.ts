/** Changes with related items in them, for tests: `nested({ title: 'x', comments: list([5, { body: 'y' }]) })`. */

import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes } from '../../domain/query/mutation.ts'

type Item = { readonly [field: string]: unknown }

const related: ReadonlySet<unknown> = new Set(['one', 'erase', 'replace', 'detail'])

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'kind' in value && related.has(value.kind)

export function nested(item: Item): Changes {
  return new Map(
    Object.entries(item).map(([name, value]): [string, Change] => [
      name,
      isChange(value) ? value : { kind: 'value', value: value as string },
    ]),
  )
}

const keyOf = (item: Item): Key | null => (item['id'] ?? null) as Key | null

/** A many-to-one given as an object; its key is its `id`. */
export const one = (item: Item): Change => ({ kind: 'one', key: keyOf(item), changes: nested(item) })

/** A many-to-one whose row is deleted. */
export const erase = (key: Key): Change => ({ kind: 'erase', key })

/** A to-many given as a list of keys and objects. */
export const list = (items: readonly (Key | Item)[]): Change => ({
  kind: 'replace',
  items: items.map((item) =>
    typeof item === 'object' ? { kind: 'write', key: keyOf(item), changes: nested(item) } : { kind: 'link', key: item },
  ),
})

const rowOf = (row: Key | Item): Key | Changes => (typeof row === 'object' ? nested(row) : row)

export const detail = (parts: {
  readonly create?: readonly Item[]
  readonly update?: readonly Item[]
  readonly delete?: readonly (Key | Item)[]
  readonly upsert?: readonly Item[]
  readonly erase?: readonly (Key | Item)[]
}): Change => ({
  kind: 'detail',
  create: (parts.create ?? []).map(nested),
  update: (parts.update ?? []).map((item) => ({ key: keyOf(item), changes: nested(item) })),
  delete: (parts.delete ?? []).map(rowOf),
  upsert: (parts.upsert ?? []).map((item) => ({ key: keyOf(item), changes: nested(item) })),
  erase: (parts.erase ?? []).map(rowOf),
})
