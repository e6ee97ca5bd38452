/** What of a form is sent. */
import type { Row } from '../client.ts'

/** Changes of related items, as forms collect them and the API takes them. */
export type RelatedChanges = {
  readonly create: readonly Row[]
  readonly update: readonly Row[]
  readonly delete: readonly (string | number)[]
}

export type Changed = Row & { readonly id?: unknown }

export const isRelated = (value: unknown): value is RelatedChanges =>
  typeof value === 'object' && value !== null && 'create' in value && 'update' in value && 'delete' in value

/** Whether nothing of a relation changes. */
const isEmpty = (value: unknown): boolean =>
  isRelated(value) && value.create.length + value.update.length + value.delete.length === 0

/** Under this name a linked item keeps what the form shows of it; only its key is sent. */
export const shownKey = '$shown'

/** The changes as they are sent: items that were only linked keep their values, which the user may not be able to write. */
export const withoutShown = (data: Row): Row =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isRelated(value) ? bare(value as RelatedChanges & Row) : value]),
  )

const bare = (value: Row): Row =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== shownKey)
      .map(([name, inner]) => [name, Array.isArray(inner) ? inner.map(bareValue) : bareValue(inner)]),
  )

const bareValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? bare(value as Row) : value

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/**
 * Forms take a dot or a bracket in the name of a field for a path into an object. The values are put back under the names,
 * and what is under no name of a field goes.
 */
export function withNames(data: Row, names: readonly string[]): Row {
  const odd = names.filter((name) => /[.[\]"'|]/.test(name)).map((name) => [name, pathIn(name)] as const)
  const roots = new Set(odd.map(([, [root = '']]) => root))
  const plain = Object.entries(data).filter(([name]) => names.includes(name) || !roots.has(name))
  const found = odd.flatMap(([name, path]) => {
    const value = path.reduce<unknown>((at, step) => (at as Row | null | undefined)?.[step], data)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries([...plain, ...found])
}

const pathIn = (name: string): readonly string[] =>
  name
    .replaceAll(/["'|\]]/g, '')
    .split(/[.[]/)
    .filter((step) => step !== '')

/** A new item: what was left empty gets the default of its column. */
export const toNew = (data: Row): Row =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([, value]) => value !== null && value !== undefined && value !== '' && !isEmpty(value),
    ),
  )

/** Only what changed, so that fields which others changed meanwhile, or which may not be written, are left alone. */
export const toChanges = (data: Changed, previous: Row | undefined): Row =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([name, value]) => value !== undefined && !isEmpty(value) && !isSame(value, previous?.[name]),
    ),
  )
