/** Schemas that a generation generates as text, modeled on its own spec. */
import {
  buildASTSchema,
  concatAST,
  type FieldDefinitionNode,
  GraphQLFloat,
  GraphQLID,
  GraphQLSchema,
  type InputValueDefinitionNode,
  isScalarType,
  Kind,
  parse,
  print,
} from 'graphql'
import { ownName, ownScalars, ownScalarsText, withOwnScalars } from './own-scalars.ts'
import { scalarsOf } from './scalars.ts'
import type { Root, ServedSchema } from './schema-types.ts'

/** A field or argument of the spec, with its type as SDL. */
export type FieldText = {
  readonly type: string
  readonly description: string
  readonly args: ReadonlyMap<string, Omit<FieldText, 'args'>>
}

export type SpecText = {
  /** Description and fields of each object and input type. */
  readonly types: ReadonlyMap<string, { readonly description: string; readonly fields: ReadonlyMap<string, FieldText> }>
  /** The SDL of definitions shared by all schemas. */
  readonly shared: string
}

/** Reads a spec. `isExample`: whether the type stands for those of a collection. */
export function readSpecText(sdl: string, isExample: (name: string) => boolean): SpecText {
  const { definitions } = parse(sdl, { noLocation: true })
  const types = definitions.flatMap((each) =>
    each.kind === Kind.OBJECT_TYPE_DEFINITION || each.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
      ? [[each.name.value, { description: each.description?.value ?? '', fields: toTexts(each.fields) }] as const]
      : [],
  )
  const shared = definitions.filter((each) => 'name' in each && each.name !== undefined && !isExample(each.name.value))
  return { types: new Map(types), shared: shared.map(print).join('\n') }
}

type FieldNode = FieldDefinitionNode | InputValueDefinitionNode

const toTexts = (fields: readonly FieldNode[] = []): ReadonlyMap<string, FieldText> =>
  new Map(fields.map((each) => [each.name.value, toText(each)]))

const toText = (node: FieldNode): FieldText => ({
  type: print(node.type),
  description: node.description?.value ?? '',
  args: toTexts('arguments' in node ? node.arguments : []),
})

/** Builds a schema from SDL. `query`: the resolvers of the root fields. */
export function schemaOfText(sdl: string, query: ReadonlyMap<string, Root>): ServedSchema {
  const document = parse(sdl, { noLocation: true })
  // Thousands of types, which are therefore made once: tools that add the scalars afterwards would make them all again.
  const made = buildASTSchema(concatAST([withOwnScalars(document), parse(ownScalarsText, { noLocation: true })]), {
    assumeValid: true,
    assumeValidSDL: true,
  })
  const scalars = scalarsOf({ keys: ownName(GraphQLID.name), floats: ownName(GraphQLFloat.name) })
  for (const [name, scalar] of Object.entries(scalars)) {
    const type = made.getType(name)
    if (isScalarType(type)) Object.assign(type, scalar)
  }
  for (const { name } of ownScalars) {
    const type = made.getType(ownName(name))
    if (type !== undefined) type.name = name
  }
  const built = made.toConfig()
  // Variables for keys may be of the scalar ID, also if no field is.
  const schema = new GraphQLSchema(built)
  return { schema, size: document.definitions.length, query, mutation: new Map(), subscription: new Map() }
}
