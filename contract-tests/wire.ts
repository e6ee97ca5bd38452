/** From values to the text of a request: query strings and paths as clients write them. */

/** Names with their values, in order; a value is text already. */
export type Pairs = readonly (readonly [name: string, text: string])[]

/** How a parameter's value is written in a query string: lists by comma, objects as JSON text. */
export function toPairs(name: string, value: unknown): Pairs {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return [[name, value.join(',')]]
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
}

/** The other way that clients write objects: `filter[title][_eq]=a`. */
export function toBrackets(name: string, value: unknown): Pairs {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, each]) => toBrackets(`${name}[${key}]`, each))
}

/** `name=text&…`, escaped. */
export const queryText = (pairs: Pairs): string =>
  new URLSearchParams(pairs.map(([name, text]) => [name, text])).toString()

/** Fills `{name}` in the path of an operation. */
export function pathText(path: string, values: { readonly [name: string]: unknown }): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}
