/** The operations of an OpenAPI document that an agent may run. */

type Json = { readonly [key: string]: unknown }

/** Where a value of a call goes. */
export type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean } & Json

/** One operation: `definition` is its object in the document. */
export type Operation = {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** As in the document: `/items/articles/{id}`. */
  readonly path: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly definition: Json
}

/** The operations by operationId, and the document that their references point into. */
export type OperationIndex = { readonly document: Json; readonly operations: ReadonlyMap<string, Operation> }

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const

/** Changes of the data model do not run in a transaction of others, and may be run all the same. */
const modelTags: ReadonlySet<string> = new Set(['collections', 'fields', 'relations'])

/** What only one tool asks for: it would stand in the way of what agents look for. */
const otherTags: ReadonlySet<string> = new Set(['sync'])

/** Other writes that no transaction undoes, but a later one does: what they make can be deleted or reverted. */
const revertible: ReadonlySet<string> = new Set(['importFile'])

/** Whether an operation runs several writes in one transaction of its own. Its body has `dry_run`. */
export const isBatch = ({ id }: Pick<Operation, 'id'>): boolean => id === 'runBatch'

/** Reads the operations of a document. Operations with other bodies or answers than JSON are left out. */
export function readOperations(document: Json): OperationIndex {
  const operations = new Map<string, Operation>()
  for (const [path, item] of Object.entries(document['paths'] as { readonly [path: string]: Json })) {
    for (const method of methods) {
      const definition = item[method] as Json | undefined
      if (definition === undefined || !mayRun(document, method, definition)) continue
      const operation = toOperation(document, { path, method, definition })
      operations.set(operation.id, operation)
    }
  }
  return { document, operations }
}

function mayRun(document: Json, method: string, definition: Json): boolean {
  const {
    operationId: id,
    requestBody,
    tags = [],
    responses,
  } = definition as {
    readonly operationId: string
    readonly requestBody?: Json
    readonly tags?: readonly string[]
    readonly responses: Json
  }
  if (tags.some((tag) => otherTags.has(tag))) return false
  if (requestBody !== undefined && !hasJson(resolve(document, requestBody))) return false
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const isJson = answers.every(([, answer]) => isEmptyOrJson(resolve(document, answer as Json)))
  const isUndone = definition['x-transactional'] === true || isBatch({ id }) || revertible.has(id)
  const isSafe = method === 'get' || isUndone || tags.some((tag) => modelTags.has(tag))
  return answers.length > 0 && isJson && isSafe
}

const hasJson = ({ content }: Json): boolean => content !== undefined && 'application/json' in (content as Json)

const isEmptyOrJson = (answer: Json): boolean => answer['content'] === undefined || hasJson(answer)

type SpecOperation = { readonly path: string; readonly method: (typeof methods)[number]; readonly definition: Json }

function toOperation(document: Json, { path, method, definition }: SpecOperation): Operation {
  const {
    operationId: id,
    summary = '',
    tags = [],
    parameters = [],
  } = definition as {
    readonly operationId: string
    readonly summary?: string
    readonly tags?: readonly string[]
    readonly parameters?: readonly Json[]
  }
  return {
    id,
    method: method.toUpperCase() as Operation['method'],
    path,
    summary,
    tags,
    parameters: parameters.map((each) => resolve(document, each) as Parameter),
    definition,
  }
}

/** The object that a `$ref` into the document stands for, with what is written beside it; others as they are. */
export function resolve(document: Json, value: Json): Json {
  const { $ref: reference, ...beside } = value
  if (typeof reference !== 'string') return value
  let target: unknown = document
  for (const part of reference.slice('#/'.length).split('/')) {
    target = (target as Json)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return { ...resolve(document, target as Json), ...beside }
}
