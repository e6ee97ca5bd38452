/** Custom scalars: parsing of values in documents and variables. Answers are JSON text from the database. */
import { GraphQLError, type GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { exactNumber, isExact } from '../../domain/conditions/exact-numbers.ts'

type ScalarRule = { readonly expected: string; readonly fits: (value: unknown) => boolean }

const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isFinite = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
const isInteger = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isSafeInteger(value)) || (typeof value === 'string' && /^[-+]?\d+$/.test(value))

const readings: { readonly [scalar: string]: ScalarRule } = {
  Date: { expected: 'a text', fits: isText },
  Hash: { expected: 'a text', fits: isText },
  JSON: { expected: 'a JSON value', fits: () => true },
  Void: { expected: 'nothing', fits: () => false },
  GraphQLBigInt: { expected: 'an integer, or its text', fits: isInteger },
  GraphQLStringOrFloat: { expected: 'a number or a text', fits: (value) => isText(value) || isNumber(value) },
  GraphQLJsonFilter: { expected: 'an object of conditions', fits: isObject },
  GraphQLGeoJSON: { expected: 'a GeoJSON object', fits: isObject },
}

type Scalar = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'>

/** Implements the scalars of the spec. `keys` and `floats`: the names of the scalars of keys and of numbers. */
export const scalarsOf = ({ keys, floats }: { readonly keys: string; readonly floats: string }): Scalars => ({
  ...Object.fromEntries(Object.entries(readings).map(([name, reading]) => [name, scalarOf(name, reading)])),
  [floats]: scalarOf('Float', { expected: 'a number', fits: isFinite }),
  [keys]: keyScalar,
})

type Scalars = { readonly [name: string]: Scalar }

function scalarOf(name: string, { expected, fits }: ScalarRule): Scalar {
  const read = (value: unknown): unknown => {
    // A number that a double cannot hold keeps its digits: as text, and within JSON as a number.
    if (isExact(value) && name !== 'JSON' && fits(0)) return value.rawJSON
    if (fits(value)) return value
    throw new GraphQLError(`${name} expects ${expected}`)
  }
  return {
    serialize: name === 'GraphQLBigInt' ? toIntegerText : (value) => value,
    parseValue: read,
    parseLiteral: (node, variables) => read(readLiteral(node, variables)),
  }
}

/** Answers have integers of 64 bits as texts. */
const toIntegerText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

/** Keys are texts. Numbers and booleans are taken as well, with their digits, because columns of keys may have them. */
const keyScalar: Scalar = {
  serialize: (value) => value,
  parseValue: readKey,
  parseLiteral: (node, variables) =>
    node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : readKey(readLiteral(node, variables)),
}

function readKey(value: unknown): string {
  if (typeof value === 'string') return value
  if (isExact(value)) return value.rawJSON
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  throw new GraphQLError('ID expects a text, a number or a boolean')
}

/** Numbers that a double cannot hold keep their digits. */
function readLiteral(node: ValueNode, variables: { readonly [name: string]: unknown } | null | undefined): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return exactNumber(node.value)
    case Kind.LIST:
      return node.values.map((each) => readLiteral(each, variables))
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, readLiteral(value, variables)]))
    default:
      return valueFromASTUntyped(node, variables)
  }
}
