/** Default values as the catalogs of both vendors write them. */
import type { SourceDefault } from '../../../domain/ports/table-source.ts'

type Vendor = { readonly isMariaDb: boolean; readonly isExpression: boolean }

/** Null for no default, and for an expression that no other database knows. */
export function readDefault(text: string | null, { isMariaDb, isExpression }: Vendor): SourceDefault | null {
  if (text === null || (isMariaDb && text === 'NULL')) return null
  if (/^(current_timestamp|now|localtimestamp)(\(\d*\))?$/i.test(text)) return { kind: 'now' }
  const bits = /^b'([01]+)'$/.exec(text)?.[1]
  if (bits !== undefined) return { kind: 'constant', text: String(BigInt(`0b${bits}`)) }
  if (isExpression) return null
  if (!isMariaDb) return { kind: 'constant', text }
  if (text.startsWith("'") && text.endsWith("'")) return { kind: 'constant', text: unquote(text) }
  return /^-?[\d.]+(e[+-]?\d+)?$/i.test(text) ? { kind: 'constant', text } : null
}

/** The text of a literal: quotes are doubled, and a backslash gives the next character another meaning. */
const unquote = (literal: string): string =>
  literal.slice(1, -1).replaceAll(/''|\\(.)/gs, (found, escaped?: string) => {
    if (escaped === undefined) return found === "''" ? "'" : found
    return escapes[escaped] ?? escaped
  })

const escapes: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', b: '\b', 0: '', Z: '\u001a' }
