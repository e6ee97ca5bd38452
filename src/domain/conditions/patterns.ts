/**
 * Regular expressions from users. They run in linear time, with the RE2 syntax. In addition, look-aheads at the start
 * of a pattern are supported, because password policies use them: each one is tested separately at the start of the text.
 */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

export type Matcher = (text: string) => boolean

const matcherCache = new LRUCache<string, { readonly matcher: Matcher | null }>({ max: 200 })

/** Compiles a pattern; null when its syntax is invalid. A condition with an invalid pattern never matches. */
export function matcherOf(pattern: string): Matcher | null {
  const cached = matcherCache.get(pattern)
  if (cached !== undefined) return cached.matcher
  const matcher = compile(pattern)
  matcherCache.set(pattern, { matcher })
  return matcher
}

function compile(pattern: string): Matcher | null {
  const { conditions, rest } = splitLookAheads(pattern)
  try {
    const tests = conditions.map(({ source, negative }) => {
      const inner = RE2JS.compile(`^(?:${source})`)
      return (text: string) => inner.matcher(text).find() !== negative
    })
    const compiled = RE2JS.compile(tests.length === 0 ? rest : `^(?:${rest})`)
    return (text) => tests.every((test) => test(text)) && compiled.matcher(text).find()
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

/** Index of the parenthesis that closes the group at the start of the text. */
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

/** Compiles a pattern that is bare, or between slashes with an optional flag `i`. */
export function readPattern(text: string): Matcher | null {
  const match = /^\/(.*)\/([gimsuy]*)$/s.exec(text)
  if (match === null) return matcherOf(text)
  const [, pattern = '', flags = ''] = match
  return matcherOf(flags.includes('i') ? `(?i)${pattern}` : pattern)
}
