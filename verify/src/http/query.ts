/** Query strings as clients write them. */

export type QueryValues = { readonly [name: string]: unknown }

/** Lists of plain values with commas, objects as JSON; undefined values are left out. */
export function queryText(values: QueryValues): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, valueText(value)] as [string, string]],
  )
  return new URLSearchParams(pairs).toString()
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(',')
  return JSON.stringify(value)
}

/** The bracket notation: `{filter: {title: {_eq: 'a'}}}` becomes `filter[title][_eq]=a`. */
export function brackets(name: string, value: unknown): { readonly [name: string]: string } {
  if (typeof value !== 'object' || value === null) return { [name]: String(value) }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => Object.entries(brackets(`${name}[${key}]`, each))),
  )
}
