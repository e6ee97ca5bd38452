/** Converts an operation to plain data: fragments, variables and directives are resolved, aliases become keys. */
import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql'

/** A selected field. For a leaf, `fields` and `options` are empty. */
export type SelectedField = {
  /** The name in the answer. */
  readonly key: string
  readonly name: string
  /** The type that has the field. */
  readonly parent: string
  readonly args: { readonly [name: string]: unknown }
  /** The selection of the related object. */
  readonly fields: readonly SelectedField[]
  /** The selection by type, if the field leads to a union. */
  readonly options: ReadonlyMap<string, readonly SelectedField[]>
}

export type FieldScope = {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: { readonly [name: string]: unknown }
}

export type RootNodes = { readonly key: string; readonly nodes: readonly FieldNode[] }

/** The root fields in the order of the document. */
export function rootNodes(
  fieldScope: FieldScope,
  type: GraphQLObjectType,
  selection: SelectionSetNode,
): readonly RootNodes[] {
  return [...collect(fieldScope, type, [selection])].map(([key, nodes]) => ({ key, nodes }))
}

/** Converts a field. Throws errors in its arguments. */
export function toSelectedField(
  fieldScope: FieldScope,
  type: GraphQLObjectType,
  { key, nodes }: RootNodes,
): SelectedField {
  const [first] = nodes
  if (first === undefined) throw new Error('A field has at least one node')
  const name = first.name.value
  const field = type.getFields()[name]
  if (field === undefined) return { key, name, parent: type.name, args: {}, fields: [], options: new Map() }
  const args = getArgumentValues(field, first, fieldScope.variables)
  const inner = getNamedType(field.type)
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const fieldsOf = (each: GraphQLObjectType): readonly SelectedField[] =>
    [...collect(fieldScope, each, selections)].map(([innerKey, innerNodes]) =>
      toSelectedField(fieldScope, each, { key: innerKey, nodes: innerNodes }),
    )
  return {
    key,
    name,
    parent: type.name,
    args,
    fields: isObjectType(inner) ? fieldsOf(inner) : [],
    options: isAbstractType(inner)
      ? new Map(fieldScope.schema.getPossibleTypes(inner).map((each) => [each.name, fieldsOf(each)]))
      : new Map(),
  }
}

type Nodes = Map<string, FieldNode[]>

/** The fields that apply to the type, by key; each fragment is visited once. */
function collect(fieldScope: FieldScope, type: GraphQLObjectType, selections: readonly SelectionSetNode[]): Nodes {
  const nodesByKey: Nodes = new Map()
  const seen = new Set<string>()
  const visit = ({ selections: each }: SelectionSetNode): void => {
    for (const node of each) {
      if (!isWanted(fieldScope, node)) continue
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value
        const nodes = nodesByKey.get(key)
        if (nodes === undefined) nodesByKey.set(key, [node])
        else nodes.push(node)
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (applies(fieldScope, type, node)) visit(node.selectionSet)
      } else if (!seen.has(node.name.value)) {
        seen.add(node.name.value)
        const fragment = fieldScope.fragments.get(node.name.value)
        if (fragment !== undefined && applies(fieldScope, type, fragment)) visit(fragment.selectionSet)
      }
    }
  }
  for (const each of selections) visit(each)
  return nodesByKey
}

/** Evaluates `@skip` and `@include`. */
function isWanted({ variables }: FieldScope, node: { readonly directives?: readonly DirectiveNode[] }): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false
}

function applies(
  { schema }: FieldScope,
  type: GraphQLObjectType,
  {
    typeCondition,
  }: Pick<FragmentDefinitionNode, never> & {
    readonly typeCondition?: FragmentDefinitionNode['typeCondition'] | undefined
  },
): boolean {
  if (typeCondition === undefined) return true
  const condition = typeFromAST(schema, typeCondition)
  if (condition === type) return true
  return condition !== undefined && isAbstractType(condition) && schema.isSubType(condition, type)
}
