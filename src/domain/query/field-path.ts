/** Paths of field names in parameters: `author.name`. A backslash takes the meaning from a dot: `first\.name`. */

/**
 * The names of a path.
 * @example splitPath(String.raw`a.b\.c`) // ['a', 'b.c']
 */
export function splitPath(path: string): readonly string[] {
  if (!path.includes('\\')) return path.split('.')
  const names = ['']
  for (const part of path.match(/\\[.\\]|[^]/gu) ?? []) {
    if (part === '.') names.push('')
    else names[names.length - 1] += part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
  }
  return names
}
