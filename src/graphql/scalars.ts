/** Custom scalars: parsing of values in documents and variables. Answers are JSON text from the database. */
import { GraphQLError, type GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'

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

/** What a scalar does with values. */
type Scalar = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'>

/** Implements the scalars of the spec. `keys`: the name of the scalar of keys. */
export const scalarsOf = (keys: string): { readonly [name: string]: Scalar } => ({
  ...Object.fromEntries(Object.entries(readings).map(([name, reading]) => [name, scalarOf(name, reading)])),
  [keys]: keyScalar,
})

function scalarOf(name: string, { expected, fits }: Reading): Scalar {
  const read = (value: unknown): unknown => {
    if (fits(value)) return value
    throw new GraphQLError(`${name} expects ${expected}`)
  }
  return {
    serialize: (value) => value,
    parseValue: read,
    parseLiteral: (node, variables) => read(readLiteral(node, variables)),
  }
}

/** Keys are texts. Numbers and booleans are taken as well, with their digits, because columns of keys may have them. */
const keyScalar: Scalar = {
  serialize: (value) => value,
  parseValue: readKey,
  parseLiteral: (node, variables) =>
    node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : readKey(readLiteral(node, variables)),
}

function readKey(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  throw new GraphQLError('ID expects a text, a number or a boolean')
}

/** Integers beyond the safe range keep their digits. */
function readLiteral(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.INT && !Number.isSafeInteger(Number(node.value))) return node.value
  return valueFromASTUntyped(node, variables)
}
