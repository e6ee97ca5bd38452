/** The OpenAPI document for one caller and the connected database. */

import { isUnlimited, rulesFor, visibleView } from '../../authz/grants.ts'
import { memoizeByBoth } from '../../domain/memoize.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Action } from '../../domain/rights/actor.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import type { CollectionView } from '../../domain/schema/view.ts'
import internalSpec from '../../generated/current-spec.json' with { type: 'json' }
import { toOlderSpec } from '../../http/validation/older-spec.ts'
import { publishedSpec } from '../../http/validation/published-spec.ts'
import { fieldSchema, ownName } from './field-schemas.ts'
import { itemSchema, newItemSchema } from './item-schemas.ts'
import { withShallowWrites } from './shallow-writes.ts'
import { showNames } from './system-names.ts'

type Scope = Pick<Context, 'actor' | 'schema' | 'view'>
type Json = { readonly [key: string]: unknown }

/** Files of other formats are left out: generators take one media type for an answer. */
const spec = withOneMediaType(publishedSpec(internalSpec))

/** Versions of OpenAPI in which the document is written. */
export type SpecVersion = '3.0' | '3.1'

/** Some members of the document as a version has them. */
type Form = (members: Json) => Json

const forms: { readonly [version in SpecVersion]: Form } = { '3.0': toOlderSpec, '3.1': (members) => members }

const documentsOf = (version: SpecVersion) =>
  memoizeByBoth((_rights: object, _schema: Schema, scope: Scope) => [...specialisedPieces(scope, version)].join(''))

const documents = { '3.0': documentsOf('3.0'), '3.1': documentsOf('3.1') }

/** The document as JSON text, cached per schema and permissions. */
export function specialisedSpec(scope: Scope, version: SpecVersion = '3.1'): string {
  const rights = scope.actor.kind === 'system' ? scope.view : scope.actor.access
  return documents[version](rights, scope.schema, scope)
}

/** A document of more collections is too long to be kept: each takes about 17 kB. */
const maxCachedCollections = 500

/** Whether the document is sent while it is made, and not kept. */
export const isLongSpec = ({ view }: Scope): boolean => view.collections.size > maxCachedCollections

/** The document as JSON text, in pieces: one for the head, and two for each collection. */
export function* specialisedPieces(scope: Scope, version: SpecVersion): Generator<string, void> {
  for (const piece of specialise(scope, forms[version])) yield showNames(piece, scope.view.systemPrefix)
}

function* specialise(scope: Scope, form: Form): Generator<string, void> {
  const pathsOfForm = (entries: Entries) => membersOf(form({ paths: Object.fromEntries(entries) })['paths'])
  const schemasOfForm = (entries: Entries) =>
    membersOf((form({ components: { schemas: Object.fromEntries(entries) } })['components'] as Json)['schemas'])
  const { paths, components, ...rest } = spec as unknown as { readonly paths: Json; readonly components: Json }
  const general = Object.entries(paths).filter(([path]) => !path.startsWith('/items/'))
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

const schemasOfSpec = spec.components.schemas as unknown as { readonly [name: string]: Json }

function ofResponse(response: Json): Json {
  const content = response['content'] as Json | undefined
  const json = content?.['application/json']
  return json === undefined ? response : { ...response, content: { 'application/json': json } }
}

function ofOperation(operation: Json): Json {
  const responses = Object.entries((operation['responses'] ?? {}) as Json)
  const own = responses.map(([status, response]) => [status, ofResponse(response as Json)])
  return { ...operation, responses: Object.fromEntries(own) as Json }
}

/** The document with JSON as the only media type of answers that have it. */
function withOneMediaType<T extends { readonly paths: object }>(document: T): T {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const own = Object.entries(operations as Json).map(([method, operation]) => [
      method,
      ofOperation(operation as Json),
    ])
    return [path, Object.fromEntries(own) as Json]
  })
  return { ...document, paths: Object.fromEntries(paths) as T['paths'] }
}

/** Records of system collections, with columns that the project has added. */
function recordsOf(scope: Scope): readonly (readonly [string, Json])[] {
  return Object.entries(schemasOfSpec).flatMap(([name, { 'x-collection': collection, properties }]) => {
    if (typeof collection !== 'string') return []
    const added = addedTo(scope, collection, new Set(Object.keys(properties ?? {})))
    if (added.length === 0) return []
    return ['', 'Input', 'Patch'].map((form) => {
      const published = schemasOfSpec[`${name}${form}`] ?? {}
      const all = { ...(published['properties'] as Json), ...Object.fromEntries(added) }
      return [`${name}${form}`, { ...published, properties: all }] as const
    })
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

type Method = 'get' | 'post' | 'patch' | 'delete'

const actions = { get: 'read', post: 'create', patch: 'update', delete: 'delete' } as const satisfies Record<
  Method,
  Action
>

const itemTemplates = ['/items/{collection}', '/items/{collection}/changes', '/items/{collection}/{id}'] as const

/** The item operations that the caller may use, with the collection's own schema. */
function pathsOf(scope: Scope, collection: Collection, view: CollectionView): readonly (readonly [string, Json])[] {
  return itemTemplates.flatMap((template) => {
    if (collection.singleton && template.endsWith('{id}')) return []
    const operations = Object.entries(spec.paths[template] as { readonly [method: string]: unknown })
      .filter(([method]) => mayUse(scope, collection, method as Method))
      .map(([method, operation]) => [method, ownOperation(operation as Json, view)] as const)
      .map(([method, own]) => [method, withShape(own, { method, template, collection, view })] as const)
    if (operations.length === 0) return []
    return [
      [template.replace('{collection}', () => encodeURIComponent(view.name)), Object.fromEntries(operations)] as const,
    ]
  })
}

function mayUse(scope: Scope, collection: Collection, method: Method): boolean {
  if (collection.singleton && (method === 'post' || method === 'delete')) return false
  const action = actions[method]
  if (action === 'read') return visibleView(scope).byCore.has(collection.name)
  return isUnlimited(scope.actor) || rulesFor(scope.actor, collection.name, action).length > 0
}

/** Replaces references to `Item` by the collection's schema. */
function ownOperation(operation: Json, { name }: CollectionView): Json {
  const { 'x-codeSamples': _samples, ...definition } = operation
  const { parameters = [], operationId, ...rest } = definition as { parameters?: readonly Json[]; operationId: string }
  const isOwn = (parameter: Json): boolean =>
    parameter['$ref'] !== '#/components/parameters/collection' && parameter['name'] !== 'collection'
  const own = JSON.parse(inlineItems(JSON.stringify(rest), name), withoutExamples) as Json
  const summary = summaryOf(own['summary'] as string, name)
  return { operationId: ownName(operationId, name), ...own, summary, parameters: parameters.filter(isOwn) }
}

/** `List the items of a collection` and `Read one item`, with the name of the collection. */
const summaryOf = (general: string, name: string): string =>
  general.includes('a collection') ? general.replace('a collection', () => name) : `${general} of ${name}`

type Shaped = {
  readonly method: string
  readonly template: string
  readonly collection: Collection
  readonly view: CollectionView
}

/** Reads and changes of several are answered with a list, those of a singleton with one item: in place, for generators. */
function withShape(operation: Json, { method, template, collection, view }: Shaped): Json {
  if (template !== '/items/{collection}' || (method !== 'get' && method !== 'patch')) return operation
  const name = collection.singleton ? 'ItemEnvelope' : 'ItemListEnvelope'
  const schema: unknown = JSON.parse(inlineItems(JSON.stringify(schemasOfSpec[name]), view.name))
  const responses = operation['responses'] as Json
  const content = { 'application/json': { schema } }
  return { ...operation, responses: { ...responses, 200: { ...(responses['200'] as Json), content } } }
}

/** The examples of the general operations show items of other collections. */
function withoutExamples(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('schema' in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples'))
}

/** Schemas that are made of the collection's fields, and those that refer to them. */
const wrappers = ['ItemInput', 'ItemOrList', 'ItemEnvelope', 'ItemOrListEnvelope'] as const
const itemSchemas = ['Item', 'NewItem', ...wrappers, 'ItemListEnvelope']

const inlineItems = (text: string, name: string): string =>
  itemSchemas.reduce(
    (found, schema) =>
      found.replaceAll(`"#/components/schemas/${schema}"`, `"#/components/schemas/${ownName(schema, name)}"`),
    text,
  )

/** What the operations of items refer to, but for the schemas that each collection has of its own. */
const ofItems: unknown = JSON.parse(
  inlineItems(
    JSON.stringify([itemTemplates.map((path) => spec.paths[path]), wrappers.map((name) => schemasOfSpec[name])]),
    '',
  ),
)

function schemasOf(
  scope: Scope,
  collection: Collection,
  view: CollectionView,
): readonly (readonly [string, unknown])[] {
  const general = spec.components.schemas as unknown as { readonly [name: string]: unknown }
  // The item of a singleton is answered in place, and never created.
  const names = collection.singleton ? (['ItemOrList'] as const) : wrappers
  const own = names.map((name) => {
    const schema: unknown = JSON.parse(inlineItems(JSON.stringify(general[name]), view.name))
    return [ownName(name, view.name), schema] as const
  })
  const item = [ownName('Item', view.name), itemSchema(scope, collection, view)] as const
  if (collection.singleton) return [item, ...own]
  return [item, [ownName('NewItem', view.name), newItemSchema(scope, collection, view)], ...own]
}
