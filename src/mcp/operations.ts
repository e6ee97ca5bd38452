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
  /** What the search compares: lower case. */
  readonly words: string
}

/** The operations by operationId, and the document that their references point into. */
export type OperationIndex = { readonly document: Json; readonly operations: ReadonlyMap<string, Operation> }

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const

/** Changes of the data model do not run in a transaction of others, and may be run all the same. */
const modelTags: ReadonlySet<string> = new Set(['collections', 'fields', 'relations'])

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
  if (requestBody !== undefined && !hasJson(resolve(document, requestBody))) return false
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const isJson = answers.every(([status, answer]) => status === '204' || hasJson(resolve(document, answer as Json)))
  const isUndone = definition['x-transactional'] === true || isBatch({ id })
  const isSafe = method === 'get' || isUndone || tags.some((tag) => modelTags.has(tag))
  return isJson && isSafe
}

const hasJson = ({ content }: Json): boolean => content !== undefined && 'application/json' in (content as Json)

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
    words: `${id} ${summary} ${path} ${tags.join(' ')}`.toLowerCase(),
  }
}

/** The object that a `$ref` into the document stands for; other objects are returned as they are. */
export function resolve(document: Json, value: Json): Json {
  const { $ref: reference } = value
  if (typeof reference !== 'string') return value
  let found: unknown = document
  for (const part of reference.slice('#/'.length).split('/')) {
    found = (found as Json)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return resolve(document, found as Json)
}

/**
 * The operations that match most of the words, best first. Words match anywhere in operationId, summary, path and tags.
 */
export function searchOperations({ operations }: OperationIndex, text: string, limit: number): readonly Operation[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const scored = [...operations.values()].map((operation) => ({ operation, score: scoreOf(operation, words) }))
  return scored
    .filter(({ score }) => words.length === 0 || score > 0)
    .toSorted((a, b) => b.score - a.score || a.operation.path.length - b.operation.path.length)
    .slice(0, limit)
    .map(({ operation }) => operation)
}

/** A whole word counts twice as much as a part of one. */
function scoreOf({ words }: Operation, names: readonly string[]): number {
  const whole = new Set(words.match(/[\p{L}\p{N}_]+/gu))
  return names.reduce((sum, word) => sum + (whole.has(word) ? 2 : words.includes(word) ? 1 : 0), 0)
}
