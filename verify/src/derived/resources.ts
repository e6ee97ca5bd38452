/** Resources of a spec, found by the shape of their paths. */
import { isDeepStrictEqual } from 'node:util'
import { recordSchema } from '../cases/samples.ts'
import { follow } from '../spec/document.ts'
import type { Operation, Spec } from '../spec/operations.ts'

/** Records that are created at a path, and read, changed and deleted one by one below it. */
export type Resource = {
  readonly path: string
  /** Parameter of the path of one record. */
  readonly key: string
  /** Collection that the spec names; null if it names none. */
  readonly collection: string | null
  readonly create: Operation
  readonly list: Operation | null
  readonly read: Operation
  readonly update: Operation
  readonly remove: Operation
  readonly updateMany: Operation | null
  readonly removeMany: Operation | null
}

/** What takes JSON, and at most the same value as a form: bodies of another shape are uploads. */
const takesJson = ({ body }: Operation): boolean =>
  body !== null &&
  body.mediaTypes[0] === 'application/json' &&
  [...body.schemas.values()].every((each) => isDeepStrictEqual(each, body.schema))

/** Items belong to their collections, and the data model is keyed by name: the verifier makes these by itself. */
const isRecord = (path: string): boolean => !/^\/(items|collections)\b/.test(path)

export function resourcesOf(spec: Spec): readonly Resource[] {
  const at = (method: string, path: string): Operation | null =>
    spec.operations.find((each) => each.method === method && each.path === path) ?? null
  return spec.operations.flatMap((create) => {
    const { path } = create
    if (create.method !== 'POST' || path.includes('{') || !isRecord(path) || !takesJson(create)) return []
    const one = spec.operations.find((each) => each.method === 'GET' && isBelow(each.path, path))?.path
    if (one === undefined) return []
    const [read, update, remove] = [at('GET', one), at('PATCH', one), at('DELETE', one)]
    if (read === null || update === null || remove === null) return []
    const many = { list: at('GET', path), updateMany: at('PATCH', path), removeMany: at('DELETE', path) }
    const key = /\{([^}]+)\}$/.exec(one)?.[1] ?? 'id'
    return [{ path, key, collection: collectionOf(spec, create), create, read, update, remove, ...many }]
  })
}

const isBelow = (one: string, path: string): boolean =>
  one.startsWith(`${path}/{`) && !one.slice(path.length + 1).includes('/')

function collectionOf(spec: Spec, create: Operation): string | null {
  const name = recordSchema(spec, create)['x-derived']
  if (typeof name !== 'string') return null
  const { 'x-collection': collection } = follow(spec.document, { $ref: `#/components/schemas/${name}` })
  return typeof collection === 'string' ? collection : null
}
