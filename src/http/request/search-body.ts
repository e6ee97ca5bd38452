/** The body of a SEARCH, whose parameters come in the forms that a query string has, and as null. */

type Values = { readonly [name: string]: unknown }

export type SearchNames = {
  /** Every query parameter of the operation. */
  readonly known: readonly string[]
  /** Those that are objects, which come as JSON text too. */
  readonly objects: ReadonlySet<string>
}

/**
 * The body with objects in the place of their texts, and without what is null: that counts as not given.
 * What cannot be read stays as it is and is refused by the check, like names that are not known.
 */
export const readSearchBody = (body: unknown, names: SearchNames): unknown => {
  if (!isValues(body) || !isValues(body.query)) return body
  const given = Object.entries(body.query).filter(([name, value]) => !isNothing(name, value, names))
  const read = given.map(([name, value]) => [name, names.objects.has(name) ? readText(value) : value])
  return { ...body, query: Object.fromEntries(read) as Values }
}

/** As in a query string, the empty text is no object. */
const isNothing = (name: string, value: unknown, { known, objects }: SearchNames): boolean =>
  value === null ? known.includes(name) : value === '' && objects.has(name)

const readText = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
