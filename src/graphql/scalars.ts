/** Scalars of our own: how values in documents and variables are read. Answers are text that the database has written. */
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

/** Gives the scalars of the spec their meaning. They are shared by all schemas, so this is done once. */
export function shareScalars(types: ReadonlyMap<string, GraphQLNamedType>): void {
  for (const [name, reading] of Object.entries(readings)) {
    const scalar = types.get(name)
    if (!(scalar instanceof GraphQLScalarType)) throw new Error(`The GraphQL spec has no scalar ${name}`)
    const read = (value: unknown): unknown => {
      if (reading.fits(value)) return value
      throw new GraphQLError(`${name} expects ${reading.expected}`)
    }
    scalar.serialize = (value) => value
    scalar.parseValue = read
    scalar.parseLiteral = (node, variables) => read(readLiteral(node, variables))
  }
}

/** Integers beyond the exact ones keep their digits. */
function readLiteral(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.INT && !Number.isSafeInteger(Number(node.value))) return node.value
  return valueFromASTUntyped(node, variables)
}
