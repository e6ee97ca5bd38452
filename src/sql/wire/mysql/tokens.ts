/** The tokens of a SQL text; what stands in parentheses is a group of its own. */

export type Group = { readonly items: readonly Item[] }
export type Item = string | Group

/** In this order: texts, names, parameters, results of earlier statements, space, words, numbers, operators, any other sign. */
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\d+|\$\$\d+|\s+|[\p{L}_][\p{L}\p{N}_$]*|\d+(?:\.\d+)?(?:e[+-]?\d+)?|::|\|\||<=|>=|<>|!=|!~|->>|->|[^]/giu

export function itemsOf(text: string): readonly Item[] {
  const root: Item[] = []
  const open: Item[][] = [root]
  for (const [each] of text.matchAll(token)) {
    const current = open.at(-1) as Item[]
    if (each === '(') {
      const items: Item[] = []
      current.push({ items })
      open.push(items)
    } else if (each === ')') {
      if (open.length === 1) throw new Error('A statement closes a parenthesis that it has not opened')
      open.pop()
    } else current.push(each)
  }
  return root
}

export const isGroup = (item: Item | undefined): item is Group => typeof item === 'object'
export const isSpace = (item: Item | undefined): boolean => typeof item === 'string' && /^\s+$/.test(item)
export const isWord = (item: Item | undefined): item is string => typeof item === 'string' && /^[\p{L}_]/u.test(item)

/** The token as text; empty for a group and for undefined. */
export const textOf = (item: Item | undefined): string => (typeof item === 'string' ? item : '')
