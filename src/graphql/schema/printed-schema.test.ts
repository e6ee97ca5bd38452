import {
  buildSchema,
  type GraphQLFieldConfigMap,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  printSchema,
} from 'graphql'
import { expect, test } from 'vitest'
import { printedPieces } from './printed-schema.ts'

const printed = (schema: GraphQLSchema): readonly string[] => [
  ...printedPieces({ schema, size: 0, query: new Map(), mutation: new Map(), subscription: new Map() }),
]

test('a schema of few types is one piece, with its directives', () => {
  const schema = buildSchema(`
    "Once."
    directive @once(key: String = "a") on MUTATION
    enum Kind { a b }
    scalar Day @specifiedBy(url: "https://example.com")
    union Any = Query | Other
    input Filter { name: String = "{" }
    "Braces { in a description }"
    type Query { one(filter: Filter, kind: Kind): Any, day: Day }
    type Other { id: ID! @deprecated(reason: "Old") }
  `)
  const pieces = printed(schema)
  expect(pieces).toHaveLength(1)
  expect(pieces.join('')).toBe(printSchema(schema))
})

test('a type of thousands of fields is many pieces of the same text', () => {
  const fields: GraphQLFieldConfigMap<unknown, unknown> = {}
  for (let number = 0; number < 5001; number += 1)
    fields[`field${number}`] = {
      type: GraphQLString,
      description: `Has { and } ${number}`,
      args: { at: { type: GraphQLString } },
    }
  const query = new GraphQLObjectType({ name: 'Query', description: 'All { of } them', fields })
  const schema = new GraphQLSchema({ query })
  const pieces = printed(schema)
  expect(pieces.join('')).toBe(printSchema(schema))
  expect(pieces.length).toBeGreaterThan(3)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 * 65_536)
})
