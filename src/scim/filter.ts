/** Filters of SCIM as conditions of core. The library reads the text; what it does not limit is limited before. */
import { type Filter as Parsed, parse } from 'scim2-parse-filter'
import { and, type Filter, or } from '../domain/query/filter.ts'
import type { Attributes, ScimValue } from './attributes.ts'
import { ScimError, type ScimType } from './errors.ts'

/** Limits of a filter, as in the spec. */
const filterBounds = { characters: 4000, comparisons: 100, levels: 20 } as const

/** Where the filter stands, for errors. */
type FilterSubject = { readonly scimType: ScimType; readonly name: string }

const inQuery: FilterSubject = { scimType: 'invalidFilter', name: 'filter' }

/**
 * Parses a filter.
 * @example parseScimFilter('userName eq "ann@example.com"', userAttributes(matchAll)) // email eq 'ann@example.com'
 */
export function parseScimFilter(text: string, attributes: Attributes, subject: FilterSubject = inQuery): Filter {
  assertBounded(text, subject)
  return toFilter(read(text, subject), {
    attributes,
    subject: subject,
    prefix: '',
    level: 0,
    budget: { left: filterBounds.comparisons },
  })
}

const refuse = ({ scimType, name }: FilterSubject, reason: string, cause?: unknown): ScimError =>
  new ScimError(scimType, name, `${reason} for "${name}"`, cause)

/**
 * Refuses texts that the library would spend much time or stack on: its pattern for strings backtracks at line breaks,
 * and it descends once per bracket.
 */
export function assertBounded(text: string, subject: FilterSubject): void {
  const { characters, levels } = filterBounds
  if (text.length > characters) throw refuse(subject, `Expected at most ${characters} characters but received more`)
  if (/\p{Cc}/u.test(text)) throw refuse(subject, 'Expected no control characters but received some')
  if (text.split(/[([]|\bnot\b/i).length > levels + 1) {
    throw refuse(subject, `Expected at most ${levels} brackets and negations but received more`)
  }
}

function read(text: string, subject: FilterSubject): Parsed {
  try {
    return parse(text)
  } catch (cause) {
    throw refuse(subject, 'Expected a filter such as userName eq "ann@example.com" but received something else', cause)
  }
}

/** `prefix`: the attribute whose parts a filter in brackets names. `budget`: comparisons left. */
type ParseState = {
  readonly attributes: Attributes
  readonly subject: FilterSubject
  readonly prefix: string
  readonly level: number
  readonly budget: { left: number }
}

function toFilter(parsed: Parsed, state: ParseState): Filter {
  const inner: ParseState = { ...state, level: state.level + 1 }
  if (inner.level > filterBounds.levels) throw refuse(state.subject, `Expected at most ${filterBounds.levels} levels`)
  switch (parsed.op) {
    case 'and':
      return and(...parsed.filters.map((each) => toFilter(each, inner)))
    case 'or':
      return or(...parsed.filters.map((each) => toFilter(each, inner)))
    case 'not':
      throw refuse(state.subject, 'Expected comparisons by eq, joined by and and or, but received not')
    case '[]':
      return toFilter(parsed.valFilter, { ...inner, prefix: `${nameOf(parsed.attrPath, state)}.` })
    default:
      return toComparison(parsed, state)
  }
}

type Compared = { readonly op: string; readonly attrPath: string; readonly compValue?: ScimValue }

/** Only `eq`: who may find rows by a value that they know shall not list them by its beginning, or by its presence. */
function toComparison({ op, attrPath, compValue = null }: Compared, state: ParseState): Filter {
  state.budget.left -= 1
  if (state.budget.left < 0) throw refuse(state.subject, `Expected at most ${filterBounds.comparisons} comparisons`)
  if (op !== 'eq') throw refuse(state.subject, `Expected the operator eq but received ${op}`)
  const name = nameOf(attrPath, state)
  const attribute = Object.hasOwn(state.attributes, name) ? state.attributes[name] : undefined
  if (attribute === undefined) {
    const existing = Object.keys(state.attributes).join(', ')
    throw refuse(state.subject, `Expected one of the attributes ${existing} but received ${JSON.stringify(attrPath)}`)
  }
  const filter = attribute(compValue)
  if (filter !== null) return filter
  throw refuse(state.subject, `The attribute ${attrPath} cannot be compared with ${typeof compValue}, as asked`)
}

/** Throws unless the filter in brackets of a path has only comparisons that filters may have. */
export function assertPathFilter(path: string, subject: FilterSubject): void {
  const inBrackets = /\[(.*)\]/s.exec(path)?.[1]
  if (inBrackets !== undefined) assertEqualities(read(inBrackets, subject), subject)
}

function assertEqualities(parsed: Parsed, subject: FilterSubject): void {
  if (parsed.op === 'and' || parsed.op === 'or') for (const each of parsed.filters) assertEqualities(each, subject)
  else if (parsed.op !== 'eq') throw refuse(subject, `Expected the operator eq but received ${parsed.op}`)
}

const urn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** The name of an attribute in lower case, without the URN of its schema. */
const nameOf = (path: string, { prefix }: ParseState): string => prefix + path.toLowerCase().replace(urn, '')
