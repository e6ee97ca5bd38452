import { type DefinitionNode, type InputValueDefinitionNode, Kind, type TypeNode } from 'graphql'

const scalars: { readonly [name: string]: string } = {
  ID: 'string',
  String: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  Date: 'string',
  JSON: 'unknown',
}

/** `QueryArguments` and `MutationArguments`, by the name of the field. A record that is written is an object. */
export function argumentTypes(definitions: readonly DefinitionNode[]): string {
  const known = new Map(definitions.flatMap((each) => ('name' in each && each.name ? [[each.name.value, each]] : [])))
  return ['Query', 'Mutation']
    .map((root) => {
      const roots = definitions.filter((each) => each.kind === Kind.OBJECT_TYPE_DEFINITION && each.name.value === root)
      const fields = roots.flatMap((each) => (each.kind === Kind.OBJECT_TYPE_DEFINITION ? (each.fields ?? []) : []))
      const lines = fields.flatMap(({ name, arguments: args = [] }) =>
        name.value.includes('example') || name.value === '_empty'
          ? []
          : [`  ${name.value}: ${membersOf(args, known)}\n`],
      )
      return `export type ${root}Arguments = {\n${lines.join('')}}\n`
    })
    .join('\n')
}

type Definitions = ReadonlyMap<string, DefinitionNode>

function membersOf(fields: readonly InputValueDefinitionNode[], definitions: Definitions): string {
  const members = fields.map(({ name, type }) => {
    const isOptional = type.kind !== Kind.NON_NULL_TYPE
    return `readonly ${name.value}${isOptional ? '?' : ''}: ${typeText(type, definitions)}`
  })
  return members.length === 0 ? 'object' : `{ ${members.join('; ')} }`
}

function typeText(type: TypeNode, definitions: Definitions): string {
  return type.kind === Kind.NON_NULL_TYPE ? valueText(type.type, definitions) : `${valueText(type, definitions)} | null`
}

function valueText(type: TypeNode, definitions: Definitions): string {
  if (type.kind === Kind.LIST_TYPE) return `readonly (${typeText(type.type, definitions)})[]`
  if (type.kind === Kind.NON_NULL_TYPE) return typeText(type, definitions)
  const { value } = type.name
  const found = definitions.get(value)
  if (found?.kind === Kind.ENUM_TYPE_DEFINITION)
    return (found.values ?? []).map((each) => `'${each.name.value}'`).join(' | ')
  if (found?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) return membersOf(found.fields ?? [], definitions)
  return scalars[value] ?? 'object'
}
