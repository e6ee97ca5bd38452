/** Many spec files → one document whose references all stay inside `#/components`. */
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SwaggerParser from '@apidevtools/swagger-parser'
import type { Generation, OpenApiDocument, Operation, Parameter, RequestBody, Response, SpecModel } from './model.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

type Node = { readonly [key: string]: unknown }

/** Reads, joins and checks the spec of a generation. */
export const loadSpec = async (generation: Generation): Promise<SpecModel> => {
  const document = await bundleSpec(join(root, 'openapi', generation, 'openapi.yaml'))
  await SwaggerParser.validate(structuredClone(document) as never)
  return { generation, document, operations: operationsOf(document) }
}

const bundleSpec = async (entry: string): Promise<OpenApiDocument> => {
  const refs = await SwaggerParser.resolve(entry)
  const files = new Map(refs.paths().map((path) => [basename(path), refs.get(path) as Node]))
  const main = files.get('openapi.yaml') as unknown as OpenApiDocument
  const paths = Object.entries(main.paths).map(([path, item]) => [
    path,
    local(refs.get(join(dirname(entry), textOf(item.$ref)))),
  ])
  return {
    ...(local(main) as OpenApiDocument),
    paths: Object.fromEntries(paths),
    components: mergeComponents(files),
  }
}

/** `items.yaml#/components/x` → `#/components/x`, everywhere. */
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

/** Follows a `#/components/…` reference (or returns what is none). */
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
    secured: !(Array.isArray(raw.security) && raw.security.length === 0),
    parameters: ((raw.parameters ?? []) as readonly unknown[]).map((each) => resolveRef(document, each) as Parameter),
    requestBody: raw.requestBody === undefined ? null : (resolveRef(document, raw.requestBody) as RequestBody),
    responses: Object.fromEntries(responses.map(([status, each]) => [status, resolveRef(document, each) as Response])),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
