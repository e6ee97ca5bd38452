/**
 * Field names in parameters: lists (`id,title`) of paths (`author.name`). A backslash takes the meaning from a comma, a
 * dot, a colon and a minus: `first\.name`.
 */

/**
 * The words between the commas of a text, trimmed and without empty ones. Escapes remain.
 * @example splitNames(String.raw`a, b\,c`) // ['a', 'b\\,c']
 */
export function splitNames(text: string): readonly string[] {
  const words = text.includes('\\') ? (text.match(/(?:\\[^]|[^,])+/gu) ?? []) : text.split(',')
  return words.map((word) => word.trim()).filter((word) => word !== '')
}

/** A name without its escapes; dots are part of it. */
export const unescaped = (word: string): string => splitPath(word).join('.')

/**
 * The names of a path.
 * @example splitPath(String.raw`a.b\.c`) // ['a', 'b.c']
 */
export function splitPath(path: string): readonly string[] {
  if (!path.includes('\\')) return path.split('.')
  const names = ['']
  for (const part of path.match(/\\[.,:\\-]|[^]/gu) ?? []) {
    if (part === '.') names.push('')
    else names[names.length - 1] += part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
  }
  return names
}
