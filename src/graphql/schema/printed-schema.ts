/** Schemas as SDL, in pieces: the text of a schema of thousands of collections has tens of megabytes. */
import {
  type GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  printSchema,
  printType,
} from 'graphql'
import type { ServedSchema } from './schema-types.ts'

/** Least length of a piece, so that a schema of few collections is one. */
const pieceLength = 65_536

/** Number of fields that are printed at once; `Query` has some for each collection. */
const fieldsAtOnce = 250

/** The text that `printSchema` makes. */
export function* printedPieces({ schema }: ServedSchema): Generator<string, void> {
  let text = directivesOf(schema)
  for (const type of Object.values(schema.getTypeMap())) {
    if (isSpecifiedScalarType(type) || isIntrospectionType(type)) continue
    for (const part of printedParts(type)) {
      text += part
      if (text.length < pieceLength) continue
      yield text
      text = ''
    }
    text += '\n\n'
  }
  yield text.trimEnd()
}

/** Directives and scalars before the types. */
function directivesOf(schema: GraphQLSchema): string {
  const text = printSchema(new GraphQLSchema({ directives: schema.getDirectives(), assumeValid: true }))
  return text === '' ? '' : `${text}\n\n`
}

/** An object type of many fields is printed in parts, each from a type of some of the fields. */
function* printedParts(type: GraphQLNamedType): Generator<string, void> {
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  if (!isObjectType(type) || fields.length <= fieldsAtOnce) return yield printType(type)
  const config = type.toConfig()
  const entries = Object.entries(config.fields)
  for (let from = 0; from < entries.length; from += fieldsAtOnce) {
    const part = entries.slice(from, from + fieldsAtOnce)
    const description = from === 0 ? config.description : null
    const text = printType(new GraphQLObjectType({ ...config, description, fields: Object.fromEntries(part) }))
    const fieldsText = text.slice(from === 0 ? 0 : text.indexOf('{') + 1, -'\n}'.length)
    // A described field comes after an empty line, unless it is the first.
    yield from > 0 && part[0]?.[1].description != null ? `\n${fieldsText}` : fieldsText
  }
  yield '\n}'
}
