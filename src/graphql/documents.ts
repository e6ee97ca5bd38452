/** Parses and validates documents. Both steps are cached, because clients repeat their queries. */

import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  GraphQLID,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  type NamedTypeNode,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  TypeInfo,
  type TypeNode,
  typeFromAST,
  type ValidationContext,
  type VariableNode,
  VariablesInAllowedPositionRule,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { memoizeBy } from '../domain/memoize.ts'
import type { DocumentLimits } from '../domain/ports/settings.ts'
import { refuseDocument, refuseText } from './limits.ts'

const mostDocuments = 500
/** Longer documents are not cached: they cost more memory than they save time. */
const maxCachedLength = 20_000

export type Documents = {
  /** Throws a `GraphQLError` for an invalid document or an exceeded limit. */
  readonly parse: (text: string) => DocumentNode
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[]
}

export function createDocuments(limits: DocumentLimits): Documents {
  const parsed = new LRUCache<string, DocumentNode>({ max: mostDocuments })
  const validatedFor = memoizeBy((_schema: GraphQLSchema) => new WeakSet<DocumentNode>())
  const own = specifiedRules.map((rule) => (rule === VariablesInAllowedPositionRule ? filterVariables : rule))
  const rules = limits.introspection ? own : [...own, NoSchemaIntrospectionCustomRule]
  return {
    parse(text) {
      const before = parsed.get(text)
      if (before !== undefined) return before
      const document = parseBounded(text, limits)
      if (text.length <= maxCachedLength) parsed.set(text, document)
      return document
    },
    validate(schema, document) {
      const existing = validatedFor(schema)
      if (existing.has(document)) return []
      const errors = validate(schema, document, rules, { maxErrors: mostErrors })
      if (errors.length === 0) existing.add(document)
      return errors
    },
  }
}

const mostErrors = 20

/** Scalars of the values that conditions compare: each of them can be the text of a key, of a number or of a word. */
const comparable: ReadonlySet<string> = new Set([
  'ID',
  'String',
  'Int',
  'Float',
  'GraphQLStringOrFloat',
  'GraphQLBigInt',
])

/**
 * The rule of the library, but conditions and keys take variables of any scalar of this list: clients declare them by the
 * type of the key, of the column or by what the column was in an earlier schema.
 */
function filterVariables(context: ValidationContext): ASTVisitor {
  const listed = listedInFilters(context)
  const usagesOf = (operation: OperationDefinitionNode) =>
    context.getRecursiveVariableUsages(operation).map((usage) => {
      const { node, type, parentType } = usage
      const defined = operation.variableDefinitions?.find(({ variable }) => variable.name.value === node.name.value)
      const isCompared = isOfFilter(parentType) || listed.has(node) || isKey(type)
      if (type == null || defined === undefined || !isCompared) return usage
      const declared = typeFromAST(context.getSchema(), namedOf(defined.type))
      if (!isScalarType(declared) || !comparable.has(declared.name) || !comparable.has(getNamedType(type).name))
        return usage
      return { ...usage, type: withNamed(type, declared) }
    })
  return VariablesInAllowedPositionRule(
    Object.create(context, { getRecursiveVariableUsages: { value: usagesOf } }) as ValidationContext,
  )
}

/** The variables inside lists of conditions: the library reports the list as their type. */
function listedInFilters(context: ValidationContext): ReadonlySet<VariableNode> {
  const variables = new Set<VariableNode>()
  const types = new TypeInfo(context.getSchema())
  const visitor: ASTVisitor = {
    ObjectField: ({ value }) => {
      if (value.kind !== Kind.LIST || !isOfFilter(types.getParentInputType())) return
      for (const each of value.values) if (each.kind === Kind.VARIABLE) variables.add(each)
    },
  }
  visit(context.getDocument(), visitWithTypeInfo(types, visitor))
  return variables
}

const isOfFilter = (parent: GraphQLInputType | null | undefined): boolean =>
  parent != null && /(?:_filter_operators|Filter)_*$/.test(getNamedType(parent).name)

const isKey = (type: GraphQLInputType | null | undefined): boolean =>
  type != null && getNamedType(type).name === GraphQLID.name

const namedOf = (type: TypeNode): NamedTypeNode => (type.kind === Kind.NAMED_TYPE ? type : namedOf(type.type))

/** The same lists of another scalar. */
function withNamed(type: GraphQLInputType, scalar: GraphQLScalarType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(withNamed(type.ofType, scalar) as GraphQLScalarType)
  return isListType(type) ? new GraphQLList(withNamed(type.ofType, scalar)) : scalar
}

function parseBounded(text: string, limits: DocumentLimits): DocumentNode {
  refuse(refuseText(text, limits))
  const document = parse(text, { maxTokens: limits.tokens })
  refuse(refuseDocument(document, limits))
  return document
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new GraphQLError(`${reason} but received more.`)
}
