/**
 * Lets known values skip the validator. The schemas of an operation's parameters are independent of each other, so a
 * request is valid if each of its values was valid before, or if its schema accepts every value of that type and
 * length.
 */
import { LRUCache } from 'lru-cache'

/** A parameter of the spec, with references resolved. */
export type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly style?: string
  readonly content?: object
  readonly schema?: Schema
}

type Schema = { readonly [keyword: string]: unknown }
type Values = { readonly [name: string]: unknown }
type Sent = { readonly path: Values; readonly query: Values }

export type KnownValues = {
  /** Returns the coerced values, or null if the validator must check them. */
  readonly find: (sent: Sent) => Values | null
  /** Records values that the validator accepted. */
  readonly keep: (sent: Values, checked: Values) => void
}

/** Number of cached texts per operation, and their maximum length in characters. */
const maxCachedTexts = 500
const longestKept = 1000

type KnownPlaces = {
  readonly name: string
  readonly place: 'path' | 'query'
  readonly passes: (value: unknown) => boolean
}

/** Coerced values by text. */
type Texts = LRUCache<string, string | number | boolean>

const keyOf = (name: string, text: string): string => `${name} ${text}`

/** Null for operations that constrain more than single path and query values. */
export function createKnownValues(parameters: readonly Parameter[]): KnownValues | null {
  if (!parameters.every(isFollowed)) return null
  const known = parameters.map(({ name, in: place, schema = {} }): KnownPlaces => {
    return { name, place: place as KnownPlaces['place'], passes: passesOf(schema) }
  })
  const texts: Texts = new LRUCache({ max: maxCachedTexts })
  const inQuery = known.filter(({ place }) => place === 'query')
  return {
    find: (sent) => findAll(known, texts, sent),
    keep: (sent, checked) => {
      for (const each of inQuery) remember(each, texts, { sent: sent[each.name], checked: checked[each.name] })
    },
  }
}

/** Whether the parameter can be handled here; an absent value must also be valid. */
const isFollowed = ({ in: place, required, schema, content }: Parameter): boolean =>
  place === 'path' ||
  (place === 'query' && required !== true && content === undefined && schema !== undefined && !('default' in schema))

function findAll(known: readonly KnownPlaces[], texts: Texts, sent: Sent): Values | null {
  let changed: { [name: string]: unknown } | null = null
  for (const { name, place, passes } of known) {
    const value = sent[place][name]
    if (value === undefined ? place === 'query' : passes(value)) continue
    if (typeof value !== 'string' || place === 'path') return null
    const checked = texts.get(keyOf(name, value))
    if (checked === undefined) return null
    if (checked !== value) (changed ??= { ...sent.query })[name] = checked
  }
  return changed ?? sent.query
}

/** Values coerced to objects are not cached: each request needs its own. */
function remember(
  { name, passes }: KnownPlaces,
  texts: Texts,
  { sent, checked }: { sent: unknown; checked: unknown },
): void {
  if (typeof sent !== 'string' || sent.length > longestKept || passes(sent)) return
  if (typeof checked === 'string' || typeof checked === 'number' || typeof checked === 'boolean')
    texts.set(keyOf(name, sent), checked)
}

const annotations = new Set(['type', 'description', 'title', 'example', 'examples', 'deprecated'])

/** A check by type and length alone, if the schema requires nothing else. */
function passesOf(schema: Schema): (value: unknown) => boolean {
  const keywords = Object.keys(schema).filter((keyword) => !annotations.has(keyword))
  const { type, minLength = 0, maxLength = Number.POSITIVE_INFINITY, additionalProperties } = schema
  if (type === 'object' && additionalProperties === true && keywords.length === 1) return isObject
  const isAnyText = type === 'string' && keywords.every((each) => each === 'minLength' || each === 'maxLength')
  if (!isAnyText) return () => false
  // The validator counts code points, which can be two UTF-16 units.
  const least = Number(minLength) * (Number(minLength) > 1 ? 2 : 1)
  return (value) => typeof value === 'string' && value.length >= least && value.length <= Number(maxLength)
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
