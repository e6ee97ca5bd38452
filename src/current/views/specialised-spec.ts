/** The OpenAPI document for one caller and the connected database. */

import { isUnlimited, visibleView } from '../../authz/grants.ts'
import { showNames } from '../../domain/model/system-spelling.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { CollectionView } from '../../domain/schema/view.ts'
import { toOlderSpec } from '../../http/validation/older-spec.ts'
import { type Json, memoizeByRights, type Scope, schemasOfSpec, spec } from './current-spec.ts'
import { fieldSchema } from './field-schemas.ts'
import { ofItems, pathsOf, schemasOf } from './item-operations.ts'
import { withNamedValues } from './named-values.ts'
import { withShallowWrites } from './shallow-writes.ts'

/** Versions of OpenAPI in which the document is written. */
export type SpecVersion = '3.0' | '3.1'

/** Some members of the document as a version has them. */
type SpecForm = (members: Json) => Json

const forms: { readonly [version in SpecVersion]: SpecForm } = { '3.0': toOlderSpec, '3.1': (members) => members }

const documentsOf = (version: SpecVersion) =>
  memoizeByRights((scope: Scope) => [...specialisedPieces(scope, version)].join(''))

const documents = { '3.0': documentsOf('3.0'), '3.1': documentsOf('3.1') }

/** The document as JSON text, cached per schema and permissions. */
export const specialisedSpec = (scope: Scope, version: SpecVersion = '3.1'): string => documents[version](scope)

/** A document of more collections is too long to be kept: each takes about 17 kB. */
const maxCachedCollections = 500

/** Whether the document is sent while it is made, and not kept. */
export const isLongSpec = ({ view }: Scope): boolean => view.collections.size > maxCachedCollections

/** The document as JSON text, in pieces: one for the head, and two for each collection. */
export function* specialisedPieces(scope: Scope, version: SpecVersion): Generator<string, void> {
  for (const piece of specialise(scope, forms[version])) yield showNames(piece, scope.view.systemPrefix)
}

function* specialise(scope: Scope, form: SpecForm): Generator<string, void> {
  const pathsOfForm = (entries: Entries) => membersOf(form({ paths: Object.fromEntries(entries) })['paths'])
  const schemasOfForm = (entries: Entries) =>
    membersOf((form({ components: { schemas: Object.fromEntries(entries) } })['components'] as Json)['schemas'])
  const { paths, components, ...rest } = spec as unknown as { readonly paths: Json; readonly components: Json }
  const general = withinRights(
    Object.entries(paths).filter(([path]) => !path.startsWith('/items/')),
    scope,
  )
  yield `${JSON.stringify(form(rest)).slice(0, -1)},"paths":{${pathsOfForm(general)}`
  const reached: { readonly view: CollectionView; readonly collection: Collection }[] = []
  for (const view of scope.view.collections.values()) {
    const collection = scope.schema.collections.get(view.collection)
    if (collection === undefined || collection.system) continue
    const own = pathsOf(scope, collection, view)
    if (own.length === 0) continue
    reached.push({ view, collection })
    yield `,${pathsOfForm(own)}`
  }
  const { schemas, ...others } = components
  const all = withShallowWrites({ ...(schemas as Json), ...Object.fromEntries(recordsOf(scope)) })
  const shared = usedSchemas(all, JSON.stringify([Object.fromEntries(general), others, ofItems]))
  const head = JSON.stringify(form({ components: others })['components']).slice(0, -1)
  yield `},"components":${head},"schemas":{${schemasOfForm(shared)}`
  for (const { view, collection } of reached) yield `,${schemasOfForm(schemasOf(scope, collection, view))}`
  yield '}}}'
}

/** Paths without the operations that only administrators may call, for everybody else. */
function withinRights(paths: Entries, { actor }: Scope): Entries {
  if (isUnlimited(actor)) return paths
  return paths.flatMap(([path, item]) => {
    const left = Object.entries(item as Json).filter(([, each]) => !(each as Json)['x-administrators-only'])
    return left.some(([, each]) => 'operationId' in (each as Json)) ? [[path, Object.fromEntries(left)] as const] : []
  })
}

type Entries = readonly (readonly [string, unknown])[]

/** The schemas that a text refers to, and what these refer to: generators make a type of each. */
function usedSchemas(schemas: Json, text: string): Entries {
  const used = new Set<string>()
  const waiting = [text, ...Object.entries(schemas).flatMap(([name, each]) => (isRecord(each) ? refTo(name) : []))]
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop())
    for (const [, name = ''] of from.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name) || !Object.hasOwn(schemas, name)) continue
      used.add(name)
      waiting.push(JSON.stringify(schemas[name]))
    }
  return Object.entries(schemas).filter(([name]) => used.has(name))
}

/** Fields of any collection may lead to records of the system. */
const isRecord = (schema: unknown): boolean => 'x-collection' in (schema as Json)

const refTo = (name: string): string => `"#/components/schemas/${name}"`

/** Members of an object as JSON text, without its braces. */
const membersOf = (node: unknown): string => JSON.stringify(node).slice(1, -1)

/** Records of system collections, with columns that the project has added. */
function recordsOf(scope: Scope): readonly (readonly [string, Json])[] {
  return Object.entries(schemasOfSpec).flatMap(([name, { 'x-collection': collection, properties }]) => {
    if (typeof collection !== 'string') return []
    const added = addedTo(scope, collection, new Set(Object.keys(properties ?? {})))
    if (added.length === 0) return []
    const forms = ['', 'Input', 'Patch'].map((form) => {
      const published = schemasOfSpec[`${name}${form}`] ?? {}
      const all = { ...(published['properties'] as Json), ...Object.fromEntries(added) }
      return [`${name}${form}`, { ...published, properties: all }] as const
    })
    return withNamedValues(collection, forms)
  })
}

function addedTo(scope: Scope, name: string, names: ReadonlySet<string>): readonly (readonly [string, Json])[] {
  const collection = scope.schema.collections.get(name)
  const visible = visibleView(scope).byCore.get(name)
  return [...(visible?.fields.values() ?? [])].flatMap(({ name: shown, field }) => {
    const column = collection?.fields.get(field)
    return column === undefined || names.has(shown) ? [] : [[shown, fieldSchema(column, scope)] as const]
  })
}
