/** Names of new collections and fields: valid in SQL, URLs, GraphQL and JavaScript objects. */
import { invalidPayload } from '../rights/errors.ts'
import { isSystemName } from './system-collections.ts'

/** The kind of name, for error messages. */
export type NameOf = 'collection' | 'field'

/** Returns the name, or throws `invalid-payload` with the reason. */
export function newName(of: NameOf, name: string): string {
  const expected = problemOf(of, name)
  if (expected === null) return name
  const reason = `Expected ${expected} for "${of}" but received ${JSON.stringify(name.slice(0, 100))}`
  throw invalidPayload(of, reason)
}

const safe = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Length limit of identifiers in PostgreSQL; the other databases allow at least as much. */
const longest = 63

function problemOf(of: NameOf, name: string): string | null {
  if (!safe.test(name)) return 'a name of letters, digits and underscores that begins with no digit'
  if (name.length > longest) return `a name of at most ${longest} characters`
  if (name.startsWith('__')) return 'a name that does not begin with two underscores'
  if (of === 'collection' && isSystemName(name.toLowerCase())) return 'a name without the prefix of system collections'
  return name in Object.prototype || name === 'prototype'
    ? 'a name that is not a property of every JavaScript object'
    : null
}
