/** Names that new collections and fields may have: safe in SQL, in URLs, in GraphQL and on JavaScript objects. */
import { TandemError } from './errors.ts'
import { isSystemName } from './system-collections.ts'

/** What the name names, as an error should call it. */
export type NameOf = 'collection' | 'field'

/** Throws `invalid-payload` with the reason; returns the name. */
export function newName(of: NameOf, name: string): string {
  const expected = problemOf(of, name)
  if (expected === null) return name
  const reason = `Expected ${expected} for "${of}" but received ${JSON.stringify(name.slice(0, 100))}`
  throw new TandemError({ kind: 'invalid-payload', name: of, reason })
}

const safe = /^[A-Za-z_][A-Za-z0-9_]*$/

/** What PostgreSQL keeps of an identifier; the others keep no less. */
const longest = 63

function problemOf(of: NameOf, name: string): string | null {
  if (!safe.test(name)) return 'a name of letters, digits and underscores that begins with no digit'
  if (name.length > longest) return `a name of at most ${longest} characters`
  if (name.startsWith('__')) return 'a name that does not begin with two underscores'
  if (of === 'collection' && isSystemName(name.toLowerCase())) return 'a name without the prefix of system collections'
  return name in Object.prototype || name === 'prototype' ? 'a name that no object has of itself' : null
}
