/**
 * Values that the validator need not look at again. The schemas of an operation's parameters say nothing of each
 * other: a request passes if each of its values has passed before, or its schema lets through any of its kind.
 */
import { LRUCache } from 'lru-cache'

/** A parameter as the spec has it, references resolved. */
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
  /** The query with its values as the validator would leave them; null where it has to look. */
  readonly find: (sent: Sent) => Values | null
  /** Remembers what the validator let through. */
  readonly keep: (sent: Values, checked: Values) => void
}

/** Of each operation so many texts are kept, each of at most so many characters. */
const keptTexts = 500
const longestKept = 1000

type Known = {
  readonly name: string
  readonly place: 'path' | 'query'
  readonly passes: (value: unknown) => boolean
}

/** What texts of a parameter become. */
type Texts = LRUCache<string, string | number | boolean>

const keyOf = (name: string, text: string): string => `${name} ${text}`

/** Null for operations that ask for more than values of path and query. */
export function createKnownValues(parameters: readonly Parameter[]): KnownValues | null {
  if (!parameters.every(isFollowed)) return null
  const known = parameters.map(({ name, in: place, schema = {} }): Known => {
    return { name, place: place as Known['place'], passes: passesOf(schema) }
  })
  const texts: Texts = new LRUCache({ max: keptTexts })
  const inQuery = known.filter(({ place }) => place === 'query')
  return {
    find: (sent) => findAll(known, texts, sent),
    keep: (sent, checked) => {
      for (const each of inQuery) remember(each, texts, { sent: sent[each.name], checked: checked[each.name] })
    },
  }
}

/** What is missing must need no look either. */
const isFollowed = ({ in: place, required, schema, content }: Parameter): boolean =>
  place === 'path' ||
  (place === 'query' && required !== true && content === undefined && schema !== undefined && !('default' in schema))

function findAll(known: readonly Known[], texts: Texts, sent: Sent): Values | null {
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

/** Objects that a text stood for are not kept: each request has its own. */
function remember({ name, passes }: Known, texts: Texts, { sent, checked }: { sent: unknown; checked: unknown }): void {
  if (typeof sent !== 'string' || sent.length > longestKept || passes(sent)) return
  if (typeof checked === 'string' || typeof checked === 'number' || typeof checked === 'boolean')
    texts.set(keyOf(name, sent), checked)
}

const annotations = new Set(['type', 'description', 'title', 'example', 'examples', 'deprecated'])

/** Whether a value is right whatever else it is, by its kind and length alone. */
function passesOf(schema: Schema): (value: unknown) => boolean {
  const keywords = Object.keys(schema).filter((keyword) => !annotations.has(keyword))
  const { type, minLength = 0, maxLength = Number.POSITIVE_INFINITY, additionalProperties } = schema
  if (type === 'object' && additionalProperties === true && keywords.length === 1) return isObject
  const isAnyText = type === 'string' && keywords.every((each) => each === 'minLength' || each === 'maxLength')
  if (!isAnyText) return () => false
  // The validator counts characters, of which some have two units here.
  const least = Number(minLength) * (Number(minLength) > 1 ? 2 : 1)
  return (value) => typeof value === 'string' && value.length >= least && value.length <= Number(maxLength)
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
