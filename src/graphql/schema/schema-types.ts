import type { GraphQLFieldConfigMap, GraphQLSchema } from 'graphql'
import type { Actor } from '../../domain/rights/actor.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'

import type { Names } from './names.ts'

import type { RootKind, Template } from './template.ts'

export type SchemaFacts = {
  readonly actor: Actor
  readonly schema: Schema
  /** The complete view. */
  readonly view: View
  readonly names: Names
  readonly template: Template
}

/** The meaning of a root field. `named`: an operation of its own, by its name in the spec. */
export type Root = { readonly kind: RootKind; readonly collection: string } | { readonly kind: 'named' }

export type RootField = { readonly root: Root; readonly field: GraphQLFieldConfigMap<unknown, unknown>[string] }

export type RootFields = ReadonlyMap<string, RootField>

export type Roots = { readonly query: RootFields; readonly mutation: RootFields }

export type ServedSchema = {
  readonly schema: GraphQLSchema
  readonly size: number
  readonly query: ReadonlyMap<string, Root>
  readonly mutation: ReadonlyMap<string, Root>
  /** The collections whose changes the fields deliver. */
  readonly subscription: ReadonlyMap<string, string>
}
