/** Custom scalars: parsing of values in documents and variables. Answers are JSON text from the database. */
import {
  GraphQLError,
  type GraphQLNamedType,
  GraphQLScalarType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'

type Variables = { readonly [name: string]: unknown } | null | undefined
type Reading = { readonly expected: string; readonly fits: (value: unknown) => boolean }

const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isInteger = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isSafeInteger(value)) || (typeof value === 'string' && /^[-+]?\d+$/.test(value))

const readings: { readonly [scalar: string]: Reading } = {
  Date: { expected: 'a text', fits: isText },
  Hash: { expected: 'a text', fits: isText },
  JSON: { expected: 'a JSON value', fits: () => true },
  Void: { expected: 'nothing', fits: () => false },
  GraphQLBigInt: { expected: 'an integer, or its text', fits: isInteger },
  GraphQLStringOrFloat: { expected: 'a number or a text', fits: (value) => isText(value) || isNumber(value) },
  GraphQLGeoJSON: { expected: 'a GeoJSON object', fits: (value) => typeof value === 'object' && value !== null },
}

/** Implements the scalars of the spec, once for all schemas. */
export function shareScalars(types: ReadonlyMap<string, GraphQLNamedType>): void {
  shareKeys(scalarNamed(types, 'ID'))
  for (const [name, reading] of Object.entries(readings)) {
    const scalar = scalarNamed(types, name)
    const read = (value: unknown): unknown => {
      if (reading.fits(value)) return value
      throw new GraphQLError(`${name} expects ${reading.expected}`)
    }
    scalar.serialize = (value) => value
    scalar.parseValue = read
    scalar.parseLiteral = (node, variables) => read(readLiteral(node, variables))
  }
}

function scalarNamed(types: ReadonlyMap<string, GraphQLNamedType>, name: string): GraphQLScalarType {
  const scalar = types.get(name)
  if (scalar instanceof GraphQLScalarType) return scalar
  throw new Error(`The GraphQL spec has no scalar ${name}`)
}

/** Keys are texts. Numbers and booleans are taken as well, with their digits, because columns of keys may have them. */
function shareKeys(scalar: GraphQLScalarType): void {
  scalar.serialize = (value) => value
  scalar.parseValue = (value) => {
    if (typeof value === 'string') return value
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
    throw new GraphQLError('ID expects a text, a number or a boolean')
  }
  scalar.parseLiteral = (node, variables) =>
    node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : scalar.parseValue(readLiteral(node, variables))
}

/** Integers beyond the safe range keep their digits. */
function readLiteral(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.INT && !Number.isSafeInteger(Number(node.value))) return node.value
  return valueFromASTUntyped(node, variables)
}
