/** Names for the statements of writes. */
import type { Dialect } from './dialect.ts'

/** By text. Prepared statements stay on each connection, so there is an end to them. */
const names = new Map<string, { readonly name: string }>()
const mostNames = 1000

/** A name for that text, as long as there are names left. */
export function nameOf({ preparedNames }: Pick<Dialect, 'preparedNames'>, text: string): { readonly name?: string } {
  if (!preparedNames) return {}
  let name = names.get(text)
  if (name === undefined && names.size < mostNames) names.set(text, (name = { name: `w${names.size}` }))
  return name ?? {}
}
