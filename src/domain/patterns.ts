/**
 * Patterns that users write for values: searched for in time linear in the text, with the syntax of
 * RE2. Beyond it, look-aheads at the very start are understood (password policies are written with
 * them): each is a condition of its own, tested where the text begins.
 */
import { RE2JS } from 're2js'

/** Says whether the pattern is found in the text. */
export type Matcher = (text: string) => boolean

const known = new Map<string, Matcher | null>()
const mostKnown = 200

/** The matcher of a pattern, or null when the pattern cannot be understood (a condition with it never holds). */
export function matcherOf(pattern: string): Matcher | null {
  const found = known.get(pattern)
  if (found !== undefined) return found
  if (known.size >= mostKnown) known.clear()
  const made = compile(pattern)
  known.set(pattern, made)
  return made
}

function compile(pattern: string): Matcher | null {
  const { conditions, rest } = splitLookAheads(pattern)
  try {
    const tests = conditions.map(({ source, negative }) => {
      const inner = RE2JS.compile(`^(?:${source})`)
      return (text: string) => inner.matcher(text).find() !== negative
    })
    const found = RE2JS.compile(tests.length === 0 ? rest : `^(?:${rest})`)
    return (text) => tests.every((test) => test(text)) && found.matcher(text).find()
  } catch {
    return null
  }
}

type LookAhead = { readonly source: string; readonly negative: boolean }

function splitLookAheads(pattern: string): { readonly conditions: readonly LookAhead[]; readonly rest: string } {
  const conditions: LookAhead[] = []
  let rest = /^\^+(?=\(\?[=!])/.test(pattern) ? pattern.replace(/^\^+/, '') : pattern
  while (rest.startsWith('(?=') || rest.startsWith('(?!')) {
    const end = closing(rest)
    if (end === -1) return { conditions: [], rest: pattern }
    conditions.push({ source: rest.slice(3, end), negative: rest[2] === '!' })
    rest = rest.slice(end + 1)
  }
  return { conditions, rest }
}

/** Where the group that opens the text closes. */
function closing(text: string): number {
  let depth = 0
  let inClass = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\\') at += 1
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') depth += 1
    else if (char === ')' && (depth -= 1) === 0) return at
  }
  return -1
}

/** The matcher of a pattern written between slashes, with or without the flag `i`, or bare. */
export function readPattern(text: string): Matcher | null {
  const match = /^\/(.*)\/([gimsuy]*)$/s.exec(text)
  if (match === null) return matcherOf(text)
  const [, pattern = '', flags = ''] = match
  return matcherOf(flags.includes('i') ? `(?i)${pattern}` : pattern)
}
