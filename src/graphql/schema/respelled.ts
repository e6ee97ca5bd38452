/** Names of system collections in documents, which clients of another server write with another prefix. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { entryOf, memoizeBy } from '../../domain/memoize.ts'

const prefixes = ['platform_', 'directus_'] as const

const documentsOf = memoizeBy((_schema: GraphQLSchema) => new WeakMap<DocumentNode, DocumentNode>())

/**
 * The document with names that the schema has, where a type or a field of the root differs by the prefix alone. The key
 * in the answer is that of the request.
 */
export function respelled(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const text = document.loc?.source.body ?? ''
  if (!prefixes.some((prefix) => text.includes(prefix))) return document
  return entryOf(documentsOf(schema), document, () => respell(schema, document))
}

function respell(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const typeOf = (name: string) => knownSpelling(name, (each) => schema.getType(each) !== undefined)
  return visit(document, {
    NamedType: (node) => ({ ...node, name: { ...node.name, value: typeOf(node.name.value) } }),
    OperationDefinition: (node) => withRootFields(node, schema.getRootType(node.operation)),
  })
}

function withRootFields(
  operation: OperationDefinitionNode,
  root: GraphQLObjectType | null | undefined,
): OperationDefinitionNode {
  const fields = root?.getFields() ?? {}
  const selections = operation.selectionSet.selections.map((each) =>
    each.kind === Kind.FIELD ? withField(each, (name) => Object.hasOwn(fields, name)) : each,
  )
  return { ...operation, selectionSet: { ...operation.selectionSet, selections } }
}

function withField(field: FieldNode, isKnown: (name: string) => boolean): FieldNode {
  const value = knownSpelling(field.name.value, isKnown)
  if (value === field.name.value) return field
  return { ...field, alias: field.alias ?? field.name, name: { ...field.name, value } }
}

/** The name, or the first of its spellings that exists. */
function knownSpelling(name: string, isKnown: (name: string) => boolean): string {
  if (isKnown(name)) return name
  const others = prefixes.map((prefix) => name.replace(/(^|_)(?:platform|directus)_/, `$1${prefix}`))
  return others.find(isKnown) ?? name
}
