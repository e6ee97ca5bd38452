/** Lint rules for the prose of the specs. */
import type { OpenApiDocument, Operation } from './model.ts'

type Schema = { readonly [keyword: string]: unknown }

const longestSummary = 8

const imperatives =
  'Accept|Apply|Ask|Cancel|Clear|Comment|Compare|Confirm|Continue|Create|Delete|Disable|Download|Enable|End|Exchange|Explain|Export|Generate|Hash|Import|Invite|List|Log|Make|Move|Ping|Promote|Read|Register|Remember|Replace|Replay|Request|Reset|Revert|Run|Save|Send|Set|Switch|Update|Upload|Verify'

export const lintOperationProse = ({ summary, description, responses }: Operation): readonly string[] => [
  ...(summary.split(/\s+/).length > longestSummary ? [`the summary has more than ${longestSummary} words`] : []),
  ...(summary === '' || new RegExp(`^(${imperatives})\\b`).test(summary)
    ? []
    : [`the summary "${summary}" does not begin with a verb`]),
  ...(/[.!?]$/.test(summary) ? ['the summary ends like a sentence'] : []),
  ...(description === '' || isSentence(description) ? [] : ['the description is no sentence']),
  ...Object.entries(responses).flatMap(([status, response]) =>
    isSentence(response.description) ? [] : [`the description of ${status} is no sentence`],
  ),
]

/** Whether a text begins and ends like a sentence. */
export const isSentence = (text: string): boolean => /^[^a-z].*[.:?]\s*$/s.test(text)

/**
 * Properties without a description, and properties of records without an example. A record is a schema with
 * `x-collection`, or one that has an envelope of its own (`User` beside `UserEnvelope`).
 */
export const lintSchemaProse = (document: OpenApiDocument): readonly string[] =>
  Object.entries((document.components.schemas ?? {}) as { readonly [name: string]: Schema }).flatMap(
    ([name, schema], _at, all) =>
      'x-derived' in schema ? [] : lintProperties(name, schema, 'x-collection' in schema || hasEnvelope(name, all)),
  )

const hasEnvelope = (name: string, all: readonly (readonly [string, unknown])[]): boolean =>
  all.some(([other]) => other === `${name}Envelope` || other === `${name}ListEnvelope`)

const lintProperties = (name: string, schema: Schema, isRecord: boolean): readonly string[] => {
  const properties = Object.entries((schema.properties ?? {}) as { readonly [property: string]: Schema })
  return properties.flatMap(([property, each]) => {
    if ('$ref' in each) return []
    const place = `${name}.${property}`
    const isToldOnce = typeof each.description === 'string' && isSentence(each.description)
    const lacksExample = isRecord && !('example' in each) && each['x-computed'] !== true
    return [
      ...(isToldOnce ? [] : [`the property ${place} is not described in a sentence`]),
      ...(lacksExample ? [`the property ${place} has no example`] : []),
    ]
  })
}
