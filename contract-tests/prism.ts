/** What Prism's proxy would report about answers: its own reading of the specs, and its validators of answers. */
import prismHttp from '@stoplight/prism-http'
import prismValidator from '@stoplight/prism-http/dist/validator/index.js'
import { currentRoutes } from '../src/generated/current.ts'
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import { legacyRoutes } from '../src/generated/legacy.ts'
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }
import { enforcementSpec } from '../src/http/validation/enforcement.ts'
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
  const own = routes.filter(({ operationId }) => operationId === id).map((route) => ({ ...route, search: false }))
  // One operation, without recursion: Prism does not finish to load a spec whose schemas refer to each other.
  const small = enforcementSpec(document, own, { strictQuery: false })
  const [resource] = await prismHttp.getHttpOperationsFromSpec(
    JSON.parse(JSON.stringify(small), withDescription) as object,
  )
  if (resource === undefined) throw new Error(`Prism does not find ${id}`)
  return ({ status, mediaType, json, text }: Told): readonly string[] => {
    const headers: { readonly [name: string]: string } = mediaType === '' ? {} : { 'content-type': mediaType }
    const element = { statusCode: status, headers, body: json ?? (text === '' ? undefined : text) }
    const result = prismValidator.validateOutput({ resource, element })
    if (result._tag === 'Right') return []
    return result.left.map(({ message, path = [] }) => `${path.join('.')}: ${message}`)
  }
}

/** Responses without a body are empty in the small document. Prism would leave them out. */
function withDescription(key: string, value: unknown): unknown {
  return /^[1-5]\d\d$/.test(key) ? { description: 'An answer', ...(value as object) } : value
}
