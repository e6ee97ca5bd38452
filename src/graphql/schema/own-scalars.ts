/** Scalars that take the place of those of the library. */
import { type DocumentNode, GraphQLFloat, GraphQLID, Kind, type NameNode, visit } from 'graphql'

/**
 * Scalars of the library that are replaced: its `ID` takes no decimals and booleans, as keys may be, and its `Float` rounds
 * long decimals.
 */
export const ownScalars = [GraphQLID, GraphQLFloat] as const

/** The temporary name of the scalar while the types are built. */
export const ownName = (name: string): string => `Own${name}`

export const ownScalarsText = ownScalars
  .map(({ name, description }) => `"""${description ?? ''}"""\nscalar ${ownName(name)}`)
  .join('\n')

const named = (name: string): NameNode => ({ kind: Kind.NAME, value: ownName(name) })

/** The document with our scalars in place of those of the library. */
export function withOwnScalars(document: DocumentNode): DocumentNode {
  return visit(document, {
    NamedType: (node) =>
      ownScalars.some(({ name }) => name === node.name.value) ? { ...node, name: named(node.name.value) } : undefined,
  })
}
