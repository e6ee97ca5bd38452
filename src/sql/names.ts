/** Names for the statements of writes. */
import { hashText } from '../domain/hash-text.ts'
import type { Dialect } from './dialect.ts'

/** Prepared statements stay on each connection, so only so many get a name. */
const names = new Set<string>()
const mostNames = 1000

/** A name for that text, as long as there are names left. */
export function nameOf({ preparedNames }: Pick<Dialect, 'preparedNames'>, text: string): { readonly name?: string } {
  const name = `w${hashText(text)}`
  if (preparedNames && names.size < mostNames) names.add(name)
  return names.has(name) ? { name } : {}
}
