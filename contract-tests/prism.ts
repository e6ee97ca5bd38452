/** What Prism's proxy would report about answers: its own reading of the specs, and its validators of answers. */
import prismHttp from '@stoplight/prism-http'
import prismValidator from '@stoplight/prism-http/dist/validator/index.js'
import { currentRoutes } from '../src/generated/current.ts'
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import { legacyRoutes } from '../src/generated/legacy.ts'
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }
import type { Answer } from '../verify/src/http/exchange.ts'
import type { Operation } from '../verify/src/spec/operations.ts'

const specs = {
  current: { document: currentSpec, routes: currentRoutes },
  legacy: { document: legacySpec, routes: legacyRoutes },
} as const

/** The parts of an answer that Prism reads. */
type Told = Pick<Answer, 'status' | 'mediaType' | 'text' | 'json'>

/** Checks answers of an operation; returns the findings, each with its place in the answer. */
export async function createPrismCheck({ generation, id }: Pick<Operation, 'generation' | 'id'>) {
  const { document, routes } = specs[generation]
  const [route] = routes.filter(({ operationId }) => operationId === id)
  if (route === undefined) throw new Error(`There is no ${id}`)
  const [resource] = await prismHttp.getHttpOperationsFromSpec(oneOperation(document, route))
  if (resource === undefined) throw new Error(`Prism does not find ${id}`)
  return ({ status, mediaType, json, text }: Told): readonly string[] => {
    const headers: { readonly [name: string]: string } = mediaType === '' ? {} : { 'content-type': mediaType }
    const element = { statusCode: status, headers, body: json ?? (text === '' ? undefined : text) }
    const result = prismValidator.validateOutput({ resource, element })
    if (result._tag === 'Right') return []
    return result.left.map(({ message, path = [] }) => `${path.join('.')}: ${message}`)
  }
}

type Node = { readonly [key: string]: unknown }

/** A document with one operation and without recursion: Prism does not finish to load schemas that refer to each other. */
function oneOperation(document: Node, { path, method }: { path: string; method: string }): object {
  const { openapi, paths, components } = document as { openapi: string; paths: Node; components: Node }
  const { [method.toLowerCase()]: operation } = paths[path] as Node
  const { parameters = [], responses } = operation as Node
  const inlined = inline(components, { parameters, responses }) as Node
  return {
    openapi,
    info: { title: 'one operation', version: '1' },
    paths: { [path]: { [method.toLowerCase()]: inlined } },
  }
}

/** A value without references. Records inside of records are any object. */
function inline(components: Node, value: unknown, inRecord = false): unknown {
  if (Array.isArray(value)) return value.map((each) => inline(components, each, inRecord))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: ref, 'x-collection': collection } = value as Node
  if (typeof ref === 'string') {
    const [, , kind = '', name = ''] = ref.split('/')
    return inline(components, (components[kind] as Node)[name], inRecord)
  }
  if (collection !== undefined && inRecord) return { type: 'object' }
  const isRecord = inRecord || collection !== undefined
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(components, each, isRecord)]))
}
