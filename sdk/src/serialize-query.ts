/** Serializes query parameters. */

/** Notation of objects: JSON text, or `name[key][key]=value`. */
export type ObjectStyle = 'json' | 'brackets'

/**
 * Serializes a query string, without the question mark. Lists are joined by commas, or repeated as `name[]=` if an
 * element contains a comma. Undefined is omitted.
 * @example
 * serializeQuery({ fields: ['id', { author: ['name'] }], limit: 5 }, 'json') // 'fields=id%2Cauthor.name&limit=5'
 */
export function serializeQuery(query: object, style: ObjectStyle): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(plainQuery(query))) {
    if (Array.isArray(value)) appendList(pairs, name, value)
    else if (isObject(value) && style === 'brackets') appendBrackets(pairs, name, value)
    else if (value !== undefined) pairs.append(name, textOf(value))
  }
  return pairs.toString()
}

/** The query as data, with nested `fields` as paths: the body of a SEARCH. */
export function plainQuery(query: object): { [name: string]: unknown } {
  const { fields, ...rest } = query as { readonly fields?: unknown }
  return fields === undefined ? rest : { fields: Array.isArray(fields) ? fieldPaths(fields) : fields, ...rest }
}

/**
 * Converts nested `fields` to dotted paths; a level that is an object selects collections of a many-to-any.
 * @example
 * fieldPaths(['id', { author: ['name'] }, { item: { headings: ['title'] } }]) // ['id', 'author.name', 'item:headings.title']
 */
export function fieldPaths(fields: readonly unknown[]): readonly string[] {
  return fields.flatMap((field) =>
    isObject(field) ? Object.entries(field).flatMap(([name, nested]) => nestedPaths(name, nested)) : [String(field)],
  )
}

function nestedPaths(name: string, nested: unknown): readonly string[] {
  if (Array.isArray(nested)) return fieldPaths(nested).map((path) => `${name}.${path}`)
  return isObject(nested)
    ? Object.entries(nested).flatMap(([scope, inner]) => nestedPaths(`${name}:${scope}`, inner))
    : []
}

function appendList(pairs: URLSearchParams, name: string, list: readonly unknown[]): void {
  const texts = list.map(textOf)
  if (texts.some((text) => text.includes(','))) for (const text of texts) pairs.append(`${name}[]`, text)
  else pairs.append(name, texts.join(','))
}

function appendBrackets(pairs: URLSearchParams, name: string, value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (isObject(inner)) appendBrackets(pairs, `${name}[${key}]`, inner)
    else if (Array.isArray(inner)) pairs.append(`${name}[${key}]`, inner.map(textOf).join(','))
    else if (inner !== undefined) pairs.append(`${name}[${key}]`, textOf(inner))
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
