/** Checks requests against the spec, with the findings and the coercions of the server's validator. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Route } from '../../../src/domain/ports/operation.ts'
import { invalidQuery } from '../../../src/domain/rights/errors.ts'
import { refuseReservedKeys } from '../../../src/http/request/query-string.ts'
import { enforcementSpec, type SpecDocument, searchPath } from '../../../src/http/validation/enforcement.ts'
import { type RequestParts, toRequestFailure } from '../../../src/http/validation/validation-failure.ts'

type Node = { readonly [key: string]: unknown }

type Parameter = {
  readonly name: string
  readonly in: 'query' | 'path' | 'header' | 'cookie'
  readonly required?: boolean
  readonly style?: string
  readonly explode?: boolean
  readonly content?: object
  readonly schema?: Node
}

/** Resolves with the coerced parts; throws an error that names the parameter. */
export type Check = (parts: RequestParts) => RequestParts

const general = new Ajv2020({ strict: false, coerceTypes: true, useDefaults: true })
const exact = new Ajv2020({ strict: false, useDefaults: true })
for (const each of [general, exact]) addFormats.default(each)

/** The check of an operation, or of its SEARCH form. */
export function createCheck(spec: SpecDocument, route: Route, isSearch: boolean): Check {
  const { paths } = enforcementSpec(spec, [route], { strictQuery: false })
  const item = isSearch ? paths[searchPath(route.path)] : paths[route.path]
  const operation = item?.[isSearch ? 'post' : route.method.toLowerCase()] as Node
  const parameters = (operation['parameters'] ?? []) as readonly Parameter[]
  const checkParts = general.compile(partsSchema(parameters))
  const bodies = bodyChecks(operation)
  return (parts) => {
    const input = {
      query: read(parts, parameters),
      headers: { ...parts.headers },
      params: { ...parts.path },
      cookies: { ...parts.cookies },
      body: parts.body,
    }
    const errors = [...findings(checkParts, input), ...findings(bodies.get(parts.media ?? ''), input)]
    if (errors.length > 0) throw toRequestFailure({ status: 400, errors }, { ...parts, query: input.query }, isSearch)
    refuseInfinite({ ...input.params, ...input.query }, { ...parts.path, ...parts.query })
    refuseReservedKeys(input.query)
    return { ...parts, path: input.params, query: input.query, body: input.body }
  }
}

const places = { query: 'query', path: 'params', header: 'headers', cookie: 'cookies' } as const

function partsSchema(parameters: readonly Parameter[]): object {
  const byPlace = Map.groupBy(parameters, (each) => places[each.in])
  const properties = [...byPlace].map(([part, all]) => {
    const named = all.map(({ name, schema = {} }) => [part === 'headers' ? name.toLowerCase() : name, schema])
    const required = all.filter((each) => each.required === true).map(({ name }) => name)
    return [part, { type: 'object', properties: Object.fromEntries(named) as object, required }]
  })
  return { type: 'object', properties: Object.fromEntries(properties) as object }
}

function bodyChecks(operation: Node): ReadonlyMap<string, ValidateFunction> {
  const { required = false, content = {} } = (operation['requestBody'] ?? {}) as {
    readonly required?: boolean
    readonly content?: { readonly [media: string]: { readonly schema?: object } }
  }
  const all = Object.entries(content).map(([media, { schema = {} }]) => {
    const whole = { type: 'object', properties: { body: schema }, ...(required ? { required: ['body'] } : {}) }
    return [media, exact.compile(whole)] as const
  })
  return new Map(all)
}

/** Objects and lists that are sent as one text. */
function read({ query }: RequestParts, parameters: readonly Parameter[]): { [name: string]: unknown } {
  const input: { [name: string]: unknown } = { ...query }
  for (const { name, in: position, style, explode, schema, content } of parameters) {
    const value = input[name]
    if (position !== 'query' || value === undefined || value === '') {
      if (position === 'query' && value === '' && style === 'deepObject') delete input[name]
      continue
    }
    if (style === 'deepObject' || content !== undefined) input[name] = parsed(value)
    else if (schema?.['type'] === 'array' && !Array.isArray(value))
      input[name] = explode === false && typeof value === 'string' ? value.split(',') : [value]
  }
  return input
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

type Finding = { readonly path: string; readonly message: string; readonly errorCode: string }

function findings(check: ValidateFunction | undefined, value: object): readonly Finding[] {
  if (check === undefined || check(value)) return []
  return (check.errors ?? []).map(toFinding)
}

function toFinding({ instancePath, keyword, message = '', params }: ErrorObject): Finding {
  const named = (params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']) as
    | string
    | undefined
  const allowed = keyword === 'enum' ? `: ${(params['allowedValues'] as readonly unknown[]).join(', ')}` : ''
  return {
    path: named === undefined ? instancePath : `${instancePath}/${named}`,
    message: `${message}${allowed}`,
    errorCode: `${keyword}.openapi.validation`,
  }
}

function refuseInfinite(checked: Node, sent: Node): void {
  for (const [name, value] of Object.entries(checked)) {
    if (typeof value !== 'number' || Number.isFinite(value)) continue
    throw invalidQuery(name, `Expected a finite number for "${name}" but received ${JSON.stringify(sent[name])}`)
  }
}
