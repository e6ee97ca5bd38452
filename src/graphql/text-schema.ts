/** Schemas that a generation writes as text, after the example of its own spec. */
import { buildASTSchema, type FieldDefinitionNode, type InputValueDefinitionNode, Kind, parse, print } from 'graphql'
import type { Root, ServedSchema } from './served-schema.ts'

/** A field or an argument as the spec has it; types in the language of specs. */
export type FieldText = {
  readonly type: string
  readonly description: string
  readonly args: ReadonlyMap<string, Omit<FieldText, 'args'>>
}

export type SpecText = {
  /** Of each object and input type: what is said of it, and its fields. */
  readonly types: ReadonlyMap<string, { readonly description: string; readonly fields: ReadonlyMap<string, FieldText> }>
  /** The text of the definitions that are the same for every schema. */
  readonly shared: string
}

/** Reads a spec. `isExample`: whether the type of that name stands for those of a collection. */
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

/** The schema of a text. `query`: what the fields of its root do. */
export function schemaOfText(sdl: string, query: ReadonlyMap<string, Root>): ServedSchema {
  const document = parse(sdl, { noLocation: true })
  const schema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true })
  return { schema, size: document.definitions.length, query, mutation: new Map() }
}
