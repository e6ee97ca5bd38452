/** The operations of items in a specialised spec: those that the caller may use, with the schema of the collection. */

import { visibleView } from '../../authz/grants.ts'
import { mayEver } from '../../core/rows/seen-rows.ts'
import type { Action } from '../../domain/rights/actor.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { CollectionView } from '../../domain/schema/view.ts'
import { type Json, type Scope, schemasOfSpec, spec } from './current-spec.ts'
import { ownName } from './field-schemas.ts'
import { itemSchema, newItemSchema } from './item-schemas.ts'
import { withNamedValues } from './named-values.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

const actions = { get: 'read', post: 'create', patch: 'update', delete: 'delete' } as const satisfies Record<
  Method,
  Action
>

const itemTemplates = ['/items/{collection}', '/items/{collection}/changes', '/items/{collection}/{id}'] as const

/** The item operations that the caller may use, with the collection's own schema. */
export function pathsOf(
  scope: Scope,
  collection: Collection,
  view: CollectionView,
): readonly (readonly [string, Json])[] {
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
  return mayEver(scope, action, collection)
}

/** Replaces references to `Item` by the collection's schema. */
function ownOperation(operation: Json, { name }: CollectionView): Json {
  const { 'x-codeSamples': _samples, ...definition } = operation
  const { parameters = [], operationId, ...rest } = definition as { parameters?: readonly Json[]; operationId: string }
  const own = JSON.parse(inlineItems(JSON.stringify(rest), name), withoutExamples) as Json
  const summary = summaryOf(own['summary'] as string, name)
  return { operationId: ownName(operationId, name), ...own, summary, parameters: parameters.filter(isOwn) }
}

const isOwn = (parameter: Json): boolean =>
  parameter['$ref'] !== '#/components/parameters/collection' && parameter['name'] !== 'collection'

/** `List the items of a collection` and `Read one item`, with the name of the collection. */
const summaryOf = (general: string, name: string): string =>
  general.includes('a collection') ? general.replace('a collection', () => name) : `${general} of ${name}`

type Shaped = {
  readonly method: string
  readonly template: string
  readonly collection: Collection
  readonly view: CollectionView
}

/**
 * Reads and changes of several are answered with a list, those of a singleton with one item: in place, where generators
 * of types look for it. Generators of clients name its type by the title.
 */
function withShape(operation: Json, { method, template, collection, view }: Shaped): Json {
  if (template !== '/items/{collection}' || (method !== 'get' && method !== 'patch')) return operation
  const name = collection.singleton ? 'ItemEnvelope' : 'ItemListEnvelope'
  const own = JSON.parse(inlineItems(JSON.stringify(schemasOfSpec[name]), view.name)) as Json
  const responses = operation['responses'] as Json
  const content = { 'application/json': { schema: { title: ownName(name, view.name), ...own } } }
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
    (result, schema) =>
      result.replaceAll(`"#/components/schemas/${schema}"`, `"#/components/schemas/${ownName(schema, name)}"`),
    text,
  )

/** Components that the operations of items refer to, without the schemas of each collection. */
export const ofItems: unknown = JSON.parse(
  inlineItems(
    JSON.stringify([itemTemplates.map((path) => spec.paths[path]), wrappers.map((name) => schemasOfSpec[name])]),
    '',
  ),
)

export function schemasOf(
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
  const items = collection.singleton
    ? [item]
    : [item, [ownName('NewItem', view.name), newItemSchema(scope, collection, view)] as const]
  return [...withNamedValues(view.name, items), ...own]
}
