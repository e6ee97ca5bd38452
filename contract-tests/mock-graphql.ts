/** GraphQL of the mock: documents are validated against the SDL of an endpoint and get sample data of its types. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildASTSchema,
  buildSchema,
  execute,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isEnumType,
  isListType,
  isObjectType,
  Kind,
  parse,
  validate,
} from 'graphql'

const read = (name: string): string => readFileSync(join(import.meta.dirname, `../graphql/${name}.graphql`), 'utf8')

/** The schema of the endpoint with that path in the spec, or of a text from `/server/specs/graphql`. */
export function mockSchema(path: string, sdl?: string): GraphQLSchema | null {
  if (sdl !== undefined) return buildSchema(sdl)
  if (path === '/graphql') return buildSchema(read('current-items'))
  if (path === '/{project}/gql') return buildSchema(read('legacy'))
  return path === '/graphql/system' ? systemSchema() : null
}

/** The spec of the system uses types of the spec of items. */
function systemSchema(): GraphQLSchema {
  const shared = parse(read('current-items')).definitions.filter(
    (each) => 'name' in each && !/(^|_)example(_|$)|^(Query|Mutation)$/.test(each.name?.value ?? ''),
  )
  return buildASTSchema({ kind: Kind.DOCUMENT, definitions: [...shared, ...parse(read('current-system')).definitions] })
}

export type Asked = {
  readonly query?: unknown
  readonly variables?: unknown
  readonly operationName?: unknown
}

/** The body of the answer: sample data, or the errors of the document. */
export async function answerDocument(schema: GraphQLSchema, asked: Asked): Promise<object> {
  try {
    const document = parse(String(asked.query))
    const errors = validate(schema, document)
    if (errors.length > 0) return { errors: errors.map(({ message }) => ({ message })) }
    const result = await execute({
      schema,
      document,
      variableValues: (asked.variables ?? {}) as { readonly [name: string]: unknown },
      operationName: typeof asked.operationName === 'string' ? asked.operationName : null,
      fieldResolver: (_source, _args, _context, { returnType }) => sample(returnType),
      typeResolver: (_value, _context, _info, type) => schema.getPossibleTypes(type)[0]?.name,
    })
    return JSON.parse(JSON.stringify(result)) as object
  } catch (error) {
    return { errors: [{ message: error instanceof Error ? error.message : String(error) }] }
  }
}

const samples: { readonly [scalar: string]: unknown } = {
  ID: '1',
  Int: 1,
  Float: 1.5,
  Boolean: true,
  Date: '2026-01-31T10:00:00.000Z',
  JSON: {},
  GraphQLBigInt: '1',
  Void: null,
}

function sample(given: GraphQLOutputType): unknown {
  const type = getNullableType(given)
  if (isListType(type)) return [sample(type.ofType)]
  if (isObjectType(type) || isAbstractType(type)) return {}
  if (isEnumType(type)) return type.getValues()[0]?.value
  return Object.hasOwn(samples, type.name) ? samples[type.name] : 'text'
}
