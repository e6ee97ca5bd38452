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
type AnswerFacts = Pick<Answer, 'status' | 'mediaType' | 'text' | 'json'>

export async function prismFindings(
  { generation, id }: Pick<Operation, 'generation' | 'id'>,
  { status, mediaType, json, text }: AnswerFacts,
): Promise<readonly string[]> {
  const { document, routes } = specs[generation]
  const route = routes.find(({ operationId }) => operationId === id)
  if (route === undefined) throw new Error(`There is no ${id}`)
  const resource = await loadResource(document, responsesOf(document, route, status))
  const headers: { readonly [name: string]: string } = mediaType === '' ? {} : { 'content-type': mediaType }
  const element = { statusCode: status, headers, body: json ?? (text === '' ? undefined : text) }
  const result = prismValidator.validateOutput({ resource, element })
  if (result._tag === 'Right') return []
  return result.left.map(({ message, path = [] }) => `${path.join('.')}: ${message}`)
}

type Node = { readonly [key: string]: unknown }
type Resource = Awaited<ReturnType<typeof prismHttp.getHttpOperationsFromSpec>>[number]

/** The documented responses of one status; those of all statuses if it is not documented. */
function responsesOf({ paths }: Node, { path, method }: { path: string; method: string }, status: number): Node {
  const { [path]: methods } = paths as { readonly [path: string]: { readonly [method: string]: { responses: Node } } }
  const responses = methods?.[method.toLowerCase()]?.responses ?? {}
  return status in responses ? { [status]: responses[status] } : responses
}

/** Most responses are those of many operations. Prism compiles each of them once. */
const resources = new Map<string, Promise<Resource>>()

function loadResource(document: Node, responses: Node): Promise<Resource> {
  const key = JSON.stringify([document['info'], responses])
  const known = resources.get(key) ?? load(document, responses)
  resources.set(key, known)
  return known
}

/** From a document with one operation and without recursion: Prism does not finish to load schemas that refer to each other. */
async function load({ openapi, components }: Node, responses: Node): Promise<Resource> {
  const inlined = inline(components as Components, responses)
  const info = { title: 'one operation', version: '1' }
  const paths = { '/': { get: { responses: inlined } } }
  const [resource] = await prismHttp.getHttpOperationsFromSpec({ openapi, info, paths })
  if (resource === undefined) throw new Error('Prism does not find the operation')
  return resource
}

type Components = { readonly [kind: string]: Node }

/** A value without references. Records inside of records are any object. */
function inline(components: Components, value: unknown, inRecord = false): unknown {
  if (Array.isArray(value)) return value.map((each) => inline(components, each, inRecord))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: ref, 'x-collection': collection } = value as Node
  if (typeof ref === 'string') {
    const [, , kind = '', name = ''] = ref.split('/')
    return inline(components, components[kind]?.[name], inRecord)
  }
  if (collection !== undefined && inRecord) return { type: 'object' }
  const isRecord = inRecord || collection !== undefined
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(components, each, isRecord)]))
}
