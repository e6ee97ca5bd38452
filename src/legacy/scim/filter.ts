/** Filters of SCIM as conditions of core. The library reads the text; what it does not limit is limited before. */
import { type Filter as Parsed, parse } from 'scim2-parse-filter'
import { and, type Filter, or } from '../../domain/query/filter.ts'
import type { Attributes, ScimValue } from './attributes.ts'
import { ScimError, type ScimType } from './errors.ts'

/** Limits of a filter; the spec tells them. */
const filterBounds = { characters: 4000, comparisons: 100, levels: 20 } as const

/** Where the filter stands, for errors. */
type Place = { readonly scimType: ScimType; readonly name: string }

const inQuery: Place = { scimType: 'invalidFilter', name: 'filter' }

/**
 * Parses a filter.
 * @example parseScimFilter('userName eq "ann@example.com"', userAttributes) // email eq 'ann@example.com'
 */
export function parseScimFilter(text: string, attributes: Attributes, place: Place = inQuery): Filter {
  assertBounded(text, place)
  return toFilter(read(text, place), {
    attributes,
    place,
    prefix: '',
    level: 0,
    budget: { left: filterBounds.comparisons },
  })
}

const refuse = ({ scimType, name }: Place, reason: string, cause?: unknown): ScimError =>
  new ScimError(scimType, name, `${reason} for "${name}"`, cause)

/**
 * Refuses texts that the library would spend much time or stack on: its pattern for strings backtracks at line breaks,
 * and it descends once per bracket.
 */
export function assertBounded(text: string, place: Place): void {
  const { characters, levels } = filterBounds
  if (text.length > characters) throw refuse(place, `Expected at most ${characters} characters but received more`)
  if (/\p{Cc}/u.test(text)) throw refuse(place, 'Expected no control characters but received some')
  if (text.split(/[([]|\bnot\b/i).length > levels + 1) {
    throw refuse(place, `Expected at most ${levels} brackets and negations but received more`)
  }
}

function read(text: string, place: Place): Parsed {
  try {
    return parse(text)
  } catch (cause) {
    throw refuse(place, 'Expected a filter such as userName eq "ann@example.com" but received something else', cause)
  }
}

/** `prefix`: the attribute whose parts a filter in brackets names. `budget`: comparisons left. */
type Walk = {
  readonly attributes: Attributes
  readonly place: Place
  readonly prefix: string
  readonly level: number
  readonly budget: { left: number }
}

function toFilter(parsed: Parsed, walk: Walk): Filter {
  const inner: Walk = { ...walk, level: walk.level + 1 }
  if (inner.level > filterBounds.levels) throw refuse(walk.place, `Expected at most ${filterBounds.levels} levels`)
  switch (parsed.op) {
    case 'and':
      return and(...parsed.filters.map((each) => toFilter(each, inner)))
    case 'or':
      return or(...parsed.filters.map((each) => toFilter(each, inner)))
    case 'not':
      throw refuse(walk.place, 'Expected comparisons by eq, joined by and and or, but received not')
    case '[]':
      return toFilter(parsed.valFilter, { ...inner, prefix: `${nameOf(parsed.attrPath, walk)}.` })
    default:
      return toComparison(parsed, walk)
  }
}

type Compared = { readonly op: string; readonly attrPath: string; readonly compValue?: ScimValue }

/** Only `eq`: who may find rows by a value that they know shall not list them by its beginning, or by its presence. */
function toComparison({ op, attrPath, compValue = null }: Compared, walk: Walk): Filter {
  walk.budget.left -= 1
  if (walk.budget.left < 0) throw refuse(walk.place, `Expected at most ${filterBounds.comparisons} comparisons`)
  if (op !== 'eq') throw refuse(walk.place, `Expected the operator eq but received ${op}`)
  const name = nameOf(attrPath, walk)
  const attribute = Object.hasOwn(walk.attributes, name) ? walk.attributes[name] : undefined
  if (attribute === undefined) {
    const known = Object.keys(walk.attributes).join(', ')
    throw refuse(walk.place, `Expected one of the attributes ${known} but received ${JSON.stringify(attrPath)}`)
  }
  const filter = attribute(compValue)
  if (filter !== null) return filter
  throw refuse(walk.place, `The attribute ${attrPath} cannot be compared with ${typeof compValue}, as asked`)
}

/** Throws unless the filter in brackets of a path has only comparisons that filters may have. */
export function assertPathFilter(path: string, place: Place): void {
  const inBrackets = /\[(.*)\]/s.exec(path)?.[1]
  if (inBrackets !== undefined) assertEqualities(read(inBrackets, place), place)
}

function assertEqualities(parsed: Parsed, place: Place): void {
  if (parsed.op === 'and' || parsed.op === 'or') for (const each of parsed.filters) assertEqualities(each, place)
  else if (parsed.op !== 'eq') throw refuse(place, `Expected the operator eq but received ${parsed.op}`)
}

const urn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** The name of an attribute in lower case, without the URN of its schema. */
const nameOf = (path: string, { prefix }: Walk): string => prefix + path.toLowerCase().replace(urn, '')
