/** Names of new collections and fields: valid in SQL, URLs and JavaScript objects. */
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

/** Spaces and hyphens make a name that GraphQL leaves out, so only fields may have them. */
const forms = {
  collection: [/^[A-Za-z_][A-Za-z0-9_]*$/, 'letters, digits and underscores that begins with no digit'],
  field: [
    /^[A-Za-z_](?:[A-Za-z0-9_ -]*[A-Za-z0-9_-])?$/,
    'letters, digits, underscores, hyphens and spaces between them that begins with a letter or an underscore',
  ],
} as const satisfies { readonly [Of in NameOf]: readonly [form: RegExp, words: string] }

/** Length limit of identifiers in PostgreSQL; the other databases allow at least as much. */
const longest = 63

function problemOf(of: NameOf, name: string): string | null {
  const [form, words] = forms[of]
  if (!form.test(name)) return `a name of ${words}`
  if (name.length > longest) return `a name of at most ${longest} characters`
  if (name.startsWith('__')) return 'a name that does not begin with two underscores'
  if (of === 'collection' && isSystemName(name.toLowerCase())) return 'a name without the prefix of system collections'
  return name in Object.prototype || name === 'prototype'
    ? 'a name that is not a property of every JavaScript object'
    : null
}
