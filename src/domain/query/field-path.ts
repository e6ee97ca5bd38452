/**
 * Field names in parameters: lists (`id,title`) of paths (`author.name`). A backslash takes the meaning from a comma, a
 * dot, a colon and a minus: `first\.name`. A call such as `json(settings, theme.color)` is one name.
 */

const withCalls = /(?:\\[^]|json\([^()]*\)|[^,])+/gu

/**
 * The words between the commas of a text, trimmed and without empty ones. Escapes remain.
 * @example splitNames(String.raw`a, b\,c`) // ['a', 'b\\,c']
 */
export function splitNames(text: string): readonly string[] {
  const isPlain = !text.includes('\\') && !text.includes('json(')
  const words = isPlain ? text.split(',') : (text.match(withCalls) ?? [])
  return words.map((word) => word.trim()).filter((word) => word !== '')
}

/** A name without its escapes; dots are part of it. */
export const unescaped = (word: string): string => splitPath(word).join('.')

const withJson = /^(?:(?<before>.+)\.)?json\(\s*(?<field>[^(),]*?)\s*,\s*(?<path>[^()]*?)\s*\)$/u

/**
 * The names of a path. The relations in front of the field of `json` are those of the path.
 * @example splitPath(String.raw`a.b\.c`) // ['a', 'b.c']
 * @example splitPath('a.json(b.c, d.e)') // ['a', 'b', 'json(c, d.e)']
 */
export function splitPath(path: string): readonly string[] {
  if (!path.includes('json(')) return splitNamesOf(path)
  const { before, field = '', path: inner = '' } = withJson.exec(path)?.groups ?? {}
  if (field === '') return splitNamesOf(path)
  const names = splitNamesOf(before === undefined ? field : `${before}.${field}`)
  return [...names.slice(0, -1), `json(${names.at(-1)}, ${inner})`]
}

function splitNamesOf(path: string): readonly string[] {
  if (!path.includes('\\')) return path.split('.')
  const names = ['']
  for (const part of path.match(/\\[.,:\\-]|[^]/gu) ?? []) {
    if (part === '.') names.push('')
    else names[names.length - 1] += part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
  }
  return names
}

/** What follows the first name of each path, by that name. */
export function groupByName(paths: readonly (readonly string[])[]): Map<string, readonly (readonly string[])[]> {
  const named = Map.groupBy(paths, ([name = '']) => name)
  return new Map([...named].map(([name, own]) => [name, own.map((path) => path.slice(1))]))
}
