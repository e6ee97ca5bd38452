/** Entry point: compares answers with the spec, for development and tests. */
import type { Hooks, SentRequest } from './client.ts'

type Json = { readonly [name: string]: unknown }

/** A difference between an answer and the spec. */
export class AnswerMismatch extends Error {
  /** Method and path of the operation, as in the spec. */
  readonly operation: string
  /** JSON pointer to the value in the body. */
  readonly pointer: string

  constructor(operation: string, pointer: string, expected: string, received: unknown) {
    super(`${operation}: expected ${expected} at "${pointer || '/'}" but received ${short(received)}.`)
    this.name = 'AnswerMismatch'
    this.operation = operation
    this.pointer = pointer
  }
}

/**
 * Hooks that compare each JSON answer with an OpenAPI 3 document and throw an `AnswerMismatch` at the first difference:
 * an undocumented status, a missing or undocumented property, a wrong type or value. Operations that the document does not
 * contain are not checked.
 * @param spec The document, such as that of `GET /server/specs/oas`, or a promise of it.
 * @example
 * const spec = fetch('https://api.example.com/server/specs/oas').then((response) => response.json())
 * const client = createCurrentClient({ url: 'https://api.example.com', ...checkAnswers(spec) })
 */
export function checkAnswers(spec: object | Promise<object>): Required<Pick<Hooks, 'onResponse'>> {
  return {
    async onResponse(response, request) {
      const document = (await spec) as Json
      const found = findOperation(document, request)
      if (found === null) return
      const answers = at(found.operation, 'responses')
      const answer = resolve(document, answers[response.status] ?? answers['default'])
      if (answer === null) {
        throw new AnswerMismatch(found.name, '', `status ${Object.keys(answers).join(' or ')}`, response.status)
      }
      const schema = at(at(at(answer, 'content'), 'application/json'), 'schema')
      if (!isJson(response) || Object.keys(schema).length === 0) return
      check({ document, name: found.name }, schema, await response.clone().json(), '')
    },
  }
}

type FoundOperation = { readonly operation: Json; readonly name: string }

/** The operation of a request: by its own path, as in a document of one project, or by the template of the SDK. */
function findOperation(document: Json, { method, operation, url }: SentRequest): FoundOperation | null {
  const paths = at(document, 'paths')
  const [address = ''] = url.split('?')
  // The longest path is the exact one: an address that ends in `/users/me` ends in `/me` too.
  const own = Object.keys(paths).reduce(
    (found, path) => (address.endsWith(path) && path.length > found.length ? path : found),
    '',
  )
  for (const path of [own, operation.path]) {
    const named = at(paths, path)[method.toLowerCase()]
    if (isObject(named)) return { operation: named, name: `${method} ${path}` }
  }
  return null
}

const isJson = (response: Response): boolean => /^application\/json\b/.test(response.headers.get('content-type') ?? '')

type SchemaLocation = { readonly document: Json; readonly name: string }

/** Throws an `AnswerMismatch` for the first difference between value and schema. */
function check(location: SchemaLocation, given: unknown, value: unknown, pointer: string): void {
  const schema = resolve(location.document, given)
  if (schema === null) return
  const fail = (expected: string) => new AnswerMismatch(location.name, pointer, expected, value)
  const types = ([schema['type']] as readonly (string | readonly string[] | undefined)[]).flat().filter(isText)
  if (value === null && (schema['nullable'] === true || types.includes('null'))) return
  if (types.length > 0 && !types.some((type) => hasType(type, value))) throw fail(types.join(' or '))
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) throw fail(`one of ${short(schema['enum'])}`)
  if ('const' in schema && schema['const'] !== value) throw fail(short(schema['const']))
  for (const each of listOf(schema['allOf'])) check(location, each, value, pointer)
  const choices = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])]
  if (choices.length > 0 && !choices.some((each) => fits(location, each, value))) throw fail('a documented form')
  if (Array.isArray(value))
    value.forEach((each, index) => check(location, schema['items'], each, `${pointer}/${index}`))
  else if (isObject(value)) checkObject(location, schema, value, pointer)
}

function checkObject(location: SchemaLocation, schema: Json, value: Json, pointer: string): void {
  const properties = at(schema, 'properties')
  const inside = (name: string) => `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  for (const name of listOf(schema['required']) as readonly string[]) {
    if (!(name in value)) throw new AnswerMismatch(location.name, inside(name), 'a value', undefined)
  }
  for (const [name, each] of Object.entries(value)) {
    const further = schema['additionalProperties']
    if (name in properties) check(location, properties[name], each, inside(name))
    else if (further === false) throw new AnswerMismatch(location.name, inside(name), 'no such property', each)
    else check(location, further, each, inside(name))
  }
}

function fits(location: SchemaLocation, schema: unknown, value: unknown): boolean {
  try {
    check(location, schema, value, '')
    return true
  } catch (error) {
    if (error instanceof AnswerMismatch) return false
    throw error
  }
}

const hasType = (type: string, value: unknown): boolean =>
  type === 'array'
    ? Array.isArray(value)
    : type === 'object'
      ? isObject(value)
      : type === 'integer'
        ? Number.isInteger(value)
        : type === 'null'
          ? value === null
          : typeof value === type

/** The schema or answer itself, or what its `$ref` names; null for anything else. */
function resolve(document: Json, given: unknown): Json | null {
  if (!isObject(given)) return null
  const reference = given['$ref']
  if (typeof reference !== 'string') return given
  const names = reference.replace(/^#\//, '').split('/')
  const named = names.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), document)
  return resolve(document, named)
}

const at = (value: unknown, name: string): Json => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isText = (value: unknown): value is string => typeof value === 'string'

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 120)
