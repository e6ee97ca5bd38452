/** Bundles the files of a spec into one document, whose references all point into `#/components`. */
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SwaggerParser from '@apidevtools/swagger-parser'
import type { Generation, OpenApiDocument, Operation, Parameter, RequestBody, Response, SpecModel } from './model.ts'
import { exampleOf, wholeRecordsOf, withRecords } from './records.ts'
import { fillTemplate } from './templates.ts'
import { withKeyHeader } from './transactional.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

type Node = { readonly [key: string]: unknown }

/** Reads, bundles and lints the spec of a generation. */
export const loadSpec = async (generation: Generation): Promise<SpecModel> => {
  const { document, records } = await bundleSpec(generation)
  await SwaggerParser.validate(structuredClone(document) as never)
  return { generation, document, operations: operationsOf(document), records }
}

const bundleSpec = async (generation: Generation): Promise<Pick<SpecModel, 'document' | 'records'>> => {
  const entry = join(root, 'openapi', generation, 'openapi.yaml')
  const refs = await SwaggerParser.resolve(entry)
  const files = new Map(refs.paths().map((path) => [basename(path), refs.get(path) as Node]))
  const main = files.get('openapi.yaml') as unknown as OpenApiDocument
  const at = (ref: unknown): Node => refs.get(join(dirname(entry), textOf(ref))) as unknown as Node
  const paths = Object.entries(main.paths).map(([path, item]) => {
    const { 'x-template': template, ...own } = at(item.$ref)
    if (template === undefined) return [path, withKeyHeader(local(own) as Node)]
    const words = wordsOf(files.get(textOf(item.$ref).replace(/#.*/, '')) ?? {})
    return [path, withKeyHeader(local(fillTemplate(at((template as Node).$ref), words, own)) as Node)]
  })
  const written = mergeComponents(files)
  const components = withRecords(written, generation)
  const document = { ...(local(main) as OpenApiDocument), paths: Object.fromEntries(paths), components }
  return { document, records: wholeRecordsOf(written.schemas ?? {}) }
}

/** The values of a tag file, and those derived from them. */
const wordsOf = (file: Node): Node => {
  const words = file['x-records'] as { readonly resource: string; readonly many: string; readonly one: string }
  const schema = (file.components as { schemas: { readonly [name: string]: Node } }).schemas[words.resource] ?? {}
  return {
    a: `a ${words.one}`,
    tag: words.many,
    One: capitalize(words.one),
    Many: capitalize(words.many),
    Resource: words.resource,
    collection: schema['x-collection'],
    example: exampleOf(schema),
    keyText: String((words as Node).key),
    ...words,
  }
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Rewrites references such as `items.yaml#/components/x` to `#/components/x`. */
const local = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(local)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    key === '$ref' && typeof each === 'string' ? each.slice(each.indexOf('#')) : local(each),
  ])
  return Object.fromEntries(entries)
}

const mergeComponents = (files: ReadonlyMap<string, Node>): OpenApiDocument['components'] => {
  const merged: { [kind: string]: { [name: string]: unknown } } = {}
  for (const [file, content] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    for (const [kind, named] of Object.entries((content.components ?? {}) as Node)) {
      const into = (merged[kind] ??= {})
      for (const [name, component] of Object.entries(named as Node)) {
        if (name in into) throw new Error(`${file}: the component ${kind}/${name} exists twice`)
        into[name] = local(component)
      }
    }
  }
  return merged
}

/** Resolves a `#/components/…` reference; returns other values unchanged. */
export const resolveRef = (document: OpenApiDocument, value: unknown): unknown => {
  const ref = (value as { $ref?: unknown }).$ref
  if (typeof ref !== 'string') return value
  const [, , kind = '', name = ''] = ref.split('/')
  return resolveRef(document, document.components[kind]?.[name])
}

const operationsOf = (document: OpenApiDocument): readonly Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => toOperation(document, path, method)),
  )

const toOperation = (document: OpenApiDocument, path: string, method: Operation['method']): Operation => {
  const raw = document.paths[path]?.[method] as Node
  const responses = Object.entries(raw.responses as Node)
  return {
    id: textOf(raw.operationId),
    method,
    path,
    tag: textOf((raw.tags as readonly string[] | undefined)?.[0]),
    summary: textOf(raw.summary),
    description: textOf(raw.description),
    search: raw['x-search'] === true,
    transactional: raw['x-transactional'] === true,
    independent: raw['x-independent'] === true,
    unidentified: raw['x-unidentified'] === true,
    administratorsOnly: raw['x-administrators-only'] === true,
    changesModel: raw['x-keyed'] === 'model',
    receives: raw['x-keyed'] === 'contents',
    current: (raw['x-current'] ?? null) as Operation['current'],
    secured: !(Array.isArray(raw.security) && raw.security.length === 0),
    parameters: ((raw.parameters ?? []) as readonly unknown[]).map((each) => resolveRef(document, each) as Parameter),
    requestBody: raw.requestBody === undefined ? null : (resolveRef(document, raw.requestBody) as RequestBody),
    responses: Object.fromEntries(responses.map(([status, each]) => [status, resolveRef(document, each) as Response])),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
