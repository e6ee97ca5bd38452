/** How an operation is called with the SDK, as its README shows it: `client.users.read()`. */
import type { Generation, Operation, Parameter, SpecModel } from './model.ts'
import { bodyOf, exampleOf, literal, required } from './sample-parts.ts'
import { clientCalls } from './sdk-methods.ts'
import { basePaths, filledIn, type Tag, tagsOf } from './sdk-tags.ts'

/** A call: the resource that the client is given, if it needs one, and the text behind `client.`. */
type Call = { readonly resource: string | null; readonly text: string; readonly typed?: boolean }

export const sdkSample = (spec: SpecModel): ((operation: Operation) => string) => {
  const tags = new Map(tagsOf(spec).map((tag) => [tag.tag, tag]))
  return (operation) => {
    const call = clientCall(spec.generation, operation) ?? itemCall(operation) ?? tagCall(spec, tags, operation)
    return call === null ? operationText(spec.generation, operation) : callText(spec.generation, operation, call)
  }
}

/** A call without its arguments, such as `client.users.readMe()`, for tables. */
export const sdkCall = (spec: SpecModel): ((operation: Operation) => string) => {
  const tags = new Map(tagsOf(spec).map((tag) => [tag.tag, tag]))
  return (operation) => {
    const call = clientCall(spec.generation, operation) ?? itemCall(operation) ?? tagCall(spec, tags, operation)
    if (call === null) return `operations.${operation.id}()`
    // The name of a collection belongs to the method; all other arguments are left out.
    const [, method = ''] = /^((?:(?:items|singleton)\('[^']*'\)\.)?[\w.]+)/.exec(call.text) ?? []
    return `client.${method}()`
  }
}

const makers: { readonly [Name in Generation]: string } = {
  current: 'createCurrentClient',
  legacy: 'createLegacyClient',
}

const hasAnswer = ({ responses }: Operation): boolean =>
  Object.entries(responses).some(([status, { content }]) => status === '200' && content !== undefined)

function callText(generation: Generation, operation: Operation, { resource, text, typed = false }: Call): string {
  const maker = makers[generation]
  const named = resource === null ? maker : `${maker}, ${resource}`
  const schema = typed ? ["import type { Schema } from './schema.ts' // written by `tandem types`"] : []
  const token = operation.secured ? ', token' : ''
  const given = resource === null ? '' : `.with({ ${resource} })`
  return [
    `import { ${named} } from '@tandem/sdk/${generation}'`,
    ...schema,
    '',
    `const client = ${maker}${typed ? '<Schema>' : ''}({ url: 'https://tandem.example.com'${token} })${given}`,
    ...(text.includes('(form') || text.includes(', form')
      ? ['const form = new FormData()', "form.set('file', file)"]
      : []),
    `${hasAnswer(operation) && !text.startsWith('log') ? 'const answer = ' : ''}await client.${text}`,
  ].join('\n')
}

/** What the client does by itself, and uploads, whose contents are files. */
function clientCall(generation: Generation, operation: Operation): Call | null {
  const made = clientCalls[generation][operation.id]
  if (made === undefined) return null
  const query = operation.parameters.filter((each) => each.in === 'query').map((each) => [each.name, exampleOf(each)])
  const body = bodyOf(operation)?.value ?? Object.fromEntries(query)
  return { resource: made.resource ?? null, text: made.text(body as { readonly [name: string]: unknown }) }
}

const pathValue = (each: Parameter): string => literal(exampleOf(each))

const inPath = (operation: Operation, generation: Generation): readonly Parameter[] =>
  required(operation, 'path').filter(({ name }) => !filledIn[generation].has(name))

const itemPaths: ReadonlySet<string> = new Set(
  Object.values(basePaths).flatMap((base) => [`${base}items/{collection}`, `${base}items/{collection}/{id}`]),
)

function itemCall(operation: Operation): Call | null {
  if (!itemPaths.has(operation.path)) return null
  const collection = operation.parameters.find(({ name }) => name === 'collection')
  return { resource: null, typed: true, text: `items(${literal(exampleOf(collection))}).${listMethod(operation)}` }
}

function tagCall(spec: SpecModel, tags: ReadonlyMap<string, Tag>, operation: Operation): Call | null {
  const tag = tags.get(operation.tag)
  if (tag === undefined) return null
  const method = tag.methods.find((each) => each.operation.id === operation.id)
  const text =
    method === undefined
      ? tag.isSingle
        ? singleMethod(operation)
        : listMethod(operation)
      : `${method.name}(${givenTo(spec.generation, operation)})`
  return { resource: tag.name, text: `${tag.name}.${text}` }
}

/** The arguments of an operation's own method: values of the path, body, query. */
function givenTo(generation: Generation, operation: Operation): string {
  const body = bodyOf(operation)
  const query = required(operation, 'query').map((each) => [each.name, exampleOf(each)] as const)
  return [
    ...inPath(operation, generation).map(pathValue),
    ...(body === null ? [] : [body.media === 'multipart/form-data' ? 'form' : literal(body.value)]),
    ...(query.length === 0 ? [] : [literal(Object.fromEntries(query))]),
  ].join(', ')
}

const singleMethod = (operation: Operation): string =>
  operation.method === 'get' ? 'read()' : `update(${literal(bodyOf(operation)?.value)})`

/** The method of a list of records or items. */
function listMethod(operation: Operation): string {
  const body = bodyOf(operation)?.value
  const id = operation.parameters.find((each) => each.in === 'path' && each.name === 'id')
  if (id !== undefined) {
    const rest = body === undefined ? '' : `, ${literal(body)}`
    return `${{ get: 'readOne', patch: 'update', delete: 'delete' }[operation.method as 'get']}(${pathValue(id)}${rest})`
  }
  if (operation.method === 'get') return `read({ limit: ${literal(limitOf(operation))} })`
  if (operation.method === 'post') return `${Array.isArray(body) ? 'createMany' : 'create'}(${literal(body)})`
  if (operation.method === 'delete') return `deleteMany(${literal(Array.isArray(body) ? { keys: body } : body)})`
  if (Array.isArray(body)) return `updateEach(${literal(body)})`
  const { data, ...target } = body as { readonly data: unknown }
  return `updateMany(${literal(target)}, ${literal(data)})`
}

const limitOf = ({ parameters }: Operation): unknown => exampleOf(parameters.find(({ name }) => name === 'limit')) ?? 10

const examplesOf = (parameters: readonly Parameter[]) =>
  Object.fromEntries(parameters.map((each) => [each.name, exampleOf(each)]))

/** Operations that nothing else stands for. */
function operationText(generation: Generation, operation: Operation): string {
  const body = bodyOf(operation)
  const given = {
    path: examplesOf(inPath(operation, generation)),
    query: examplesOf(required(operation, 'query')),
    body: body?.value,
  }
  const input = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && Object.keys(value as object).length > 0),
  )
  return [
    `import { ${makers[generation]}, operations } from '@tandem/sdk/${generation}'`,
    '',
    `const client = ${makers[generation]}({ url: 'https://tandem.example.com'${operation.secured ? ', token' : ''} })`,
    `${hasAnswer(operation) ? 'const answer = ' : ''}await operations.${operation.id}(client, ${literal(input)})`,
  ].join('\n')
}
