/**
 * The values of a query string, by name. Clients ask the same questions again and again with another value in the
 * filter: what a query has beside it is its frame, one object for all queries that have the same, so that whoever
 * has looked at one need not look at it again.
 */

/** No name is inherited, and the engine keeps it in its fast form, unlike an object that is made without prototype. */
class QueryValues {
  [name: string]: unknown
  #frame: Values | null = null

  static frame(query: object, frame: Values): void {
    if (#frame in query) query.#frame = frame
  }

  static frameOf(query: object): Values | null {
    return #frame in query ? query.#frame : null
  }
}
Object.setPrototypeOf(QueryValues.prototype, null)
Reflect.deleteProperty(QueryValues.prototype, 'constructor')

export type Values = { [name: string]: unknown }
type Given = { readonly [name: string]: unknown }

export const createValues = (): Values => new QueryValues()

/** Makes a frame of values that nobody changes any more: they are their own. */
export function toFrame(values: Values): Values {
  QueryValues.frame(values, values)
  return freeze(values)
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}

/** A query that has that frame, and of the values those that are outside of frames. */
export function withinFrame(frame: Given, values: Given): Values {
  const query = createValues()
  QueryValues.frame(query, frame)
  for (const name in frame) query[name] = frame[name]
  for (const name in values) if (isOutsideFrames(name)) query[name] = values[name]
  return query
}

/** A frame of those of the values that are within frames. */
export function frameWithin(values: Given): Values {
  const frame = createValues()
  for (const name in values) if (!isOutsideFrames(name)) frame[name] = values[name]
  return toFrame(frame)
}

/** The frame of a query; null where there is none. */
export const frameOf = (query: object): Given | null => QueryValues.frameOf(query)

/** Whether values of that name, or text that begins so, may be outside of a frame. */
export const isOutsideFrames = (name: string): boolean => name.startsWith('filter')
