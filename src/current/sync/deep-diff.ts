/** Differences of JSON values in the four kinds that clients know: N new, D deleted, E edited, A of an array. */
import { isRecord } from '../../domain/is-record.ts'

type Path = readonly (string | number)[]
type Item = { readonly kind: 'N'; readonly rhs: unknown } | { readonly kind: 'D'; readonly lhs: unknown }

/** `path` is missing if the values themselves differ. */
export type Difference =
  | (Item & { readonly path?: Path })
  | { readonly kind: 'E'; readonly path?: Path; readonly lhs: unknown; readonly rhs: unknown }
  | { readonly kind: 'A'; readonly path?: Path; readonly index: number; readonly item: Item }

/** The changes that turn `lhs` into `rhs`. Arrays are compared by position, from their ends. */
export function deepDiff(lhs: unknown, rhs: unknown, path: Path = []): readonly Difference[] {
  const at = path.length === 0 ? {} : { path }
  if (Array.isArray(lhs) && Array.isArray(rhs)) return diffArrays(lhs, rhs, path)
  if (isRecord(lhs) && isRecord(rhs)) return diffObjects(lhs, rhs, path)
  return lhs === rhs ? [] : [{ kind: 'E', ...at, lhs, rhs }]
}

type Values = { readonly [name: string]: unknown }

/** The name of an object whose keys are choices, in the order in which forms offer them. */
export const inOwnOrder = 'status_mapping'

/** Whether keys that are deleted, and added at the end, leave another order. */
function isReordered(lhs: Values, rhs: Values): boolean {
  const names = Object.keys(rhs)
  const left = Object.keys(lhs).filter((name) => Object.hasOwn(rhs, name))
  return left.some((name, at) => name !== names[at])
}

function diffObjects(lhs: Values, rhs: Values, path: Path): readonly Difference[] {
  if (path.at(-1) === inOwnOrder && isReordered(lhs, rhs)) return [{ kind: 'E', path, lhs, rhs }]
  const before = Object.keys(lhs).flatMap((name) =>
    Object.hasOwn(rhs, name)
      ? deepDiff(lhs[name], rhs[name], [...path, name])
      : [{ kind: 'D' as const, path: [...path, name], lhs: lhs[name] }],
  )
  const added = Object.keys(rhs).filter((name) => !Object.hasOwn(lhs, name))
  return [...before, ...added.map((name) => ({ kind: 'N' as const, path: [...path, name], rhs: rhs[name] }))]
}

function diffArrays(lhs: readonly unknown[], rhs: readonly unknown[], path: Path): readonly Difference[] {
  const at = path.length === 0 ? {} : { path }
  const most = Math.max(lhs.length, rhs.length)
  return Array.from({ length: most }, (_, back) => most - 1 - back).flatMap((index): readonly Difference[] => {
    if (index >= lhs.length) return [{ kind: 'A', ...at, index, item: { kind: 'N', rhs: rhs[index] } }]
    if (index >= rhs.length) return [{ kind: 'A', ...at, index, item: { kind: 'D', lhs: lhs[index] } }]
    return deepDiff(lhs[index], rhs[index], [...path, index])
  })
}
