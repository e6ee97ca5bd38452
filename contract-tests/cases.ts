/** Operation → cases: the requests that its spec promises to answer, and those that it promises to refuse. */
import { damagedBodies, outOfBounds } from './mutations.ts'
import { follow, type Operation, type Parameter, type Spec } from './spec.ts'
import type { Validate } from './validate.ts'
import { type Pairs, pathText, queryText, toBrackets, toPairs } from './wire.ts'

/** A user's token; a token of nobody; one of our form that somebody else has signed. */
export type Credentials = 'valid' | 'unknown' | 'forged'

export type Case = {
  readonly operation: Operation
  readonly kind: 'positive' | 'negative'
  /** What is special about the request. */
  readonly rule: string
  /** The parameter or key that an error should name; null when no single one is at fault. */
  readonly name: string | null
  readonly credentials: Credentials
  readonly request: CaseRequest
  /** The connected data is what refuses it: only a real server can know. */
  readonly needsData: boolean
}

export type CaseRequest = {
  readonly method: string
  /** Path and query string. */
  readonly target: string
  readonly mediaType: string | null
  readonly body: string | null
}

/** Parts of a request before they are written out. */
type Draft = {
  readonly path: { readonly [name: string]: unknown }
  readonly query: Pairs
  readonly body: unknown
  readonly mediaType?: string
  readonly text?: string
}

/** Requests that the connected data refuses, by parameter name: the world supplies them. */
export type DataFaults = {
  readonly parameters: { readonly [name: string]: readonly { readonly rule: string; readonly value: unknown }[] }
  /** Keys of an item that make it bad. */
  readonly items: readonly { readonly rule: string; readonly name: string; readonly value: unknown }[]
}

/** Bytes beyond the body limit of the world's server. */
const tooLarge = 2_000_000

/** All cases of a spec. */
export function casesOf(spec: Spec, validate: Validate, faults: DataFaults): readonly Case[] {
  return spec.operations.flatMap((operation) => [
    ...positiveCases(operation),
    ...parameterCases(spec, validate, operation),
    ...bodyCases(spec, validate, operation),
    ...dataCases(operation, faults),
    ...(operation.secured ? credentialCases(operation) : []),
  ])
}

const credentialCases = (operation: Operation): readonly Case[] =>
  (['unknown', 'forged'] as const).map((credentials) =>
    toCase(operation, good(operation), { ...refused, rule: `${credentials} token`, credentials }),
  )

const refused = { kind: 'negative', name: null, needsData: false } as const
const accepted = { kind: 'positive', name: null, needsData: false } as const

/** The plainest good request: required parameters and the first example of the body. */
function good(operation: Operation): Draft {
  const required = operation.parameters.filter((each) => each.required)
  const path = Object.fromEntries(required.map((each) => [each.name, each.examples[0]?.value]))
  const query = required
    .filter((each) => each.in === 'query')
    .flatMap((each) => toPairs(each.name, each.examples[0]?.value))
  return { path, query, body: operation.body?.examples[0]?.value }
}

/** The plainest good request of an operation as a case. */
export const plainCase = (operation: Operation): Case =>
  toCase(operation, good(operation), { ...accepted, rule: 'the plainest request' })

function positiveCases(operation: Operation): readonly Case[] {
  const plain = good(operation)
  const bodies = operation.body?.examples ?? [{ name: 'plain', value: undefined }]
  const parameters = operation.parameters.flatMap((parameter) =>
    [...parameter.examples, ...boundaries(parameter)].flatMap(({ name, value }) =>
      spellings(operation, parameter, value).map(([spelling, draft]) =>
        toCase(operation, draft, { ...accepted, rule: `${parameter.name}: ${name}${spelling}` }),
      ),
    ),
  )
  return [
    ...bodies.map(({ name, value }) =>
      toCase(operation, { ...plain, body: value }, { ...accepted, rule: `body: ${name}` }),
    ),
    ...parameters,
  ]
}

/** The least and the most that a number may be. */
function boundaries(parameter: Parameter): readonly { readonly name: string; readonly value: unknown }[] {
  const { minimum, maximum } = parameter.schema
  return [minimum, maximum].flatMap((value) => (typeof value === 'number' ? [{ name: String(value), value }] : []))
}

/** A parameter's value in every spelling that the operation takes. */
function spellings(operation: Operation, parameter: Parameter, value: unknown): readonly (readonly [string, Draft])[] {
  const plain = good(operation)
  if (parameter.in === 'path') return [['', { ...plain, path: { ...plain.path, [parameter.name]: value } }]]
  const rest = plain.query.filter(([name]) => name !== parameter.name)
  const written: [string, Draft][] = [['', { ...plain, query: [...rest, ...toPairs(parameter.name, value)] }]]
  if (isObject(value))
    written.push([' in brackets', { ...plain, query: [...rest, ...toBrackets(parameter.name, value)] }])
  if (operation.search) written.push([' by SEARCH', asSearch(plain, { [parameter.name]: value })])
  return written
}

const asSearch = (plain: Draft, query: unknown): Draft => ({ ...plain, query: [], body: { query } })

function parameterCases(spec: Spec, validate: Validate, operation: Operation): readonly Case[] {
  const plain = good(operation)
  return operation.parameters.flatMap((parameter) => {
    const schema = follow(spec, parameter.schema)
    const texts = wrongTexts(schema).filter((text) => validate(schema, readText(schema, text)) !== null)
    const cases = texts.map((text) => {
      const rule = `${parameter.name} is ${text.length > 20 ? `a text of ${text.length}` : JSON.stringify(text)}`
      return toCase(operation, withText(plain, parameter, text), { ...refused, rule, name: parameter.name })
    })
    const { name } = parameter
    if (parameter.in === 'query' && parameter.required)
      cases.push(
        toCase(
          operation,
          { ...plain, query: plain.query.filter(([each]) => each !== name) },
          { ...refused, rule: `${name} is missing`, name },
        ),
      )
    return [...cases, ...searchCases(operation, parameter, schema, validate)]
  })
}

/** Texts that could be wrong for a schema; the validator decides which are. */
function wrongTexts(schema: { readonly [keyword: string]: unknown }): readonly string[] {
  const bounds = outOfBounds(schema).map((value) => (Array.isArray(value) ? value.join(',') : String(value)))
  return ['x', '1.5', '[1]', '"text"', ...bounds].filter((text) => text !== '' && text.length < 6000)
}

/** A query text as the type that its schema asks for, where it can be read as one. */
function readText(schema: { readonly [keyword: string]: unknown }, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (schema.type !== 'object') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function withText(plain: Draft, parameter: Parameter, text: string): Draft {
  if (parameter.in === 'path') return { ...plain, path: { ...plain.path, [parameter.name]: text } }
  return { ...plain, query: [...plain.query.filter(([name]) => name !== parameter.name), [parameter.name, text]] }
}

/** SEARCH carries JSON, so that its wrong values have types. */
function searchCases(
  operation: Operation,
  parameter: Parameter,
  schema: { readonly [keyword: string]: unknown },
  validate: Validate,
): readonly Case[] {
  if (!operation.search || parameter.in !== 'query') return []
  const values = [[[]], ...outOfBounds(schema)].filter((value) => validate(schema, value) !== null)
  return values.slice(0, 2).map((value) =>
    toCase(operation, asSearch(good(operation), { [parameter.name]: value }), {
      ...refused,
      rule: `${parameter.name} is ${JSON.stringify(value).slice(0, 20)} by SEARCH`,
      name: parameter.name,
    }),
  )
}

function bodyCases(spec: Spec, validate: Validate, operation: Operation): readonly Case[] {
  const { body, search } = operation
  const plain = good(operation)
  const searchBodies = search
    ? [{ query: 5 }, 5, { query: {}, unexpected_key: 1 }].map((value) => ({
        rule: `SEARCH ${JSON.stringify(value)}`,
        draft: { ...plain, query: [], body: value },
      }))
    : []
  const damages = (body?.examples ?? []).flatMap(({ name, value }) =>
    body?.schema == null
      ? []
      : damagedBodies(validate, spec, body.schema, value).map((damage) => ({
          rule: `body ${name}: ${damage.name ?? 'all'} ${damage.rule}`,
          name: 'oneOf' in follow(spec, body.schema) ? null : damage.name,
          draft: { ...plain, body: damage.value },
        })),
  )
  return [...searchBodies, ...damages, ...(body === null ? [] : brokenBodies(plain, body.required))].map(
    ({ draft, ...rest }) => toCase(operation, draft, { ...refused, ...rest }),
  )
}

function brokenBodies(plain: Draft, required: boolean): readonly { readonly rule: string; readonly draft: Draft }[] {
  const { body: _, ...without } = plain
  return [
    { rule: 'body is not JSON', draft: { ...plain, text: '{"a":' } },
    { rule: 'body of another media type', draft: { ...plain, mediaType: 'application/x-unknown', text: 'a' } },
    { rule: 'body is too large', draft: { ...plain, text: JSON.stringify({ text: 'a'.repeat(tooLarge) }) } },
    ...(required ? [{ rule: 'no body', draft: { ...without, body: undefined } }] : []),
  ]
}

function dataCases(operation: Operation, faults: DataFaults): readonly Case[] {
  const plain = good(operation)
  const parameters = operation.parameters.flatMap((parameter) =>
    (faults.parameters[parameter.name] ?? []).map(({ rule, value }) =>
      toCase(operation, spellings(operation, parameter, value)[0]?.[1] ?? plain, {
        ...refused,
        rule: `${parameter.name}: ${rule}`,
        needsData: true,
      }),
    ),
  )
  const items = isItem(operation)
    ? faults.items.map(({ rule, name, value }) =>
        toCase(
          operation,
          { ...plain, body: { ...(plain.body as object), [name]: value } },
          { ...refused, rule: `item: ${rule}`, name, needsData: true },
        ),
      )
    : []
  return [...parameters, ...items]
}

/** Whether the body's first example is an item, whose fields only the connected database knows. */
function isItem({ body, path }: Operation): boolean {
  const value = body?.examples[0]?.value
  return path.includes('{collection}') && isObject(value) && !('data' in value) && !Array.isArray(value)
}

function toCase(
  operation: Operation,
  draft: Draft,
  facts: Pick<Case, 'kind' | 'rule' | 'name' | 'needsData'> & { readonly credentials?: Credentials },
): Case {
  const isSearch = operation.search && draft.body !== undefined
  const body = draft.text ?? (draft.body === undefined ? null : JSON.stringify(draft.body))
  const query = queryText(draft.query)
  const target = `${pathText(operation.path, draft.path)}${query === '' ? '' : `?${query}`}`
  return {
    credentials: 'valid',
    ...facts,
    operation,
    request: {
      method: isSearch ? 'SEARCH' : operation.method,
      target,
      mediaType: body === null ? null : (draft.mediaType ?? 'application/json'),
      body,
    },
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
