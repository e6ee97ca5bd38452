/** An operation → what it asks, as plain data: fragments, variables and directives are gone, aliases are keys. */
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

/** A field of an object. Of a leaf, `fields` and `options` are empty. */
export type Asked = {
  /** Its name in the answer. */
  readonly key: string
  readonly name: string
  /** The type that has it. */
  readonly parent: string
  readonly args: { readonly [name: string]: unknown }
  /** What is asked of the object that it leads to. */
  readonly fields: readonly Asked[]
  /** What is asked of an object of that type, where it leads to a union. */
  readonly options: ReadonlyMap<string, readonly Asked[]>
}

export type Asking = {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: { readonly [name: string]: unknown }
}

/** One field of an operation's root, with all that the document says of it. */
export type RootNodes = { readonly key: string; readonly nodes: readonly FieldNode[] }

/** The fields of the root in the order of the document. */
export function rootNodes(asking: Asking, type: GraphQLObjectType, selection: SelectionSetNode): readonly RootNodes[] {
  return [...collect(asking, type, [selection])].map(([key, nodes]) => ({ key, nodes }))
}

/** What one field asks. Throws what is wrong with its arguments. */
export function toAsked(asking: Asking, type: GraphQLObjectType, { key, nodes }: RootNodes): Asked {
  const [first] = nodes
  if (first === undefined) throw new Error('A field is asked for by at least one node')
  const name = first.name.value
  const field = type.getFields()[name]
  if (field === undefined) return { key, name, parent: type.name, args: {}, fields: [], options: new Map() }
  const args = getArgumentValues(field, first, asking.variables)
  const inner = getNamedType(field.type)
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const fieldsOf = (each: GraphQLObjectType): readonly Asked[] =>
    [...collect(asking, each, selections)].map(([innerKey, innerNodes]) =>
      toAsked(asking, each, { key: innerKey, nodes: innerNodes }),
    )
  return {
    key,
    name,
    parent: type.name,
    args,
    fields: isObjectType(inner) ? fieldsOf(inner) : [],
    options: isAbstractType(inner)
      ? new Map(asking.schema.getPossibleTypes(inner).map((each) => [each.name, fieldsOf(each)]))
      : new Map(),
  }
}

type Nodes = Map<string, FieldNode[]>

/** The fields that apply to the type, by key; fragments are entered once each. */
function collect(asking: Asking, type: GraphQLObjectType, selections: readonly SelectionSetNode[]): Nodes {
  const found: Nodes = new Map()
  const seen = new Set<string>()
  const visit = ({ selections: each }: SelectionSetNode): void => {
    for (const node of each) {
      if (!isWanted(asking, node)) continue
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value
        const nodes = found.get(key)
        if (nodes === undefined) found.set(key, [node])
        else nodes.push(node)
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (applies(asking, type, node)) visit(node.selectionSet)
      } else if (!seen.has(node.name.value)) {
        seen.add(node.name.value)
        const fragment = asking.fragments.get(node.name.value)
        if (fragment !== undefined && applies(asking, type, fragment)) visit(fragment.selectionSet)
      }
    }
  }
  for (const each of selections) visit(each)
  return found
}

/** `@skip` and `@include`. */
function isWanted({ variables }: Asking, node: { readonly directives?: readonly DirectiveNode[] }): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false
}

function applies(
  { schema }: Asking,
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
